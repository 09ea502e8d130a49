/** The real app and the real scoring over a database of their own, with time, places and wake-ups in the test's hand. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { createApp } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { createHttpServer } from '../../api/server.ts';
import { createLinkSigner } from '../../shared/barcode-jobs/download-link.ts';
import { createApiKey } from '../../shared/api-keys/service.ts';
import { ALL_SCOPES, type Scope } from '../../shared/api-keys/scopes.ts';
import { loadConfig, type Config } from '../../shared/config.ts';
import { hiddenCodeOf } from '../../shared/hidden-codes/hidden-code.ts';
import { newUuid } from '../../shared/ids.ts';
import { createMetrics } from '../../shared/metrics.ts';
import { tagKeysOf } from '../../shared/nfc/tag-keys.ts';
import type { Place } from '../../shared/places/places.ts';
import type { Waker } from '../../shared/queues.ts';
import { createRequestErrorLog } from '../../shared/request-errors/service.ts';
import { createSites } from '../../shared/code-hosts/sites.ts';
import { createVerifier } from '../../shared/scans/verifier.ts';
import { scoreWaitingScans } from '../../shared/scans/scoring.ts';
import { createLocalStorage } from '../../shared/storage/local-storage.ts';
import { mintTokens } from '../../shared/units/token.ts';
import { createUrlVetting } from '../../shared/webhooks/url-vetting.ts';
import { createCore } from '../../shared/wiring.ts';
import { createTurns } from '../../shared/scans/turns.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTag, type TestTag } from './nfc-tag.ts';
import { testServices } from './services.ts';

/** By the first number of the address: nobody's real one. */
const PLACES: Record<string, Place> = {
  '198.51': { country: 'DE', lat: 52.5, lon: 13.4, accuracyKm: 16, source: 'ip-fixed' },
  '203.0': { country: 'JP', lat: 35.7, lon: 139.7, accuracyKm: 16, source: 'ip-fixed' },
  '100.20': { country: 'DE', lat: 49.23, lon: 7.0, accuracyKm: 200, source: 'ip' },
  '192.0': { country: 'BR', lat: -23.5, lon: -46.6, accuracyKm: 16, source: 'ip-fixed' },
};

export interface MintedUnit {
  token: string;
  code: Buffer;
  unitId: string;
  productId: string;
  serial: string;
  hiddenCode: string;
  /** The tag on its package, as an encoder writes it. */
  tag: TestTag;
}

export interface UnitOptions {
  gtin?: string;
  serial?: string;
  lot?: string;
  markets?: string[];
  status?: 'minted' | 'active';
  /** Whether its package has a code below a layer. */
  hiddenCode?: boolean;
  /** Whether its package has an NFC tag. */
  nfcTag?: boolean;
}

export interface Stand {
  origin: string;
  database: TestDatabase;
  deps: ApiDeps;
  orgId: string;
  /** Another process's worth of the application, on the same database and Redis. @returns its origin */
  serveBeside(): Promise<string>;
  /** A key with every scope. */
  apiKey: string;
  /** What was woken, in order. */
  woken: string[];
  now(): Date;
  advance(ms: number): void;
  /** Back to the present: ids are made from the real time. */
  resetClock(): void;
  mintUnit(options?: UnitOptions): Promise<MintedUnit>;
  /** Scores whatever waits. @returns how many scans. */
  score(): Promise<number>;
  /** @returns a further key of the organization. */
  createKey(...scopes: Scope[]): Promise<string>;
  /** JSON request with the key of all scopes, or another; @returns status and body. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; body: any }>;
  close(): Promise<void>;
}

/** Of a visitor of the page, over plain HTTP. */
export const newCookie = () => `visit=${randomBytes(16).toString('base64url')}`;

/** Adds a visitor's own position to the scan that a page was made for, as the page's script does. @returns the answer's status */
export async function addPosition(
  { origin }: Pick<Stand, 'origin'>,
  token: string,
  page: string,
  position: { lat: number; lon: number; accuracyM: number },
): Promise<number> {
  const nonce = /data-nonce="([^"]+)"/.exec(page)![1];
  const { status } = await fetch(`${origin}/v/${token}/position`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nonce, ...position }),
  });
  return status;
}

const key32 = () => `k1:${randomBytes(32).toString('base64')}`;

