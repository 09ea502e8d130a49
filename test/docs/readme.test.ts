import { readFileSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { SETTINGS } from '../../shared/config.ts';

const README = new URL('../../README.md', import.meta.url);

/** The table of settings as the schemas say it. */
function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { schema, description }]) => {
    const { default: fallback } = z.toJSONSchema(schema as z.ZodType, {
      io: 'input',
      unrepresentable: 'any',
    }) as {
      default?: unknown;
    };
    const required = !(schema as z.ZodType).safeParse(undefined).success;
    const shown = required
      ? '*required*'
      : fallback === undefined || fallback === ''
        ? ''
        : `\`${fallback as string}\``;
    return `| \`${name}\` | ${shown} | ${description} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

describe('README', () => {
  it('lists every setting with its default and meaning', () => {
    const text = readFileSync(README, 'utf8');
    const renewed = text.replace(
      /<!-- settings -->[^]*<!-- \/settings -->/,
      `<!-- settings -->\n${settingsTable()}\n<!-- /settings -->`,
    );
    if (process.env.UPDATE_DOCS === '1') writeFileSync(README, renewed);
    else expect(text, 'renew with UPDATE_DOCS=1 npx mocha test/docs/readme.test.ts').to.equal(renewed);
  });

  it('links to files that are there', () => {
    const links = [...readFileSync(README, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
      (match) => match[1]!,
    );
    expect(links.length).to.be.greaterThan(5);
    expect(links.filter((link) => !existsSync(new URL(link, README)))).to.deep.equal([]);
  });

  it('signs nobody up twice on the way over the pages that a newcomer follows', () => {
    const pages = [
      README,
      ...['tutorial', 'authentication'].map((name) => new URL(`../../docs/${name}.md`, import.meta.url)),
    ];
    const addresses = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/(?:create-org|\/sign-up )[^$]*?(\w+@[\w.]+)/g)].map(
        (match) => match[1]!,
      ),
    );
    expect(addresses).to.have.length(3);
    expect(new Set(addresses).size, addresses.join()).to.equal(3);
  });
});
