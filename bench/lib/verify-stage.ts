/** The stage of the benchmark of verification: services with durable settings, units, and the processes under test. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCertificateAuthority } from '../../launcher/tls.ts';
import { copyUnits } from '../../shared/barcode-jobs/chunk-repository.ts';
import { loadConfig, type Config } from '../../shared/config.ts';
import { createPool, withTransaction, type Pool } from '../../shared/db.ts';
import { newUuid } from '../../shared/ids.ts';
import { migrateToLatest } from '../../shared/migrate.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { createSecretBox } from '../../shared/secret-box.ts';
import { createEndpoint, vetNewUrl } from '../../shared/webhooks/service.ts';
import { createUrlVetting } from '../../shared/webhooks/url-vetting.ts';
import { mintTokens } from '../../shared/units/token.ts';
import { atEnd, endProcess, ownServices, temporaryFolder, undoAll } from './surroundings.ts';

export interface StageUnit {
  unitId: string;
  productId: string;
  batchId: string;
}

export interface Stage {
  pool: Pool;
  orgId: string;
  /** Token of the n-th unit. */
  tokenOf(n: number): string;
  /** A token with a genuine tag that is no unit's. */
  tokenOfNobody(): string;
  unit(n: number): StageUnit;
  webPort: number;
  helloPort: number;
  startWorkers(): void;
  stopWorkers(): Promise<void>;
  /** Scores whatever waits in one process. @returns scans per second. */
  scoreAll(): Promise<number>;
  close(): Promise<void>;
}

const COPY_BATCH = 20_000;
const PRODUCTS = 20;
/** The addresses that the benchmark scans from are of Europe, for the most part. */
const MARKETS =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL NO PL PT RO RU SE SI SK TR UA'.split(
    ' ',
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** As installed: what is built, without a loader. Its helpers cost the hot paths a tenth. */
function run(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  stdout: 'pipe' | 'ignore',
  flags: string[] = [],
): ChildProcess {
  const child = spawn(process.execPath, [...flags, join(packageRoot, 'dist', file), ...args], {
    cwd: packageRoot,
    env: { ...process.env, ...env },
    stdio: ['pipe', stdout, 'inherit'],
  });
  atEnd(() => endProcess(child));
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return line;
}

/**
 * BENCH_NODE holds options of node for the web process (`BENCH_NODE='--cpu-prof --cpu-prof-dir=profiles'`).
 * @param units how many; written by COPY, as minting writes them.
 */
