/**
 * What reading the roll-ups costs, at 1M scans and at 10M: p95 of each endpoint over HTTP; and how fast deltas are folded.
 * Endpoints read roll-ups alone, so no raw scans are stored: see `support/analytics-history.ts`.
 * Options: `--scans N` (10,000,000), `--requests N` per endpoint (20).
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import express from 'express';
import { analyticsOperations } from '../api/analytics/routes.ts';
import type { ApiDeps } from '../api/deps.ts';
import { mountOperations } from '../api/mount.ts';
import { isPublic } from '../api/operation.ts';
import { numberOf } from './lib/options.ts';
import { ownServices } from './lib/surroundings.ts';
import type { KeyActor } from '../shared/actor.ts';
import { foldDeltas } from '../shared/analytics/delta-repository.ts';
import { countScans, type CountedScan } from '../shared/analytics/service.ts';
import { loadConfig } from '../shared/config.ts';
import type { Db } from '../shared/db.ts';
import { newUuid } from '../shared/ids.ts';
import { createCore } from '../shared/wiring.ts';
import {
  createOrganization,
  fillHistory,
  FROM,
  PRODUCTS,
  TO,
  type Filled,
} from './support/analytics-history.ts';

const MONTH = 'from=2026-08-01T00:00:00Z&to=2026-09-01T00:00:00Z';

const RANGE = `from=${FROM}&to=${TO}`;
const ENDPOINTS: Record<string, string> = {
  summary: `summary?${RANGE}`,
  'hours by result': `timeseries?${MONTH}&interval=hour&by=result`,
  'hours by product': `timeseries?${MONTH}&interval=hour&by=product`,
  'hours by country': `timeseries?${MONTH}&interval=hour&by=country`,
  'days by result': `timeseries?${RANGE}&interval=day&by=result&timeZone=Europe/Berlin`,
  'days by product': `timeseries?${RANGE}&interval=day&by=product&timeZone=Europe/Berlin`,
  'days in Kolkata': `timeseries?${RANGE}&interval=day&by=country&timeZone=Asia/Kolkata`,
  'days by country': `timeseries?${RANGE}&interval=day&by=country&timeZone=Europe/Berlin`,
  'weeks by country': `timeseries?${RANGE}&interval=week&by=country`,
  'weeks by product': `timeseries?${RANGE}&interval=week&by=product&timeZone=Europe/Berlin`,
  'map by country': `map?${RANGE}&by=country`,
  'map by cell': `map?${RANGE}&by=cell`,
  funnel: `funnel?${RANGE}`,
};

const ring = () => `k1:${randomBytes(32).toString('base64')}`;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { scans: { type: 'string', default: '10000000' }, requests: { type: 'string', default: '20' } },
  });
  const scans = numberOf('--scans', values.scans);
  const requests = numberOf('--requests', values.requests);
  const services = await ownServices();
  try {
    const filled = await fillHistory(services.databaseUrl, [Math.round(scans / 10), scans]);
    const config = loadConfig({
      NODE_ENV: 'test',
      DATABASE_URL: services.databaseUrl,
      REDIS_URL: services.redisUrl,
      TOKEN_KEYS: ring(),
      SECRET_BOX_KEYS: ring(),
      JWT_KEYS: ring(),
      API_KEY_PEPPER: randomBytes(32).toString('base64'),
      OPERATOR_PASSWORD: randomBytes(18).toString('base64'),
      LOG_LEVEL: 'silent',
    });
    const core = await createCore(config, 'bench');
    try {
      const [small, large] = filled;
      return await measure(core as ApiDeps, core.db, { small: small!, large: large! }, requests);
    } finally {
      await core.close();
    }
  } finally {
    await services.stop();
  }
}

const names = (small: number, scans: number) => `at ${small} scans, and at ${scans}`;

async function measure(
  deps: ApiDeps,
  db: Db,
  { small, large }: Record<'small' | 'large', Filled>,
  requests: number,
): Promise<Record<string, unknown>> {
  const times = await readAll(await serve(deps, small.orgId), requests);
  const tenTimes = await readAll(await serve(deps, large.orgId), requests);
  const rollUp = await foldRate(db);
  console.log(`p95 in ms ${names(small.scans, large.scans)}:`);
  const endpoints = Object.fromEntries(
    Object.keys(ENDPOINTS).map((name) => {
      const [before, after] = [times[name]!, tenTimes[name]!];
      const ratio = Number((after / before).toFixed(2));
      console.log(
        `${name.padEnd(22)} ${before.toFixed(1).padStart(8)} ${after.toFixed(1).padStart(8)}  x ${ratio}`,
      );
      return [name, { p95_ms_small: before, p95_ms: after, ratio }];
    }),
  );
  const all = Object.values(endpoints);
  console.log(`roll-up: ${rollUp} scans/s`);
  return {
    scans: large.scans,
    endpoints,
    worst_p95_ms: Math.max(...all.map((one) => one.p95_ms)),
    worst_ratio: Math.max(...all.map((one) => one.ratio)),
    roll_up_scans_per_s: rollUp,
  };
}

interface Server {
  origin: string;
  close(): Promise<void>;
}

/** The analytics endpoints, for one organization, without a credential. */
async function serve(deps: ApiDeps, orgId: string): Promise<Server> {
  const actor: KeyActor = { kind: 'key', orgId, keyId: newUuid(), name: 'bench', scopes: new Set() };
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  const open = analyticsOperations.map((operation) => ({
    ...operation,
    access: isPublic,
    handle: (context: Parameters<typeof operation.handle>[0]) => operation.handle({ ...context, actor }),
  }));
  mountOperations(app, deps, open, () => Promise.resolve(actor));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @returns p95 by endpoint, in milliseconds. */
async function readAll(server: Server, requests: number): Promise<Record<string, number>> {
  const p95: Record<string, number> = {};
  for (const [name, path] of Object.entries(ENDPOINTS)) {
    const times: number[] = [];
    for (let i = 0; i < requests + 2; i += 1) {
      const started = performance.now();
      const response = await fetch(`${server.origin}/api/v1/analytics/${path}`);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text.slice(0, 200)}`);
      // The first two plan the statement and warm the cache.
      if (i >= 2) times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    p95[name] = Number(times[Math.ceil(times.length * 0.95) - 1]!.toFixed(1));
  }
  await server.close();
  return p95;
}

const SCANS = 50_000;
const AT_A_TIME = 200;

/** Scans as scoring counts them, folded as the worker does it. @returns scans per second of folding. */
async function foldRate(db: Db): Promise<number> {
  const { orgId, products } = await createOrganization(db);
  const now = Date.parse(TO);
  for (let done = 0; done < SCANS; done += AT_A_TIME) {
    const scans = Array.from({ length: AT_A_TIME }, (_, i): CountedScan => {
      const n = done + i;
      return {
        orgId,
        productId: products[n % PRODUCTS]!,
        at: new Date(now + n * 0.2),
        result: 'genuine',
        country: n % 3 === 0 ? 'DE' : 'FR',
        lat: 40 + (n % 20),
        lon: n % 30,
      };
    });
    await countScans(db, scans);
  }
  const started = performance.now();
  while ((await foldDeltas(db, 20_000)) > 0);
  return Math.round((SCANS * 1000) / (performance.now() - started));
}