export async function startStand(settings: Partial<Record<keyof Config, string>> = {}): Promise<Stand> {
  const { redisUrl } = await testServices();
  const database = await createTestDatabase();
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'silent',
    TOKEN_KEYS: key32(),
    SECRET_BOX_KEYS: key32(),
    JWT_KEYS: key32(),
    API_KEY_PEPPER: randomBytes(16).toString('hex'),
    OPERATOR_PASSWORD: randomBytes(16).toString('hex'),
    QUEUE_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    TRUST_PROXY: '1',
    RATE_LIMIT_VERIFY_PER_MINUTE: '1000000',
    ...settings,
  });
  const core = await createCore(config, 'test');
  const present = () => new Date(Math.floor(Date.now() / 1000) * 1000);
  let now = present();
  const clock = { now: () => now };
  const woken: string[] = [];
  const waker = new Proxy({} as Waker, {
    get: (_target, name) => async () => {
      woken.push(String(name));
    },
  });
  const newVerifier = () =>
    createVerifier({
      ...core,
      clock,
      waker,
      tokenKeys: config.TOKEN_KEYS,
      networkKey: Buffer.alloc(32, 3),
      places: { locate: (ip) => PLACES[ip.split('.').slice(0, 2).join('.')] ?? null },
      sameScanMs: config.SCAN_SESSION_SECONDS * 1000,
      turns: createTurns({ redis: core.redis, prefix: config.QUEUE_PREFIX }),
    });
  const deps: ApiDeps = {
    ...core,
    clock,
    waker,
    storage: createLocalStorage(config.STORAGE_DIR),
    links: createLinkSigner(config.PUBLIC_URL, Buffer.alloc(32, 1)),
    vetWebhookUrl: createUrlVetting({ allowedCidrs: [], resolve: async () => [] }),
    unitTurns: createTurns(null),
    requestErrors: createRequestErrorLog({ ...core, clock }),
    sites: createSites({ ...core, publicUrl: config.PUBLIC_URL, nowMs: () => clock.now().getTime() }),
    verifier: newVerifier(),
  };
  const servers: Server[] = [];
  const serve = async (of: ApiDeps) => {
    const server = createHttpServer(createApp(of, createMetrics('test')), of.log).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const origin = await serve(deps);

  const orgId = newUuid();
  await database.pool.query('insert into organizations (id, name) values ($1, $2)', [orgId, 'Olivaia']);
  const createKey = async (...scopes: Scope[]) => {
    const keyDeps = { clock, random: randomBytes, pepper: config.API_KEY_PEPPER };
    return (await createApiKey(keyDeps, database.pool, orgId, { name: 'test', scopes })).secret;
  };
  const secret = await createKey(...ALL_SCOPES);

  return {
    origin,
    database,
    deps,
    orgId,
    serveBeside: () => serve({ ...deps, verifier: newVerifier() }),
    apiKey: secret,
    woken,
    now: () => now,
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
    resetClock: () => {
      now = present();
    },
    mintUnit: (options = {}) => mintUnit(database, config, orgId, now, options),
    async score() {
      let scans = 0;
      for (;;) {
        const batch = await scoreWaitingScans({ ...core, clock, waker }, 100);
        scans += batch.scans;
        if (batch.units === 0) return scans;
      }
    },
    createKey,
    async call(method, path, body, key = secret) {
      const response = await fetch(origin + path, {
        method,
        headers: {
          'x-api-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
    async close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      }
      await core.close();
      await database.drop();
    },
  };
}

async function mintUnit(
  { pool }: TestDatabase,
  config: Config,
  orgId: string,
  now: Date,
  { gtin, serial, lot, markets = [], status = 'active', hiddenCode = false, nfcTag = false }: UnitOptions,
): Promise<MintedUnit> {
  const { token, code, keyId } = mintTokens(config.TOKEN_KEYS, 1, randomBytes)[0]!;
  const [productId, batchId, unitId] = [newUuid(), newUuid(), newUuid()];
  const ownSerial = serial ?? randomBytes(6).toString('hex');
  await pool.query(
    'insert into products (id, org_id, name, sku, gtin, brand, markets) values ($1, $2, $3, $4, $5, $6, $7)',
    [productId, orgId, 'Olive Oil', productId, gtin ?? null, 'Olivaia', markets],
  );
  await pool.query(
    'insert into batches (id, org_id, product_id, quantity, lot, hidden_codes, nfc_tags) values ($1, $2, $3, 1, $4, $5, $6)',
    [batchId, orgId, productId, lot ?? null, hiddenCode, nfcTag],
  );
  await pool.query(
    `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status, activated_at)
     values ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9)`,
    [unitId, orgId, batchId, productId, ownSerial, code, keyId, status, status === 'active' ? now : null],
  );
  return {
    token,
    code,
    unitId,
    productId,
    serial: ownSerial,
    hiddenCode: hiddenCodeOf(config.TOKEN_KEYS, code, keyId),
    tag: createTag(tagKeysOf(config.TOKEN_KEYS, code, keyId).read),
  };
}
