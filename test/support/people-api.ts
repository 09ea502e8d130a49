/**
 * The application for tests of people and keys: time in the test's hands, mail caught in memory, and a person who signs in
 * as one would through the API.
 */
import { createTurns } from '../../shared/scans/turns.ts';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import request from 'supertest';
import { createApp } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { createHttpServer } from '../../api/server.ts';
import { createAccessTokens } from '../../shared/accounts/access-token.ts';
import { hashPassword } from '../../shared/accounts/password.ts';
import type { Role } from '../../shared/access/roles.ts';
import { createLinkSigner } from '../../shared/barcode-jobs/download-link.ts';
import { loadConfig } from '../../shared/config.ts';
import { createPool } from '../../shared/db.ts';
import { encodeId, newUuid } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logger.ts';
import { sendDueMails } from '../../shared/mail/sending.ts';
import type { RenderedMail } from '../../shared/mail/message.ts';
import { createMetrics } from '../../shared/metrics.ts';
import { closeQueues, createQueues, createWaker } from '../../shared/queues.ts';
import { createRedis, untilReady } from '../../shared/redis.ts';
import { createSites } from '../../shared/code-hosts/sites.ts';
import { createRequestErrorLog } from '../../shared/request-errors/service.ts';
import { createSecretBox } from '../../shared/secret-box.ts';
import { createLocalStorage } from '../../shared/storage/local-storage.ts';
import { createUrlVetting } from '../../shared/webhooks/url-vetting.ts';
import { deriveKey } from '../../shared/wiring.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestRedis, type TestRedis } from './redis.ts';

const ring = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

export const PASSWORD = 'a stone that shows gold';

/** A signed-in person; cookies as a browser keeps them. */
export interface Person {
  orgId: string;
  orgUuid: string;
  userId: string;
  userUuid: string;
  email: string;
  token: string;
  cookie: string;
  get(path: string): request.Test;
  post(path: string, body?: object): request.Test;
  patch(path: string, body: object): request.Test;
  put(path: string, body: object): request.Test;
  delete(path: string): request.Test;
}

export interface PeopleApi {
  server: Server;
  deps: ApiDeps;
  clock: { now(): Date; advance(seconds: number): void };
  database: TestDatabase;
  redis: TestRedis;
  logs: string[];
  http(): ReturnType<typeof request>;
  /** Sends what is in the outbox. @returns the mails since the last call. */
  mails(): Promise<RenderedMail[]>;
  /** @param org an organization's UUID; a new one when left out. */
  person(role?: Role, org?: string): Promise<Person>;
  signIn(email: string, password?: string, extra?: object, from?: string): request.Test;
  /** Accepts an invitation, with {@link PASSWORD} where the fields have no other. */
  accept(token: string, fields?: object): request.Test;
  close(): Promise<void>;
}

/** @returns the value of a cookie that a response sets, or undefined. */
export function cookieOf(response: request.Response, name = '__Host-touchstone-refresh'): string | undefined {
  const lines = (response.get('Set-Cookie') ?? []) as string[];
  return lines.find((line) => line.startsWith(`${name}=`))?.split(';')[0];
}

/** @returns the token in the fragment of a mail's link. */
export const tokenIn = (mail: RenderedMail | undefined): string =>
  /#token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

