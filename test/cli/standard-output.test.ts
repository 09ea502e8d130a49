import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';
import { builtProgram } from '../support/processes.ts';

describe('the answer of a command', function () {
  this.timeout(30_000);

  /** @param line of the shell, in which `$0` and `$1` are the program @returns what it says on standard error */
  const shell = (line: string, program: string) =>
    new Promise<string>((resolve, reject) => {
      execFile(
        'sh',
        ['-c', line, process.execPath, builtProgram(program)],
        { cwd: packageRoot, env: { PATH: process.env['PATH'] } },
        (error, _stdout, stderr) => (error === null ? resolve(stderr) : reject(error)),
      );
    });

  it('is no error where its reader has seen enough', async () => {
    expect(await shell('("$0" "$1"; echo $? >&2) | head -c 1', 'cli/openapi.js')).to.equal('0\n');
  });

  it('is one where it cannot be written', async () => {
    expect(await shell('"$0" "$1" settings >/dev/full; echo $? >&2', 'cli/admin.js')).to.match(
      /^error: standard output: ENOSPC.*\n1\n$/,
    );
  });
});
