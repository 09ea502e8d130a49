import { expect } from 'chai';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { freePort } from '../../launcher/free-port.ts';
import { findMarked, RUN_MARKER } from '../../launcher/leftovers.ts';
import { makeScratch, until } from '../support/scratch.ts';
import { runId, testServices } from '../support/services.ts';

const WEB = `
import { createServer } from 'node:http';
createServer((req, res) => res.writeHead(req.url === '/readyz' ? 200 : 404).end()).listen(process.env.PORT, process.env.HOST || '127.0.0.1');
console.log('database ' + process.env.DATABASE_URL + ' token keys ' + process.env.TOKEN_KEYS);
`;
const WORKER = `
import { spawn } from 'node:child_process';
spawn('sleep', ['62'], { stdio: 'ignore' });
setInterval(() => {}, 1000);
`;

describe('runStart', function () {
  this.timeout(30_000);
  const scratch = makeScratch();
  const root = scratch.folder;
  const marker = `${runId}-start`;
  let port = 0;
  let blocker: Server | undefined;
  let output = '';
  let launcher: ChildProcess | undefined;

  const left = () => findMarked(marker).map(({ command }) => command);
  const launch = async (overrides: NodeJS.ProcessEnv = {}) => {
    const { databaseUrl, redisUrl } = await testServices();
    output = '';
    const program = path.join(import.meta.dirname, 'programs', 'start.ts');
    const env = { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PORT: String(port) };
    const child = spawn(process.execPath, ['--import=tsx', program, root], {
      env: { ...env, [RUN_MARKER]: marker, ...overrides },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    launcher = child;
    return child;
  };
  const ready = () => until(`"ready" in\n${output}`, () => output.includes('is ready'), 20_000);
  const exitCode = async (child: ChildProcess) => {
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  };

  before(async () => {
    port = await freePort();
    writeFileSync(path.join(root, 'web.mjs'), WEB);
    writeFileSync(path.join(root, 'worker.mjs'), WORKER);
  });
  beforeEach(() => {
    writeFileSync(
      path.join(root, 'Procfile'),
      'release: touch released\nweb: node web.mjs\nworker: node worker.mjs\n',
    );
  });
  afterEach(async () => {
    blocker?.close();
    blocker = undefined;
    if (launcher?.exitCode === null && launcher.signalCode === null) {
      launcher.kill('SIGTERM');
      await once(launcher, 'close');
    }
  });
  after(() => scratch.remove());

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends with exit code 0 and leaves no child after ${signal}`, async () => {
      const child = await launch();
      await ready();
      const all = ['node web.mjs', 'node worker.mjs', 'sleep 62'];
      await until('every process to run', () => all.every((command) => left().includes(command)));
      child.kill(signal);
      expect(await exitCode(child), output).to.equal(0);
      expect(left()).to.deep.equal([]);
    });
  }

  it('prints every address, the operator’s password and the demo key, after the release', async () => {
    await launch();
    await ready();
    await until('the last line', () => output.includes('Data  '));
    expect(existsSync(path.join(root, 'released'))).to.equal(true);
    const file = path.join(root, '.data', 'secrets.json');
    const secrets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(output).to.include(`http://127.0.0.1:${port}/docs`);
    expect(output).to.include(
      `http://127.0.0.1:${port}/ops/queues   (operator / ${secrets['OPERATOR_PASSWORD']})`,
    );
    expect(output).to.match(/Metrics +http:\/\/127\.0\.0\.1:\d+\/metrics +\(web\)/);
    expect(output).to.include('made-at-the-first-start');
    expect(output).to.include(`token keys ${secrets['TOKEN_KEYS']}`);
  });

  it('names no Bull Board and makes no demo key in production', async () => {
    await launch({ NODE_ENV: 'production' });
    await ready();
    await until('the last line', () => output.includes('Data  '));
    expect(output).to.include('Bull Board  off; OPS_PUBLIC=true').and.not.include('/ops/queues');
    expect(output).not.to.match(/Demo key|made-at-the-first-start/);
  });

  it('is ready on an address of IPv6 as well', async function () {
    if (!Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1')))
      this.skip();
    await launch({ HOST: '::1' });
    await ready();
    await until('the last line', () => output.includes('Data  '));
    expect(output).to.include(`http://[::1]:${port}/docs`);
  });

  it('takes what is empty or blank for unset', async () => {
    await launch({ TOKEN_KEYS: ' ', OPERATOR_PASSWORD: '', DATA_DIR: '  ' });
    await ready();
    await until('the last line', () => output.includes('Data  '));
    expect(output).to.match(/token keys k1:/);
    expect(output).to.match(/\(operator \/ \S{16,}\)/);
    expect(output).to.include(`Data        ${path.join(root, '.data')}`);
  });

  it('gives the processes the same secrets at the next start', async () => {
    const first = await launch();
    await ready();
    first.kill('SIGINT');
    await exitCode(first);
    const keys = /token keys (\S+)/.exec(output)?.[1];
    await launch();
    await ready();
    expect(/token keys (\S+)/.exec(output)?.[1])
      .to.equal(keys)
      .and.match(/^k1:/);
  });

  it('leaves no child when the launcher itself is killed', async function () {
    if (process.platform !== 'linux') this.skip();
    const child = await launch();
    await ready();
    child.kill('SIGKILL');
    await exitCode(child);
    // The worker's own child has nobody to tell it; that one is the worker's to end.
    await until('the end of all processes', () => left().every((command) => command === 'sleep 62'));
    for (const { pid } of findMarked(marker)) process.kill(pid, 'SIGKILL');
  });

  it('stops all with exit code 1 when a process dies, and says which', async () => {
    const child = await launch();
    await ready();
    process.kill(findMarked(marker).find(({ command }) => command === 'node worker.mjs')!.pid, 'SIGKILL');
    expect(await exitCode(child)).to.equal(1);
    expect(output).to.include('worker ended unexpectedly (signal SIGKILL)');
    expect(left()).to.deep.equal([]);
  });

  it('stops with exit code 1 when the release fails, before any process starts', async () => {
    writeFileSync(path.join(root, 'Procfile'), 'release: false\nweb: node web.mjs\n');
    const child = await launch();
    expect(await exitCode(child)).to.equal(1);
    expect(output).to.include('release failed (exit code 1)').and.not.include('web |');
    expect(left()).to.deep.equal([]);
  });

  it('names a port that is taken and the way out', async () => {
    blocker = createServer().listen(port, '127.0.0.1');
    await once(blocker, 'listening');
    const child = await launch();
    expect(await exitCode(child)).to.equal(1);
    expect(output).to.match(new RegExp(`port ${port} is taken.*PORT`));
  });

  it('refuses ports that are none, before anything is started', async () => {
    for (const [env, said] of [
      [{ PORT: 'abc' }, 'PORT must be a number from 1 to 65535, not "abc"'],
      [{ METRICS_PORT: 'abc' }, 'METRICS_PORT must be a number from 1 to 65534, not "abc"'],
      // Both processes have one.
      [{ METRICS_PORT: '65535' }, 'METRICS_PORT must be a number from 1 to 65534, not "65535"'],
    ] as const) {
      const child = await launch(env);
      expect(await exitCode(child)).to.equal(1);
      expect(output).to.include(said);
      expect(left()).to.deep.equal([]);
    }
  });

  it('refuses a second start on the same data while the first runs', async () => {
    const first = await launch();
    await ready();
    const second = await launch({ PORT: String(await freePort()) });
    expect(await exitCode(second)).to.equal(1);
    expect(output).to.include(`already running`).and.include(String(first.pid));
    first.kill('SIGINT');
    expect(await exitCode(first)).to.equal(0);
  });

  it('can be stopped before it is ready', async () => {
    writeFileSync(path.join(root, 'Procfile'), 'web: sleep 63\n');
    const child = await launch();
    await until('the process to run', () => left().includes('sleep 63'));
    child.kill('SIGINT');
    expect(await exitCode(child), output).to.equal(0);
    expect(left()).to.deep.equal([]);
  });
});
