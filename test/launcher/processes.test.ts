import { expect } from 'chai';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identify } from '../../launcher/process-identity.ts';
import { runOnce, runProcesses, type RunningProcesses } from '../../launcher/processes.ts';
import { parseProcfile } from '../../launcher/procfile.ts';
import { makeScratch, until } from '../support/scratch.ts';

describe('runProcesses', () => {
  const scratch = makeScratch();
  let lines: string[] = [];
  let running: RunningProcesses | undefined;
  const run = async (procfile: string, graceMs = 5_000) => {
    lines = [];
    running = await runProcesses({
      entries: parseProcfile(procfile),
      env: { PATH: process.env['PATH'] },
      cwd: scratch.folder,
      log: (line) => lines.push(line),
      graceMs,
    });
    return running;
  };
  const script = (name: string, text: string) => {
    writeFileSync(path.join(scratch.folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(scratch.folder, name), 0o755);
    return `./${name}`;
  };
  afterEach(() => running?.stop());
  after(() => scratch.remove());

  it('puts the process’s name before each line of both its outputs', async () => {
    const talk = script('talk', 'echo one; echo two >&2; printf "no newline"');
    const { died } = await run(`talker: ${talk}\nworker-x: sleep 60`);
    await died;
    expect(lines).to.include.members(['talker   | one', 'talker   | two', 'talker   | no newline']);
  });

  it('stops all when one dies, and says which and how', async () => {
    const { died, pids } = await run(`web: sleep 60\nworker: ${script('fail', 'exit 3')}`);
    expect(await died).to.equal('worker ended unexpectedly (exit code 3)');
    expect(identify(pids['web']!)).to.equal(undefined);
  });

  it('counts an end with exit code 0 as unexpected too', async () => {
    const { died } = await run(`web: true\nworker: sleep 60`);
    expect(await died).to.equal('web ended unexpectedly (exit code 0)');
  });

  it('asks with SIGTERM first, so that a process can finish its work', async () => {
    const polite = script(
      'polite',
      `trap 'echo finished > polite.done; exit 0' TERM\necho up; while :; do sleep 0.05; done`,
    );
    const { stop } = await run(`worker: ${polite}`);
    await until('the process to be up', () => lines.includes('worker | up'));
    await stop();
    expect(readFileSync(path.join(scratch.folder, 'polite.done'), 'utf8')).to.equal('finished\n');
  });

  it('kills a process that ignores SIGTERM, and what that one has started', async () => {
    const stubborn = script(
      'stubborn',
      `trap '' TERM\nsleep 61 & echo $! > sleeper; echo up\nwhile :; do sleep 1; done`,
    );
    const { stop, pids } = await run(`worker: ${stubborn}`, 100);
    await until('the process to be up', () => lines.includes('worker | up'));
    const sleeper = Number(readFileSync(path.join(scratch.folder, 'sleeper'), 'utf8'));
    await stop();
    await until('the grandchild’s end', () => identify(sleeper) === undefined);
    expect(identify(pids['worker']!)).to.equal(undefined);
  });

  it('rejects a release that fails and accepts one that succeeds', async () => {
    const options = { env: { PATH: process.env['PATH'] }, cwd: scratch.folder, log: () => undefined };
    await runOnce({ name: 'release', command: 'touch released' }, options);
    expect(existsSync(path.join(scratch.folder, 'released'))).to.equal(true);
    const failed = await runOnce({ name: 'release', command: 'false' }, options).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failed).to.equal('release failed (exit code 1)');
  });
});

describe('parseProcfile', () => {
  it('reads names and commands, and skips comments and blank lines', () => {
    const entries = parseProcfile('# all\nweb: node main.js --a=b: c\n\n worker-x:  node w.js\n');
    expect(entries).to.deep.equal([
      { name: 'web', command: 'node main.js --a=b: c' },
      { name: 'worker-x', command: 'node w.js' },
    ]);
  });

  for (const [what, text] of [
    ['a line without a command', 'web:'],
    ['a line without a name', 'node main.js'],
    ['a name given twice', 'web: a\nweb: b'],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(() => parseProcfile(text)).to.throw(/Procfile, line \d/);
    });
  }
});
