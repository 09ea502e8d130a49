/**
 * The application on a database and a Redis prefix of the test's own, with time and randomness in the test's hands. No
 * worker runs: a test mints and scores by calling the workers' own code.
 */
import { createTurns } from '../../shared/scans/turns.ts';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import request from 'supertest';
import { createApp, type App } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { createHttpServer } from '../../api/server.ts';
import { createApiKey } from '../../shared/api-keys/service.ts';
import { ALL_SCOPES, type Scope } from '../../shared/api-keys/scopes.ts';
import { createLinkSigner } from '../../shared/barcode-jobs/download-link.ts';
import { loadConfig, type Config } from '../../shared/config.ts';
import { createPool } from '../../shared/db.ts';
import { decodeId, encodeId, newUuid } from '../../shared/ids.ts';
import { createAccessTokens } from '../../shared/accounts/access-token.ts';
import { createLogger } from '../../shared/logger.ts';
import { createMetrics } from '../../shared/metrics.ts';
import { closeQueues, createQueues, createWaker } from '../../shared/queues.ts';
import { createRedis, untilReady } from '../../shared/redis.ts';
import { createRequestErrorLog } from '../../shared/request-errors/service.ts';
import { reviewLots } from '../../shared/scans/lot-review.ts';
import { scoreWaitingScans } from '../../shared/scans/scoring.ts';
import { createSites } from '../../shared/code-hosts/sites.ts';
import { createVerifier } from '../../shared/scans/verifier.ts';
import { createLocalStorage } from '../../shared/storage/local-storage.ts';
import { createSecretBox } from '../../shared/secret-box.ts';
import { createUrlVetting } from '../../shared/webhooks/url-vetting.ts';
import { deriveKey } from '../../shared/wiring.ts';
import type { WorkerDeps } from '../../workers/deps.ts';
import { mintBarcodes } from '../../workers/mint-barcodes/processor.ts';
import { TestClock } from './clock.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testPlaces } from './places.ts';
import { createTestRedis, type TestRedis } from './redis.ts';
import { makeScratch } from './scratch.ts';

const keyring = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

/** Secrets that must turn up nowhere. */
export const CANARY = {
  pepper: 'canary-pepper-3f9a1c7e55',
  operatorPassword: 'canary-operator-77d01b2c',
};

/** The operator's credentials as HTTP Basic. */
export const OPERATOR = `Basic ${Buffer.from(`operator:${CANARY.operatorPassword}`).toString('base64')}`;

/** An environment in which everything that is required is set. */
export const TEST_ENVIRONMENT: Record<string, string> = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost:1',
  PUBLIC_URL: 'https://verify.example.com',
  TOKEN_KEYS: keyring('t1', 1),
  SECRET_BOX_KEYS: keyring('s1', 2),
  JWT_KEYS: keyring('j1', 3),
  API_KEY_PEPPER: CANARY.pepper,
  OPERATOR_PASSWORD: CANARY.operatorPassword,
  // A test is the proxy before the application: it says where a visitor comes from.
  TRUST_PROXY: 'loopback',
  RATE_LIMIT_VERIFY_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  LOG_LEVEL: 'debug',
};

export interface TestUnit {
  id: string;
  uuid: string;
  serial: string;
  token: string;
  verifyUrl: string;
}

/** An organization, and requests with a key of its own. */
export interface TestOrganization {
  uuid: string;
  id: string;
  /** Of all scopes. */
  key: string;
  createKey(...scopes: Scope[]): Promise<string>;
  get(path: string): request.Test;
  post(path: string, body?: unknown): request.Test;
  patch(path: string, body: unknown): request.Test;
  delete(path: string): request.Test;
  /** Body of a new product with a SKU of its own. */
  createProduct(fields?: Record<string, unknown>): Promise<{ id: string } & Record<string, any>>;
  createBatch(fields?: Record<string, unknown>): Promise<{ id: string } & Record<string, any>>;
  startJob(batchId: string, fields?: Record<string, unknown>): Promise<{ id: string } & Record<string, any>>;
  /** A product, a batch and its units, minted by the worker's own code; active unless told otherwise. */
  mintUnits(
    quantity?: number,
    fields?: { product?: object; batch?: object; job?: object },
  ): Promise<{
    productId: string;
    batchId: string;
    jobId: string;
    units: TestUnit[];
  }>;
  createEndpoint(
    fields?: Record<string, unknown>,
  ): Promise<{ id: string; secret: string } & Record<string, any>>;
}

