import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Client } from 'pg';
import { atEnd, ownServices, undoAll } from '../../bench/lib/surroundings.ts';
import { packageRoot } from '../../shared/package-root.ts';

/** A benchmark in the middle of its work. */
const INTERRUPTED = `
  import { spawn } from 'node:child_process';
  import { atEnd, endProcess, temporaryFolder, undoWhenCutShort } from './bench/lib/surroundings.ts';
  undoWhenCutShort((code) => process.exit(code));
  const child = spawn('sleep', ['60']);
  atEnd(() => endProcess(child));
  console.log(JSON.stringify({ folder: temporaryFolder(), pid: child.pid }));
  setTimeout(() => undefined, 60_000);`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the surroundings of a benchmark', function () {
  this.timeout(60_000);

  it('are undone once each, the newest first, and one that cannot be undone keeps none from it', async () => {
    const undone: string[] = [];
    atEnd(() => undone.push('first'));
    const second = atEnd(() => undone.push('second'));
    atEnd(() => Promise.reject(new Error('stays')));
    atEnd(() => undone.push('fourth'));
    await second();
    const told = console.error;
    console.error = (...words: unknown[]) => void undone.push(words.join(' '));
    await undoAll().finally(() => (console.error = told));
    await undoAll();
    expect(undone).to.deep.equal(['second', 'fourth', 'left behind: Error: stays', 'first']);
  });

  it('are services of its own, whatever database the environment names', async () => {
    const { DATABASE_URL, REDIS_URL } = process.env;
    Object.assign(process.env, {
      DATABASE_URL: 'postgres://somebody.example/theirs',
      REDIS_URL: 'redis://x.example',
    });
    try {
      const { databaseUrl, redisUrl } = await ownServices();
      expect(`${databaseUrl} ${redisUrl}`).to.not.include('example');
    } finally {
      for (const [name, value] of Object.entries({ DATABASE_URL, REDIS_URL }))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      await undoAll();
    }
  });

  it('are undone, too, where they are started meanwhile, or have not come up', async () => {
    let isLateUndone = false;
    const starting = ownServices();
    atEnd(() => void atEnd(() => (isLateUndone = true)));
    await undoAll();
    expect(isLateUndone).to.equal(true);
    const { databaseUrl } = await starting;
    const refused = await new Client({ connectionString: databaseUrl }).connect().catch(String);
    expect(refused).to.include('ECONNREFUSED');
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`leave no folder and no process behind after ${signal}`, async () => {
      const bench = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', INTERRUPTED], {
        cwd: packageRoot,
      });
      const [line] = (await once(createInterface(bench.stdout), 'line')) as [string];
      const { folder, pid } = JSON.parse(line) as { folder: string; pid: number };
      expect([existsSync(folder), isRunning(pid)]).to.deep.equal([true, true]);
      bench.kill(signal);
      expect((await once(bench, 'exit'))[0]).to.equal(130);
      expect([existsSync(folder), isRunning(pid)]).to.deep.equal([false, false]);
    });
});