export async function setStage(units: number): Promise<Stage> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: packageRoot, stdio: 'inherit' });
  const folder = temporaryFolder();
  chmodSync(folder, 0o711);
  const services = await ownServices(console.log, join(folder, 'data'));
  const webPort = await freePort();
  const authority = createCertificateAuthority('Touchstone benchmark CA');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  chmodSync(folder, 0o711);
  const key = () => `k1:${randomBytes(32).toString('base64')}`;
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    PORT: String(webPort),
    PUBLIC_URL: 'https://verify.example.com',
    TRUST_PROXY: 'loopback',
    TOKEN_KEYS: key(),
    SECRET_BOX_KEYS: key(),
    JWT_KEYS: key(),
    API_KEY_PEPPER: randomBytes(16).toString('hex'),
    OPERATOR_PASSWORD: randomBytes(16).toString('hex'),
    STORAGE_DIR: join(folder, 'artifacts'),
    RATE_LIMIT_VERIFY_PER_MINUTE: '1000000',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: caFile,
  };
  const config = loadConfig(env);
  await migrateToLatest(services.databaseUrl);
  const pool = createPool({
    databaseUrl: services.databaseUrl,
    max: 6,
    applicationName: 'bench',
    onError: () => undefined,
  });
  atEnd(() => pool.end());
  const minted = await mintUnits(pool, config, units);

  const hello = run('bench/support/hello-server.js', [], {}, 'pipe');
  const { certPem, keyPem } = authority.certFor(['localhost']);
  const receiver = run('bench/support/https-receiver.js', [certPem, keyPem], {}, 'pipe');
  const [helloPort, receiverPort] = [Number(await nextLine(hello)), Number(await nextLine(receiver))];
  const vetWebhookUrl = createUrlVetting({
    allowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
    resolve: async () => ['127.0.0.1'],
  });
  const hook = `https://localhost:${receiverPort}/hooks`;
  const url = await vetNewUrl({ vetWebhookUrl }, pool, minted.orgId, hook);
  await withTransaction(pool, (uow) =>
    createEndpoint(
      {
        clock: { now: () => new Date() },
        random: randomBytes,
        secretBox: createSecretBox(config.SECRET_BOX_KEYS),
      },
      uow.db,
      minted.orgId,
      { url, events: ['*'], description: null },
    ),
  );
  // As the Procfile starts it.
  const flags = ['--max-semi-space-size=64', ...(process.env['BENCH_NODE'] ?? '').split(' ').filter(Boolean)];
  run('api/main.js', [], env, 'ignore', flags);
  let workers: ChildProcess[] = [];
  const scoring = run('bench/support/scoring-process.js', [], env, 'pipe');
  const scored = createInterface(scoring.stdout!);
  await untilReady(webPort);

  return {
    pool,
    ...minted,
    tokenOfNobody: () => mintTokens(config.TOKEN_KEYS, 1, randomBytes)[0]!.token,
    webPort,
    helloPort,
    startWorkers() {
      workers = [['scans'], ['webhooks']].map((groups) => run('workers/main.js', groups, env, 'ignore'));
    },
    async stopWorkers() {
      await Promise.all(workers.map(endProcess));
      workers = [];
    },
    async scoreAll() {
      const answer = once(scored, 'line');
      scoring.stdin!.write('score\n');
      const [line] = (await answer) as [string];
      const { scans, seconds } = JSON.parse(line) as { scans: number; seconds: number };
      return Math.round(scans / seconds);
    },
    close: undoAll,
  };
}

async function untilReady(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok === true) return;
    await sleep(100);
  }
  throw new Error('the web process did not become ready');
}

async function mintUnits(pool: Pool, config: Config, count: number) {
  const orgId = newUuid();
  await pool.query('insert into organizations (id, name) values ($1, $2)', [orgId, 'Benchmark']);
  const perProduct = Math.ceil(count / PRODUCTS);
  const printed: string[] = [];
  const units: StageUnit[] = [];
  for (let p = 0; p < PRODUCTS && units.length < count; p += 1) {
    const [productId, batchId] = [newUuid(), newUuid()];
    await pool.query('insert into products (id, org_id, name, sku, markets) values ($1, $2, $3, $4, $5)', [
      productId,
      orgId,
      `Product ${p}`,
      `sku-${p}`,
      MARKETS,
    ]);
    await pool.query(
      'insert into batches (id, org_id, product_id, quantity, lot) values ($1, $2, $3, $4, $5)',
      [batchId, orgId, productId, perProduct, `L${p}`],
    );
    const end = Math.min(count, units.length + perProduct);
    for (let ordinal = 0; units.length < end;) {
      const tokens = mintTokens(config.TOKEN_KEYS, Math.min(COPY_BATCH, end - units.length), randomBytes);
      const rows = tokens.map(({ code, keyId }) => ({
        id: newUuid(),
        ordinal: ordinal++,
        serial: randomBytes(8).toString('hex'),
        code,
        token_key: keyId,
      }));
      const common = { orgId, batchId, productId, status: 'active' as const, activatedAt: new Date() };
      await withTransaction(pool, (uow) => copyUnits(uow.db, common, rows));
      for (const { id } of rows) units.push({ unitId: id, productId, batchId });
      for (const { token } of tokens) printed.push(token);
    }
  }
  await pool.query('vacuum analyze product_units');
  return {
    orgId,
    tokenOf: (n: number) => printed[n % printed.length]!,
    unit: (n: number) => units[n % units.length]!,
  };
}