export interface TestApi {
  app: App;
  /** The same application, listening on loopback. */
  server: Server;
  deps: ApiDeps;
  workerDeps: WorkerDeps;
  clock: TestClock;
  database: TestDatabase;
  redis: TestRedis;
  /** Lines of the log so far, as text. */
  logs: string[];
  /** What a webhook's host resolves to; a public address at first. */
  addressesOfHosts: { current: string[] };
  http(): ReturnType<typeof request>;
  createOrganization(): Promise<TestOrganization>;
  /** Runs a job's chunks until none may be had. */
  runJob(jobId: string): Promise<void>;
  /** Scores all that waits. @returns how many scans. */
  score(): Promise<number>;
  verify(token: string, from?: string): request.Test;
  close(): Promise<void>;
}

export interface TestApiOptions {
  env?: Record<string, string>;
  /** Given to `loadConfig`'s result as they are. */
  config?: Partial<Config>;
  /** The application reaches Postgres through this port of loopback. */
  tunnelPort?: number;
  /** See `createPool`. */
  answerMs?: number;
  /** See `createPool`. */
  lockMs?: number;
  /** Instead of the real workers' wake-ups and so on. */
  deps?: Partial<ApiDeps>;
}

function through(port: number | undefined, databaseUrl: string): string {
  if (port === undefined) return databaseUrl;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}

/** Bytes that look random and are the same at each run. */
function seededRandom(): (bytes: number) => Buffer {
  let drawn = 0;
  return (bytes) => {
    drawn += 1;
    return createHash('shake256', { outputLength: bytes }).update(`draw ${drawn}`).digest();
  };
}

/** Call in `before`, and `close` in `after`. */
export async function createTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const testRedis = await createTestRedis();
  const scratch = makeScratch();
  const storageDir = path.join(scratch.folder, 'artifacts');
  mkdirSync(storageDir);
  const config: Config = {
    ...loadConfig({
      ...TEST_ENVIRONMENT,
      DATABASE_URL: through(options.tunnelPort, database.url),
      REDIS_URL: testRedis.url,
      STORAGE_DIR: storageDir,
      ...options.env,
    }),
    QUEUE_PREFIX: testRedis.prefix,
    ...options.config,
  };
  const logs: string[] = [];
  const log = createLogger('test', config.LOG_LEVEL, { write: (line: string) => void logs.push(line) });
  const clock = new TestClock();
  const db = createPool({
    databaseUrl: config.DATABASE_URL,
    max: config.DATABASE_POOL_MAX,
    applicationName: 'touchstone-test',
    answerMs: options.answerMs,
    lockMs: options.lockMs,
    onError: () => undefined,
  });
  const redis = createRedis(config, () => undefined);
  await untilReady(redis, 10_000);
  const queues = createQueues(redis, config.QUEUE_PREFIX);
  const addressesOfHosts = { current: ['93.184.215.14'] };
  const core = {
    config,
    clock,
    random: seededRandom(),
    log,
    db,
    redis,
    queues,
    waker: createWaker(queues, log),
    secretBox: createSecretBox(config.SECRET_BOX_KEYS),
    accessTokens: createAccessTokens(clock, config.JWT_KEYS, config.PUBLIC_URL),
    close: async () => undefined,
    ...options.deps,
  };
  const storage = createLocalStorage(config.STORAGE_DIR);
  const links = createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links'));
  const places = await testPlaces();
  const deps: ApiDeps = {
    ...core,
    storage,
    links,
    vetWebhookUrl: createUrlVetting({
      allowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
      resolve: async () => addressesOfHosts.current,
    }),
    unitTurns: createTurns(null),
    requestErrors: createRequestErrorLog(core),
    sites: createSites({ ...core, publicUrl: config.PUBLIC_URL, nowMs: () => clock.now().getTime() }),
    verifier: createVerifier({
      ...core,
      tokenKeys: config.TOKEN_KEYS,
      networkKey: deriveKey(config.API_KEY_PEPPER, 'networks'),
      places,
      sameScanMs: config.SCAN_SESSION_SECONDS * 1000,
    }),
    ...options.deps,
  };
  const workerDeps: WorkerDeps = {
    ...core,
    storage,
    links,
    sender: {
      userAgent: 'test',
      send: () => {
        throw new Error('this test sends nothing');
      },
      close: async () => undefined,
    },
    mailTransport: {
      send: () => {
        throw new Error('this test sends no mail');
      },
      close: () => undefined,
    },
    lookUpTxt: () => {
      throw new Error('this test looks nothing up');
    },
    providers: {
      discover: () => Promise.reject(new Error('this test has no provider')),
      identify: () => Promise.reject(new Error('this test has no provider')),
      close: async () => undefined,
    },
    randomUniform: () => 0.5,
    stopping: new AbortController().signal,
  };
  const app = createApp(deps, createMetrics('test'));
  const server = createHttpServer(app, deps.log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const api: TestApi = {
    app,
    server,
    deps,
    workerDeps,
    clock,
    database,
    redis: testRedis,
    logs,
    addressesOfHosts,
    http: () => request(server),
    createOrganization: () => createOrganization(api),
    async runJob(jobId) {
      const uuid = decodeId('job', jobId)!;
      const mint = mintBarcodes(workerDeps);
      for (let did = 'chunk'; did !== 'nothing';) ({ did } = await mint({ jobId: uuid, slot: 1 }));
    },
    async score() {
      let scans = 0;
      for (;;) {
        const batch = await scoreWaitingScans(workerDeps, 200);
        scans += batch.scans;
        if (batch.units === 0 && !(await reviewLots(workerDeps))) return scans;
      }
    },
    verify: (token, from = '192.0.2.1') =>
      request(server).get(`/v/${token}`).set('Accept', 'application/json').set('X-Forwarded-For', from),
    async close() {
      server.close();
      server.closeAllConnections();
      await closeQueues(queues);
      redis.disconnect();
      await db.end();
      await testRedis.drop();
      scratch.remove();
      await database.drop();
    },
  };
  return api;
}

