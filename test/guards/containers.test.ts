import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parseProcfile } from '../../launcher/procfile.ts';
import { packageRoot } from '../../shared/package-root.ts';

const read = (name: string): string => readFileSync(path.join(packageRoot, name), 'utf8');

describe('containers', () => {
  const processes = parseProcfile(read('Procfile'));

  it('run the very commands of the Procfile', () => {
    const compose = read('compose.yaml');
    for (const { name, command } of processes) {
      const [, given] =
        new RegExp(`^  ${name}:\\n(?:    .*\\n)*?    command: \\[(.*)\\]`, 'm').exec(compose) ?? [];
      expect(given?.split(', ').join(' '), name).to.equal(command);
    }
    const web = processes.find(({ name }) => name === 'web')!.command;
    expect(read('Dockerfile')).to.include(`\nCMD ${JSON.stringify(web.split(' ')).replaceAll(',', ', ')}\n`);
  });

  it('are given longer to stop than their processes take at most', () => {
    const [, seconds] = /stop_grace_period: (\d+)s/.exec(read('compose.yaml')) ?? [];
    for (const main of ['api/main.ts', 'workers/main.ts']) {
      const [, graceMs] = /GRACE_MS = ([\d_]+)/.exec(read(main)) ?? [];
      expect(Number(seconds) * 1000, main).to.be.above(Number(graceMs?.replaceAll('_', '')));
    }
  });
});
