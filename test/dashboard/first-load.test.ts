import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, SAMPLE_END, type Account, type Stack } from './support/stack.ts';
import { remember, visit } from './support/visit.ts';

/** Of script, gzipped, over the wire: what somebody waits for on a slow line, the first screen's own included. */
const MOST_BYTES = 250_000;
/** No page is made of less than the libraries are: what was measured was not the first load. */
const FEWEST_BYTES = 150_000;

const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'];
const DAY = SAMPLE_END.toISOString().slice(0, 10);

/** @returns what each script took that the page asked for until it had nothing more to ask for, the largest first. */
async function scriptsOf(page: Page, path: string, shown: string): Promise<[name: string, bytes: number][]> {
  const sizes: Promise<[string, number]>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    const name = new URL(request.url()).pathname.split('/').at(-1)!;
    sizes.push(request.sizes().then(({ responseBodySize }) => [name, responseBodySize]));
  });
  await page.goto(path);
  await page.locator(shown).waitFor();
  await page.waitForLoadState('networkidle');
  return (await Promise.all(sizes)).sort(([, a], [, b]) => b - a);
}

function expectLittle(scripts: readonly [string, number][]): void {
  const sum = scripts.reduce((total, [, bytes]) => total + bytes, 0);
  const list = scripts.map(([name, bytes]) => `${bytes} ${name}`).join('\n');
  expect(sum, `${sum} bytes of script:\n${list}\n`).to.be.within(FEWEST_BYTES, MOST_BYTES);
}

describe('the first load of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  for (const locale of LANGUAGES) {
    // Windows are lent by their options: nobody else's are the same, so nothing is in their cache.
    const fresh = { locale, extraHTTPHeaders: { 'accept-encoding': 'gzip' } };
    // Tall enough for the map, which waits for nobody to scroll.
    const freshAndTall = { ...fresh, viewport: { width: 1360, height: 2000 } };

    it(`takes no more than 250 KB of gzipped script until the sign-in shows (${locale})`, () =>
      visit(
        stack,
        async ({ page }) => expectLittle(await scriptsOf(page, '/app', 'input[type=password]')),
        fresh,
      ));

    it(`takes no more than 250 KB of gzipped script until the overview shows (${locale})`, () =>
      visit(
        stack,
        async ({ page }) => {
          await remember(page, owner);
          const path = `/app/overview?since=${DAY.slice(0, 8)}01&until=${DAY}`;
          expectLittle(await scriptsOf(page, path, 'body:has(canvas):has(.map)'));
        },
        freshAndTall,
      ));
  }
});
