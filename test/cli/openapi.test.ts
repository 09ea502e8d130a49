import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';
import { builtProgram } from '../support/processes.ts';

describe('the command that writes the OpenAPI document', function () {
  this.timeout(30_000);

  const run = (publicUrl: string) =>
    new Promise<{ stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        [builtProgram('cli/openapi.js')],
        {
          cwd: packageRoot,
          env: { PATH: process.env['PATH'], PUBLIC_URL: publicUrl },
          maxBuffer: 64 * 1024 * 1024,
        },
        (_error, stdout, stderr) => resolve({ stdout, stderr }),
      );
    });
  const serversFor = async (publicUrl: string) =>
    (JSON.parse((await run(publicUrl)).stdout) as { servers: object[] }).servers;

  it('names the address as the service does, to which paths are added', async () => {
    expect(await serversFor('HTTPS://Verify.Example.com/')).to.deep.equal([
      { url: 'https://verify.example.com' },
    ]);
    expect(await serversFor(' ')).to.deep.equal([{ url: '/' }]);
  });

  it('says of an address that it is none', async () => {
    expect(await run('verify.example.com')).to.deep.equal({
      stdout: '',
      stderr: 'error: PUBLIC_URL: is not a web address\n',
    });
  });
});
