import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

const PAGES = [
  'README.md',
  ...readdirSync(path.join(packageRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const commandsOf = (page: string): string =>
  [...readFileSync(path.join(packageRoot, page), 'utf8').matchAll(/```(?:sh|bash)\n(.*?)```/gs)]
    .map(([, commands]) => commands)
    .join('\n');

describe('the commands of the documentation', () => {
  it('name the service as the page that they are on says', () => {
    const used = PAGES.flatMap((page) => {
      const commands = commandsOf(page);
      const names = [...commands.matchAll(/\bcurl\b[^\n]*?\s"?\$(\w+)\//g)].map(([, name]) => name!);
      return [...new Set(names)].map((name) => ({
        page,
        name,
        isDefined: new RegExp(`^${name}=`, 'm').test(commands),
      }));
    });
    expect(used).to.have.length.of.at.least(4);
    expect(used.filter(({ isDefined }) => !isDefined)).to.deep.equal([]);
  });
});