/** Call in `before`, and `close` in `after`. */
export async function createPeopleApi(
  env: Record<string, string> = {},
  overrides: Partial<ApiDeps> = {},
): Promise<PeopleApi> {
  const database = await createTestDatabase();
  const testRedis = await createTestRedis();
  const config = {
    ...loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      REDIS_URL: testRedis.url,
      PUBLIC_URL: 'https://verify.example.com',
      TOKEN_KEYS: ring('t1', 1),
      SECRET_BOX_KEYS: ring('s1', 2),
      JWT_KEYS: ring('j1', 3),
      API_KEY_PEPPER: 'canary-pepper-of-the-tests',
      OPERATOR_PASSWORD: 'canary-operator-of-the-tests',
      TRUST_PROXY: 'loopback',
      RATE_LIMIT_VERIFY_PER_MINUTE: '100000',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
      LOG_LEVEL: 'debug',
      ...env,
    }),
    QUEUE_PREFIX: testRedis.prefix,
  };
  let at = Date.UTC(2026, 10, 20, 12);
  const clock = { now: () => new Date(at), advance: (seconds: number) => void (at += seconds * 1000) };
  const logs: string[] = [];
  const log = createLogger('test', config.LOG_LEVEL, { write: (line: string) => void logs.push(line) });
  const db = createPool({
    databaseUrl: config.DATABASE_URL,
    max: 10,
    applicationName: 'touchstone-test',
    onError: () => undefined,
  });
  const redis = createRedis(config, () => undefined);
  await untilReady(redis, 10_000);
  const queues = createQueues(redis, config.QUEUE_PREFIX);
  const deps: ApiDeps = {
    sites: createSites({ db, log, publicUrl: config.PUBLIC_URL, nowMs: () => clock.now().getTime() }),
    config,
    clock,
    random: randomBytes,
    log,
    db,
    redis,
    queues,
    waker: createWaker(queues, log),
    secretBox: createSecretBox(config.SECRET_BOX_KEYS),
    accessTokens: createAccessTokens(clock, config.JWT_KEYS, config.PUBLIC_URL),
    storage: createLocalStorage(config.STORAGE_DIR),
    links: createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links')),
    vetWebhookUrl: createUrlVetting({ allowedCidrs: [], resolve: async () => ['93.184.215.14'] }),
    unitTurns: createTurns(null),
    requestErrors: createRequestErrorLog({ db, clock, log }),
    verifier: {
      verify: () => Promise.reject(new Error('nothing is verified here')),
      preview: () => Promise.reject(new Error('nothing is verified here')),
    },
    close: async () => undefined,
    ...overrides,
  };
  const server = createHttpServer(createApp(deps, createMetrics('test')), deps.log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const passwordDigest = await hashPassword(PASSWORD);
  let people = 0;

  const api: PeopleApi = {
    server,
    deps,
    clock,
    database,
    redis: testRedis,
    logs,
    http: () => request(server),
    async mails() {
      const caught: RenderedMail[] = [];
      const mailTransport = {
        send: async (_id: string, mail: RenderedMail) => void caught.push(mail),
        close: () => undefined,
      };
      while ((await sendDueMails({ ...deps, mailTransport, leaseSeconds: 60 })).sent > 0);
      return caught;
    },
    async person(role = 'owner', org) {
      people += 1;
      const orgUuid = org ?? newUuid();
      const userUuid = newUuid();
      const email = `person${people}@example.com`;
      if (org === undefined)
        await db.query('insert into organizations (id, name) values ($1, $2)', [
          orgUuid,
          `Company ${people}`,
        ]);
      await db.query(
        'insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, $4, $5)',
        [userUuid, orgUuid, email, passwordDigest, role],
      );
      const response = await api.signIn(email).expect(200);
      const token = response.body.accessToken as string;
      const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string) =>
        request(server)[method](`/api/v1${path}`).set('Authorization', `Bearer ${token}`);
      return {
        orgId: encodeId('org', orgUuid),
        orgUuid,
        userId: encodeId('user', userUuid),
        userUuid,
        email,
        token,
        cookie: cookieOf(response)!,
        get: (path) => send('get', path),
        post: (path, body) => (body === undefined ? send('post', path) : send('post', path).send(body)),
        patch: (path, body) => send('patch', path).send(body),
        put: (path, body) => send('put', path).send(body),
        delete: (path) => send('delete', path),
      };
    },
    signIn: (email, password = PASSWORD, extra = {}, from = '198.51.100.7') =>
      request(server)
        .post('/api/v1/auth/sign-in')
        .set('X-Forwarded-For', from)
        .send({ email, password, ...extra }),
    accept: (token, fields = {}) =>
      request(server)
        .post('/api/v1/auth/accept-invitation')
        .send({ token, password: PASSWORD, ...fields }),
    async close() {
      server.close();
      server.closeAllConnections();
      await closeQueues(queues);
      redis.disconnect();
      await db.end();
      await testRedis.drop();
      await database.drop();
    },
  };
  return api;
}
