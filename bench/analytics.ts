/**
 * What reading the roll-ups costs, at 1M scans and at 10M: p95 of each endpoint over HTTP; and how fast deltas are folded.
 * Deltas are made by one statement, grouped as scoring groups them, and folded by the worker's own statement.
 * Options: `--scans N` (10,000,000), `--requests N` per endpoint (20).
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import express from 'express';
import { Pool } from 'pg';
import { analyticsOperations } from '../api/analytics/routes.ts';
import type { ApiDeps } from '../api/deps.ts';
import { mountOperations } from '../api/mount.ts';
import { isPublic } from '../api/operation.ts';
import { startServices } from '../launcher/services.ts';
import type { KeyActor } from '../shared/actor.ts';
import { foldDeltas } from '../shared/analytics/delta-repository.ts';
import { countScans, type CountedScan } from '../shared/analytics/service.ts';
import { loadConfig } from '../shared/config.ts';
import type { Db } from '../shared/db.ts';
import { newUuid } from '../shared/ids.ts';
import { migrateToLatest } from '../shared/migrate.ts';
import { createCore } from '../shared/wiring.ts';

const PRODUCTS = 50;
const COUNTRIES = 40;
const CELLS = 1_500;
const DAYS = 90;
const FROM = '2026-07-01T00:00:00Z';
const TO = '2026-09-29T00:00:00Z';
const MONTH = 'from=2026-08-01T00:00:00Z&to=2026-09-01T00:00:00Z';
const FOLD = 200_000;

const RANGE = `from=${FROM}&to=${TO}`;
const ENDPOINTS: Record<string, string> = {
  summary: `summary?${RANGE}`,
  'hours by result': `timeseries?${MONTH}&interval=hour&by=result`,
  'hours by product': `timeseries?${MONTH}&interval=hour&by=product`,
  'hours by country': `timeseries?${MONTH}&interval=hour&by=country`,
  'days by result': `timeseries?${RANGE}&interval=day&by=result&timeZone=Europe/Berlin`,
  'days by product': `timeseries?${RANGE}&interval=day&by=product&timeZone=Europe/Berlin`,
  'days by country': `timeseries?${RANGE}&interval=day&by=country&timeZone=Europe/Berlin`,
  'weeks by country': `timeseries?${RANGE}&interval=week&by=country`,
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
  const services = await startServices({ dataDir: '', ephemeral: true, log: () => undefined, env: {} });
  try {
    await migrateToLatest(services.databaseUrl);
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
    // Filling takes longer than the service lets a statement run.
    const filler = new Pool({ connectionString: services.databaseUrl, max: 1 });
    try {
      return await measure(core as ApiDeps, filler, Number(values.scans), Number(values.requests));
    } finally {
      await filler.end();
      await core.close();
    }
  } finally {
    await services.stop();
  }
}

async function measure(
  deps: ApiDeps,
  db: Db,
  scans: number,
  requests: number,
): Promise<Record<string, unknown>> {
  const orgId = newUuid();
  await db.query(`insert into organizations (id, name) values ($1, 'Bench')`, [orgId]);
  const products = Array.from({ length: PRODUCTS }, newUuid);
  await db.query(
    `insert into products (id, org_id, name, sku) select id, $2, 'Product ' || n, 'sku-' || n
       from unnest($1::uuid[]) with ordinality as t (id, n)`,
    [products, orgId],
  );
  const reader = await serve(deps, orgId);
  try {
    const first = Math.round(scans / 10);
    await fill(db, orgId, products, first);
    const small = await readAll(reader.origin, requests);
    await fill(db, orgId, products, scans - first);
    const large = await readAll(reader.origin, requests);
    const rollUp = await foldRate(db, orgId, products);
    const endpoints = Object.fromEntries(
      Object.keys(ENDPOINTS).map((name) => {
        const [at, tenTimes] = [small[name]!, large[name]!];
        console.log(`${name.padEnd(18)} p95 ${at} ms at ${first} scans, ${tenTimes} ms at ${scans}`);
        return [name, { p95_ms_small: at, p95_ms: tenTimes, ratio: Number((tenTimes / at).toFixed(2)) }];
      }),
    );
    console.log(`roll-up: ${rollUp} scans/s`);
    return { scans, endpoints, roll_up_scans_per_s: rollUp };
  } finally {
    await reader.close();
  }
}

/** The analytics endpoints, for one organization, without a credential. */
async function serve(deps: ApiDeps, orgId: string): Promise<{ origin: string; close(): Promise<void> }> {
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

/**
 * Few products, countries and cells have most of the scans, as it is everywhere. A day at a time: its deltas, one for each
 * scan, are made by one statement and folded by the worker's own.
 * @returns seconds spent folding
 */
async function fill(db: Db, orgId: string, products: readonly string[], scans: number): Promise<number> {
  const started = performance.now();
  let folding = 0;
  await db.query('select setseed(0.5)');
  for (let day = 0; day < DAYS; day += 1) {
    const count = Math.floor((scans * (day + 1)) / DAYS) - Math.floor((scans * day) / DAYS);
    await db.query(
      `insert into analytics_deltas (org_id, product_id, quarter, kind, result, country, cell, amount)
       select $1::uuid, ($2::uuid[])[1 + floor($3::integer * power(a, 2))::integer], date_bin('15 minutes', $4::timestamptz + (t + $5::integer) * interval '1 day', '2000-01-01Z'),
              'scan', case when r < 0.95 then 'genuine' when r < 0.98 then 'suspicious' else 'diverted' end,
              chr(65 + floor($6::integer * power(c, 3))::integer % 26) || chr(65 + floor($6::integer * power(c, 3))::integer / 26),
              (30000 + floor($7::integer * power(c, 3)))::integer, 1
         from (select random() as a, random() as t, random() as r, random() as c from generate_series(1, $8::integer)) as s`,
      [orgId, products, PRODUCTS, FROM, day, COUNTRIES, CELLS, count],
    );
    const before = performance.now();
    while ((await foldDeltas(db, FOLD)) > 0);
    folding += performance.now() - before;
    if (day % 10 === 9) await db.query('vacuum analyze');
  }
  await db.query('vacuum analyze');
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${scans} scans made and folded in ${seconds.toFixed(0)} s, folding ${(folding / 1000).toFixed(0)} s`,
  );
  return folding / 1000;
}

/** @returns p95 by endpoint, in milliseconds. */
async function readAll(origin: string, requests: number): Promise<Record<string, number>> {
  const p95: Record<string, number> = {};
  for (const [name, path] of Object.entries(ENDPOINTS)) {
    const times: number[] = [];
    for (let i = 0; i < requests + 2; i += 1) {
      const started = performance.now();
      const response = await fetch(`${origin}/api/v1/analytics/${path}`);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text.slice(0, 200)}`);
      // The first two plan the statement and warm the cache.
      if (i >= 2) times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    p95[name] = Number(times[Math.ceil(times.length * 0.95) - 1]!.toFixed(1));
  }
  return p95;
}

const SCANS = 50_000;
const AT_A_TIME = 200;

/** Scans as scoring counts them, folded as the worker does it. @returns scans per second of folding. */
async function foldRate(db: Db, orgId: string, products: readonly string[]): Promise<number> {
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
