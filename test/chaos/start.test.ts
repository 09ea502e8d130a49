import { expect } from 'chai';
import { freePort } from '../../launcher/free-port.ts';
import { createRedis, untilReady } from '../../shared/redis.ts';
import { lastWords } from '../../shared/start-error.ts';
import { eventually } from '../support/eventually.ts';
import { createInstallation, startProgram, type Installation } from '../support/processes.ts';

describe('an environment that cannot be used', function () {
  this.timeout(20_000);

  const PROBLEMS: Record<string, string> = {
    DATABASE_URL: 'mysql://localhost/touchstone',
    PORT: 'three thousand',
    TOKEN_KEYS: 'k1:dG9vIHNob3J0',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
    WEBHOOK_CA_FILE: '/nowhere/ca.pem',
    LOG_LEVEL: 'loud',
  };
  const MISSING = ['REDIS_URL', 'SECRET_BOX_KEYS', 'API_KEY_PEPPER', 'OPERATOR_PASSWORD'];

  it('stops every process with every problem in one list', async () => {
    const env = { PATH: process.env['PATH'], ...PROBLEMS };
    await Promise.all(
      ['api/main.js', 'workers/main.js', 'workers/release.js'].map(async (program) => {
        const { ended, output } = await startProgram(program, [], env);
        expect(await ended, program).to.equal('exit code 1');
        for (const name of [...Object.keys(PROBLEMS), ...MISSING]) {
          expect(output(), program).to.match(new RegExp(`^  - ${name}\\b`, 'm'));
        }
        expect(output(), 'a value of a secret').to.not.include('dG9vIHNob3J0');
      }),
    );
  });

  it('stops a worker that is asked for queues that do not exist', async () => {
    const { ended, output } = await startProgram('workers/main.js', ['barcode'], {
      PATH: process.env['PATH'],
    });
    expect(await ended).to.equal('exit code 1');
    expect(output()).to.include('"barcode" is no worker').and.include('barcodes');
  });
});

describe('a start without Postgres or Redis', function () {
  this.timeout(60_000);
  let installation: Installation;
  let nobody: string;

  before(async () => {
    installation = await createInstallation();
    nobody = `127.0.0.1:${await freePort()}`;
  });
  after(() => installation.remove());

  const withoutPostgres = () => ({
    ...installation.env,
    LOG_LEVEL: 'info',
    DATABASE_URL: `postgres://somebody:a-password@${nobody}/touchstone`,
  });

  it('ends the release with the setting and the reason in one line', async () => {
    const { ended, output } = await startProgram('workers/release.js', [], withoutPostgres());
    expect(await ended).to.equal('exit code 1');
    expect(output()).to.equal(`DATABASE_URL: connect ECONNREFUSED ${nobody}\n`);
  });

  it('is told in the log of a process that goes on', async () => {
    const worker = await startProgram('workers/main.js', ['scans'], withoutPostgres());
    await eventually('word of Postgres', () =>
      worker.output().includes('DATABASE_URL: Postgres does not answer yet'),
    );
    expect(worker.output()).to.include(`connect ECONNREFUSED ${nobody}`).and.not.include('a-password');
    expect(await worker.end('SIGTERM')).to.equal('exit code 0');
  });

  it('has what a library warns of in the log as well, and no line that is none', async () => {
    const env = withoutPostgres();
    const worker = await startProgram('workers/main.js', ['scans'], {
      ...env,
      DATABASE_URL: `${env.DATABASE_URL}?sslmode=require`,
    });
    await eventually('word of Postgres', () => worker.output().includes('Postgres does not answer yet'));
    await worker.end('SIGTERM');
    const lines = worker.output().trimEnd().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string; err?: Error });
    const warning = logged.find(({ msg }) => msg === 'a warning');
    expect(warning).to.include({ level: 40 });
    expect(warning!.err!.message).to.match(/ssl/i);
  });

  it('names the setting of a Redis that is not there, and what it said', async () => {
    const redis = createRedis({ REDIS_URL: `redis://${nobody}` }, () => undefined);
    const error = await untilReady(redis, 300).catch((reason: unknown) => reason);
    redis.disconnect();
    expect(lastWords(error)).to.equal(
      `REDIS_URL: Redis was not ready within 300 ms: connect ECONNREFUSED ${nobody}\n`,
    );
  });
});
