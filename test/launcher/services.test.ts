import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { AlreadyRunningError } from '../../launcher/lock.ts';
import { identify } from '../../launcher/process-identity.ts';
import { findRunningServices } from '../../launcher/running-services.ts';
import { type Services, startServices } from '../../launcher/services.ts';
import { findLeftovers } from '../../launcher/leftovers.ts';
import { makeScratch, until } from '../support/scratch.ts';
import { runId, testServices } from '../support/services.ts';

const log = () => undefined;
const start = (dataDir: string) => startServices({ dataDir, log, env: {} });
/** Servers, not their backends: those of the services that all tests share come and go meanwhile. */
const ownServers = () =>
  findLeftovers(runId).flatMap(({ command }) =>
    command.startsWith('postgres:') ? [] : [command.split(' ')[0]],
  );
const ownFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('touchstone-ephemeral-'));

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function redis<T>(url: string, action: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  client.on('error', () => undefined);
  try {
    return await action(client);
  } finally {
    await client.quit();
  }
}

describe('startServices', () => {
  const scratch = makeScratch();
  let running: Services[] = [];
  const tracked = async (dataDir: string) => {
    const services = await start(dataDir);
    running.push(services);
    return services;
  };
  afterEach(async () => {
    for (const services of running) await services.stop();
    running = [];
  });
  after(() => scratch.remove());

  it('leaves no process and no folder of an ephemeral stack', async () => {
    const [processes, folders] = [ownServers(), ownFolders()];
    const services = await startServices({ dataDir: '', ephemeral: true, log, env: {} });
    expect(await query(services.databaseUrl, 'show fsync')).to.deep.equal([{ fsync: 'off' }]);
    expect(ownFolders()).to.have.length(folders.length + 1);
    await services.stop();
    expect(ownServers()).to.deep.equal(processes);
    expect(ownFolders()).to.deep.equal(folders);
  });

  it('keeps throw-away data on disk unless the caller allows memory', async () => {
    const places: string[] = [];
    for (const inMemory of [false, true]) {
      const services = await startServices({ dataDir: '', ephemeral: true, inMemory, log, env: {} });
      running.push(services);
      const [setting] = await query(services.databaseUrl, 'show data_directory');
      places.push((setting as { data_directory: string }).data_directory);
    }
    const [usual, allowed] = places.map((place) => path.dirname(path.dirname(place)));
    expect(usual).to.be.oneOf([tmpdir(), '/tmp']);
    expect(allowed).to.be.oneOf(['/dev/shm', usual]);
  });

  it('finds the data of both services again at the next start', async () => {
    const dataDir = path.join(scratch.folder, 'again');
    const first = await tracked(dataDir);
    await query(first.databaseUrl, 'create table kept as select 7 as value');
    await redis(first.redisUrl, (client) => client.set('kept', 'yes'));
    await first.stop();
    const second = await tracked(dataDir);
    expect(await query(second.databaseUrl, 'select value from kept')).to.deep.equal([{ value: 7 }]);
    expect(await redis(second.redisUrl, (client) => client.get('kept'))).to.equal('yes');
  });

  it('keeps data durably, listens on loopback only, and asks for passwords', async () => {
    const services = await tracked(path.join(scratch.folder, 'again'));
    const settings = await query(
      services.databaseUrl,
      `select name, setting from pg_settings
        where name in ('fsync', 'full_page_writes', 'listen_addresses', 'synchronous_commit') order by name`,
    );
    expect(settings.map((row) => Object.values(row as object).join('='))).to.deep.equal([
      'fsync=on',
      'full_page_writes=on',
      'listen_addresses=127.0.0.1',
      'synchronous_commit=on',
    ]);
    const config = await redis(services.redisUrl, (client) =>
      client.config('GET', 'appendonly', 'maxmemory-policy', 'bind'),
    );
    expect(config).to.include.members(['yes', 'noeviction', '127.0.0.1']);
    const wrong = new URL(services.databaseUrl);
    wrong.password = 'guess';
    const refused = await query(wrong.href, 'select 1').catch((error: { code: string }) => error.code);
    expect(refused).to.equal('28P01');
    const anonymous = new URL(services.redisUrl);
    anonymous.password = '';
    const answer = await redis(anonymous.href, (client) => client.get('x')).catch(
      (error: Error) => error.message,
    );
    expect(answer).to.match(/NOAUTH/);
  });

  it('refuses a second start on the same folder and leaves the first alone', async () => {
    const dataDir = path.join(scratch.folder, 'again');
    const first = await tracked(dataDir);
    const refused = await start(dataDir).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(AlreadyRunningError);
    expect((refused as Error).message).to.match(/already running.*process \d+/);
    expect(await query(first.databaseUrl, 'select 1 as up')).to.deep.equal([{ up: 1 }]);
    expect(findRunningServices(dataDir)?.databaseUrl).to.equal(first.databaseUrl);
  });

  it('tells a command where it runs, in a file for its owner only, until it stops', async () => {
    const dataDir = path.join(scratch.folder, 'again');
    const services = await start(dataDir);
    expect(findRunningServices(dataDir)).to.include({
      databaseUrl: services.databaseUrl,
      redisUrl: services.redisUrl,
      isPepperGiven: false,
      pid: process.pid,
    });
    for (const file of ['services.json', 'postgres.json']) {
      expect(statSync(path.join(dataDir, file)).mode & 0o777, file).to.equal(0o600);
    }
    await services.stop();
    expect(findRunningServices(dataDir)).to.equal(undefined);
    expect(readdirSync(dataDir).filter((name) => /lock|services|processes/.test(name))).to.deep.equal([]);
  });

  it('uses given addresses as they are and neither starts nor stops anything', async () => {
    const { databaseUrl, redisUrl } = await testServices();
    const before = ownServers();
    const dataDir = path.join(scratch.folder, 'given');
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    const services = await startServices({ dataDir, log, env });
    expect(services).to.include({ databaseUrl, redisUrl });
    expect(ownServers()).to.deep.equal(before);
    await services.stop();
    expect(await query(databaseUrl, 'select 1 as up')).to.deep.equal([{ up: 1 }]);
    expect(await redis(redisUrl, (client) => client.ping())).to.equal('PONG');
  });

  it('leaves no server when its launcher is killed, and finds the data at the next start', async () => {
    const dataDir = path.join(scratch.folder, 'killed');
    const program = path.join(import.meta.dirname, 'programs', 'serve.ts');
    const launcher = spawn(process.execPath, ['--import=tsx', program, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: launcher.stdout }), 'line')) as [string];
    const first = JSON.parse(line) as Services;
    await query(first.databaseUrl, 'create table kept as select 7 as value');
    const ledger = readFileSync(path.join(dataDir, 'processes.json'), 'utf8');
    const servers = (JSON.parse(ledger) as { pid: number }[]).map(({ pid }) => pid);
    expect(servers).to.have.length(2);
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');

    const second = await tracked(dataDir);
    expect(servers.map((pid) => identify(pid))).to.deep.equal([undefined, undefined]);
    expect(await query(second.databaseUrl, 'select value from kept')).to.deep.equal([{ value: 7 }]);
  });

  it('ends only the very process that it recorded, not a later one with the same id', async () => {
    const dataDir = path.join(scratch.folder, 'again');
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore' });
    const recorded = { name: 'postgres', stopSignal: 'SIGTERM', pid: bystander.pid, startedAt: 'long ago' };
    writeFileSync(path.join(dataDir, 'processes.json'), JSON.stringify([recorded]));
    await tracked(dataDir);
    expect(bystander.exitCode ?? bystander.signalCode).to.equal(null);
    bystander.kill();
    await once(bystander, 'exit');
  });

  it('starts over a stale postmaster.pid whose number belongs to somebody else by now', async () => {
    const dataDir = path.join(scratch.folder, 'again');
    const pgdata = path.join(dataDir, 'postgres');
    // Of the same user as the server, so that Postgres itself would refuse.
    const { uid, gid } = statSync(pgdata);
    const account = process.getuid?.() === 0 ? { uid, gid } : {};
    const bystander = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...account });
    writeFileSync(
      path.join(pgdata, 'postmaster.pid'),
      `${bystander.pid}\n${pgdata}\n0\n1\n\n127.0.0.1\n0 0\nready\n`,
    );
    const services = await tracked(dataDir);
    expect(await query(services.databaseUrl, 'select 1 as up')).to.deep.equal([{ up: 1 }]);
    bystander.kill();
    await once(bystander, 'exit');
  });

  it('takes over the lock of a launcher that is gone', async () => {
    const dataDir = path.join(scratch.folder, 'again');
    const gone = { pid: process.pid, startedAt: 'before the last boot' };
    writeFileSync(path.join(dataDir, 'launcher.lock'), JSON.stringify(gone));
    await tracked(dataDir);
    expect(JSON.parse(readFileSync(path.join(dataDir, 'launcher.lock'), 'utf8'))).to.deep.equal(
      identify(process.pid),
    );
  });

  it('keeps the database elsewhere, and finds it again, when root’s folder is closed to its user', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const home = path.join(scratch.folder, 'private-home');
    mkdirSync(home, { mode: 0o700 });
    const dataDir = path.join(home, '.data');
    const lines: string[] = [];
    const first = await startServices({ dataDir, log: (line) => lines.push(line), env: {} });
    running.push(first);
    const { folder } = JSON.parse(readFileSync(path.join(dataDir, 'postgres.json'), 'utf8')) as {
      folder: string;
    };
    try {
      expect(lines.join()).to.include(folder);
      expect(existsSync(path.join(folder, 'postgres', 'PG_VERSION'))).to.equal(true);
      expect(statSync(path.join(folder, 'postgres')).mode & 0o777).to.equal(0o700);
      await query(first.databaseUrl, 'create table kept as select 7 as value');
      await first.stop();
      // The place is kept even when the folder opens up later.
      chmodSync(home, 0o755);
      const second = await tracked(dataDir);
      expect(await query(second.databaseUrl, 'select value from kept')).to.deep.equal([{ value: 7 }]);
      await second.stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
      if (readdirSync(path.dirname(folder)).length === 0) rmdirSync(path.dirname(folder));
    }
  });

  it('removes what a killed run of ephemeral services left behind, on disk and in memory', async () => {
    const parents = [tmpdir(), '/dev/shm'].filter((parent) => existsSync(parent));
    const abandoned = parents.map((parent) => path.join(parent, `touchstone-ephemeral-test-${runId}`));
    const orphans = abandoned.map((folder) => {
      mkdirSync(folder);
      const orphan = spawn('sleep', ['60'], { stdio: 'ignore' });
      const entry = { name: 'redis', stopSignal: 'SIGTERM', ...identify(orphan.pid!) };
      writeFileSync(path.join(folder, 'processes.json'), JSON.stringify([entry]));
      writeFileSync(path.join(folder, 'owner.json'), JSON.stringify({ pid: 1, startedAt: 'long ago' }));
      return orphan;
    });
    const services = await startServices({ dataDir: '', ephemeral: true, log, env: {} });
    await services.stop();
    await until('the orphans’ end', () => orphans.every(({ signalCode }) => signalCode !== null));
    expect(abandoned.filter((folder) => existsSync(folder))).to.deep.equal([]);
  });
});
