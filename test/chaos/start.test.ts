import { expect } from 'chai';
import { startProgram } from '../support/processes.ts';

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