let organizations = 0;

async function createOrganization(api: TestApi): Promise<TestOrganization> {
  const { deps, clock } = api;
  const uuid = newUuid();
  organizations += 1;
  let products = 0;
  await deps.db.query('insert into organizations (id, name, created_at) values ($1, $2, $3)', [
    uuid,
    `Organization ${organizations}`,
    clock.now(),
  ]);
  const createKey = async (...scopes: Scope[]): Promise<string> => {
    const { secret } = await createApiKey(
      { clock, random: deps.random, pepper: deps.config.API_KEY_PEPPER },
      deps.db,
      uuid,
      { name: 'test', scopes },
    );
    return secret;
  };
  const key = await createKey(...ALL_SCOPES);
  const post = (path: string, body?: unknown) => {
    const test = request(api.server).post(`/api/v1${path}`).set('X-Api-Key', key);
    return body === undefined ? test : test.send(body as object);
  };
  const create = async (path: string, body: object, status: number) =>
    (await post(path, body).expect(status)).body as { id: string; secret: string } & Record<string, any>;
  const org: TestOrganization = {
    uuid,
    id: encodeId('org', uuid),
    key,
    createKey,
    get: (path) => request(api.server).get(`/api/v1${path}`).set('X-Api-Key', key),
    post,
    patch: (path, body) =>
      request(api.server)
        .patch(`/api/v1${path}`)
        .set('X-Api-Key', key)
        .send(body as object),
    delete: (path) => request(api.server).delete(`/api/v1${path}`).set('X-Api-Key', key),
    createProduct: (fields = {}) => {
      products += 1;
      return create('/products', { name: 'Olive oil', sku: `SKU-${products}`, ...fields }, 201);
    },
    async createBatch(fields = {}) {
      const productId = fields['productId'] ?? (await org.createProduct()).id;
      return create('/batches', { quantity: 3, ...fields, productId }, 201);
    },
    startJob: (batchId, fields = {}) =>
      create(`/batches/${batchId}/barcode-jobs`, { scale: 1, ...fields }, 202),
    async mintUnits(quantity = 1, fields = {}) {
      const product = await org.createProduct(fields.product as Record<string, unknown>);
      const batch = await org.createBatch({ quantity, productId: product.id, ...fields.batch });
      const job = await org.startJob(batch.id, { activate: true, ...fields.job });
      await api.runJob(job.id);
      const { body } = await org.get(`/product-units?batchId=${batch.id}&limit=200`).expect(200);
      const units = (body.data as TestUnit[]).map((unit) => ({
        ...unit,
        uuid: decodeId('unit', unit.id)!,
      }));
      return { productId: product.id, batchId: batch.id, jobId: job.id, units: units.reverse() };
    },
    createEndpoint: (fields = {}) =>
      create('/webhook-endpoints', { url: 'https://hooks.example.com/in', events: ['*'], ...fields }, 201),
  };
  return org;
}

/**
 * Rows of every table, to see that nothing changed. Bodies of idempotency keys and counters included; the log of requests in
 * error, which a refusal is written to a little later, is not.
 */
export async function countRows(database: TestDatabase): Promise<Record<string, number>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
        and relname <> 'request_errors' order by 1`,
  );
  const { rows } = await database.pool.query<{ counts: Record<string, number> }>(
    `select json_object_agg(name, n) as counts
       from (${tables.map(({ name }) => `select '${name}' as name, count(*) as n from ${name}`).join(' union all ')}) t`,
  );
  return rows[0]!.counts;
}

/** Rows of one table, whole, as text: to see that not a byte of them changed. */
export async function dumpTable(database: TestDatabase, table: string): Promise<string> {
  const { rows } = await database.pool.query<{ dump: string | null }>(
    `select string_agg(t::text, E'\\n' order by t::text) as dump from ${table} t`,
  );
  return rows[0]!.dump ?? '';
}
