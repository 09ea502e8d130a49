import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { announceServices } from '../../launcher/running-services.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { builtProgram } from '../support/processes.ts';
import { makeScratch } from '../support/scratch.ts';

describe('the command that migrates', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  const scratch = makeScratch();

  before(async () => {
    database = await createTestDatabase();
  });
  after(async () => {
    scratch.remove();
    await database.drop();
  });

  const start = (args: string[], databaseUrl = database.url) => {
    let told = '';
    const ended = new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, DATA_DIR: scratch.folder };
      const command = execFile(
        process.execPath,
        [builtProgram('cli/migrate.js'), ...args],
        { cwd: packageRoot, env },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      command.stderr!.on('data', (text: string) => (told += text));
    });
    return { ended, told: () => told };
  };
  const run = (...started: Parameters<typeof start>) => start(...started).ended;

  it('removes no table that the first release made, unless it is told to', async () => {
    const refused = await run(['down']);
    expect(refused).to.include({ code: 1, stdout: '' });
    expect(refused.stderr).to.match(/^error: .*--all\n$/);
    expect(JSON.parse((await run(['up'])).stdout)).to.deep.equal({ applied: [] });
  });

  it('says as JSON what it did', async () => {
    const { takenBack } = JSON.parse((await run(['down', '--all'])).stdout);
    expect(JSON.parse((await run(['down'])).stdout)).to.deep.equal({ takenBack: [] });
    expect(JSON.parse((await run(['up'])).stdout)).to.deep.equal({ applied: takenBack.toReversed() });
  });

  it('does nothing that it was not asked for', async () => {
    for (const args of [[], ['donw'], ['up', '--help'], ['down', '--al'], ['down', '--help']])
      expect(await run(args), args.join(' ')).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: `error: "${args.join(' ')}" is none of: up, down, down --all\n`,
      });
  });

  it('takes an address without a host, as that of a socket may be', async () => {
    const { username, password, host, port, pathname } = new URL(database.url);
    const search = new URLSearchParams({ host: host.split(':')[0]!, port });
    const answer = await run(['up'], `postgres://${username}:${password}@${pathname}?${search.toString()}`);
    expect(answer).to.deep.equal({ code: 0, stdout: '{"applied":[]}\n', stderr: '' });
  });

  it('leaves knex’s own command its configuration', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'node_modules/knex/bin/cli.js', 'migrate:currentVersion'],
      { cwd: packageRoot, env: { PATH: process.env['PATH'], DATABASE_URL: database.url } },
    );
    expect(stdout).to.match(/Current Version: \d{14}/);
  });

  it('says in one line that an address is none of Postgres', async () => {
    for (const address of ['nonsense', 'mysql://root@127.0.0.1:1/touchstone'])
      expect(await run(['up'], address)).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'error: DATABASE_URL: is not an address of Postgres, postgres://…\n',
      });
  });

  it('says in one line that the database is away', async () => {
    expect(await run(['up'], 'postgres://nobody@127.0.0.1:1/nothing')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'error: DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n',
    });
    // Of a start that runs nobody set an address.
    announceServices(scratch.folder, {
      databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
      redisUrl: '',
      isPepperGiven: false,
    });
    for (const args of [['up'], ['down', '--all']])
      expect((await run(args, '')).stderr).to.equal(
        `error: the database of ${scratch.folder}: connect ECONNREFUSED 127.0.0.1:1\n`,
      );
  });

  it('says that it waits for another release, and goes on when that is done', async () => {
    const other = await database.pool.connect();
    try {
      await other.query('select pg_advisory_lock(7468737401)');
      const running = start(['up']);
      const waits = 'waits until another release that changes the schema is done\n';
      await eventually('it says so', () => running.told() === waits);
      await other.query('select pg_advisory_unlock(7468737401)');
      expect(await running.ended).to.deep.equal({ code: 0, stdout: '{"applied":[]}\n', stderr: waits });
    } finally {
      other.release(true);
    }
  });
});
