/**
 * What authenticating an API key costs: `GET /api/v1/products` as it is, and the same handler mounted without a credential, in
 * turns within one run. Counts the statements of authentication as well.
 * Options: `--seconds N` per measurement (2), `--rounds N` (7), `--connections N` (50).
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { parseArgs, promisify } from 'node:util';
import express from 'express';
import type { ApiDeps } from '../api/deps.ts';
import { createAuthenticate } from '../api/middleware/authenticate.ts';
import { requestId } from '../api/middleware/request-id.ts';
import { mountOperations } from '../api/mount.ts';
import { isPublic, type Operation } from '../api/operation.ts';
import { productOperations } from '../api/products/routes.ts';
import { numberOf } from './lib/options.ts';
import { ownServices } from './lib/surroundings.ts';
import type { KeyActor } from '../shared/actor.ts';
import { createApiKey } from '../shared/api-keys/service.ts';
import { loadConfig } from '../shared/config.ts';
import { newUuid } from '../shared/ids.ts';
import { migrateToLatest } from '../shared/migrate.ts';
import { createProduct } from '../shared/products/service.ts';
import { createCore } from '../shared/wiring.ts';

const PRODUCTS = 20;
/** Of the same route's requests per second; from the project's requirements. */
const CEILING_LOSS = 0.15;

const ring = () => `k1:${randomBytes(32).toString('base64')}`;

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '7' },
      connections: { type: 'string', default: '50' },
    },
  });
  const load = {
    seconds: numberOf('--seconds', values.seconds),
    rounds: numberOf('--rounds', values.rounds),
    connections: numberOf('--connections', values.connections),
  };
  const services = await ownServices(console.log);
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
      RATE_LIMIT_API_PER_MINUTE: '10000000',
      LOG_LEVEL: 'silent',
    });
    const core = await createCore(config, 'bench');
    try {
      return await measure(core as ApiDeps, load);
    } finally {
      await core.close();
    }
  } finally {
    await services.stop();
  }
}

interface Load {
  seconds: number;
  rounds: number;
  connections: number;
}

async function measure(deps: ApiDeps, load: Load): Promise<Record<string, unknown>> {
  const orgId = newUuid();
  await deps.db.query(`insert into organizations (id, name) values ($1, 'Bench')`, [orgId]);
  const fields = {
    brand: null,
    description: null,
    imageUrl: null,
    gtin: null,
    markets: [],
    attributes: {},
    links: [],
  };
  for (let i = 0; i < PRODUCTS; i++)
    await createProduct(deps, deps.db, orgId, { ...fields, name: `Product ${i}`, sku: `SKU-${i}` });
  const { id: keyId, secret } = await createApiKey(
    { clock: deps.clock, random: randomBytes, pepper: deps.config.API_KEY_PEPPER },
    deps.db,
    orgId,
    { name: 'bench', scopes: ['products.read'] },
  );
  const actor: KeyActor = { kind: 'key', orgId, keyId, name: 'bench', scopes: new Set(['products.read']) };
  const list = productOperations.find(({ operationId }) => operationId === 'listProducts')!;
  const open: Operation = {
    ...list,
    path: '/open/products',
    access: isPublic,
    handle: (context) => list.handle({ ...context, actor }),
  };
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(requestId);
  mountOperations(app, deps, [list, open], createAuthenticate(deps));
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const figures = { withoutKey: [] as number[], withKey: [] as number[] };
  // Of this process alone: steadier than requests per second on a machine that others use.
  const cpuMicros = { withoutKey: [] as number[], withKey: [] as number[] };
  const measured = async (name: keyof typeof figures, url: string, key?: string): Promise<void> => {
    const before = process.cpuUsage();
    const rate = await shoot(url, load, key);
    const { user, system } = process.cpuUsage(before);
    figures[name].push(rate);
    cpuMicros[name].push((user + system) / (rate * load.seconds));
  };
  const plain = () => measured('withoutKey', `${base}${open.path}`);
  const keyed = () => measured('withKey', `${base}${list.path}`, secret);
  try {
    // The first use of the key is noted, once in five minutes.
    await (await fetch(`${base}${list.path}`, { headers: { 'X-Api-Key': secret } })).arrayBuffer();
    const statements = await countStatements(deps, `${base}${list.path}`, secret);
    await shoot(`${base}${open.path}`, { ...load, seconds: 1 });
    await shoot(`${base}${list.path}`, { ...load, seconds: 1 }, secret);
    for (let round = 0; round < load.rounds; round++) {
      // Which goes first changes, so that a machine that grows slower or faster favours neither.
      for (const turn of round % 2 === 0 ? [plain, keyed] : [keyed, plain]) await turn();
    }
    // The last ones of a load are still under way when it ends; these queue behind them.
    for (const path of [open.path, list.path])
      await (await fetch(`${base}${path}`, { headers: { 'X-Api-Key': secret } })).arrayBuffer();
    const withoutKey = Math.round(median(figures.withoutKey));
    const withKey = Math.round(median(figures.withKey));
    const loss = 1 - median(figures.withKey.map((rate, i) => rate / figures.withoutKey[i]!));
    console.log(
      `${list.path}: ${withoutKey} requests/s without a key, ${withKey} with one: ${(loss * 100).toFixed(1)}% less`,
    );
    return {
      requestsPerSecondWithoutKey: withoutKey,
      requestsPerSecondWithKey: withKey,
      loss: Number(loss.toFixed(3)),
      ceilingLoss: CEILING_LOSS,
      statementsOfAuthentication: statements,
      cpuMicrosPerRequest: {
        withoutKey: Math.round(median(cpuMicros.withoutKey)),
        withKey: Math.round(median(cpuMicros.withKey)),
      },
      rounds: figures,
    };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Requests per second from a process of its own. @throws where an answer is not 200. */
async function shoot(url: string, { seconds, connections }: Load, key?: string): Promise<number> {
  const program = createRequire(import.meta.url).resolve('autocannon');
  const headers = key === undefined ? [] : ['-H', `X-Api-Key=${key}`];
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    '-c',
    String(connections),
    '-d',
    String(seconds),
    '-j',
    ...headers,
    url,
  ]);
  const result = JSON.parse(stdout) as {
    requests: { total: number };
    duration: number;
    non2xx: number;
    errors: number;
  };
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.total / result.duration;
}

/** Statements of one request by itself, less the one of the handler. */
async function countStatements(deps: ApiDeps, url: string, key: string): Promise<number> {
  const original = deps.db.query;
  let statements = 0;
  deps.db.query = function counted(this: unknown, ...args: unknown[]) {
    statements += 1;
    return (original as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof original;
  try {
    await (await fetch(url, { headers: { 'X-Api-Key': key } })).arrayBuffer();
    return statements - 1;
  } finally {
    deps.db.query = original;
  }
}
