import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';
import { OFFLINE, whereOffline } from './support/answers.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

const MANIFEST = path.join(packageRoot, 'dist', 'dashboard', '.vite', 'manifest.json');

/** Options of no other story: its window has nothing in its cache. */
const FRESH = { timezoneId: 'Europe/Vaduz' };

describe('the dashboard, when a file of it does not come', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('says off line that the service cannot be reached, keeps the menu, and fetches the screen when asked again', () =>
    visit(
      stack,
      async ({ page, expectComplaints }) => {
        expectComplaints(OFFLINE);
        await signIn(page, await stack.account(), '/app/products');
        await page.getByRole('heading', { name: 'No products yet' }).waitFor();
        let loads = 0;
        page.on('load', () => (loads += 1));
        const again = page.getByRole('button', { name: 'Try again' });
        await whereOffline(page, async () => {
          await page.getByRole('link', { name: 'Recalls' }).click();
          await page.getByRole('heading', { name: 'The service cannot be reached', level: 1 }).waitFor();
          await page.getByRole('link', { name: 'Products' }).click();
          await page.getByRole('heading', { name: 'No products yet' }).waitFor();
          await page.getByRole('link', { name: 'Recalls' }).click();
          await again.click();
          await page.getByRole('heading', { name: 'The service cannot be reached', level: 1 }).waitFor();
        });
        await page.getByRole('heading', { name: 'Nothing is recalled' }).waitFor();
        // What is beside a screen comes when it can.
        const palette = page.getByPlaceholder('Where to, or what to do?');
        await whereOffline(page, async () => {
          const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('palette'));
          await page.keyboard.press('Control+k');
          await failed;
        });
        await palette.waitFor();
        await page.getByRole('heading', { name: 'Nothing is recalled' }).waitFor();
        expect(loads).to.equal(0);
      },
      FRESH,
    ));

  it('loads the page of a new build, whose files are others, once', () =>
    visit(stack, async ({ page, expectStatus, expectComplaints }) => {
      expectStatus(404);
      expectComplaints(/TypeError: Failed to fetch dynamically imported module/);
      await signIn(page, await stack.account(), '/app/products');
      await page.getByRole('heading', { name: 'No products yet' }).waitFor();
      let loads = 0;
      page.on('load', () => (loads += 1));
      const built = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, { file: string }>;
      const gone = `**/${built['src/screens/recalls/list.tsx']!.file}`;
      await page.route(gone, (route) => route.fulfill({ status: 404 }));
      await page.route('**/app/', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll(/base-[^.]+\.js/g, 'base-ofTheNext.js');
        await route.fulfill({ response, body });
      });
      // What is loaded in its place is the page of the same build here: it finds its file gone as well.
      await page.getByRole('link', { name: 'Recalls' }).click();
      await page.getByRole('heading', { name: 'That did not work', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/recalls');
      expect(loads).to.equal(1);
      await page.unroute(gone);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Nothing is recalled' }).waitFor();
      expect(loads).to.equal(1);
      await page.unroute('**/app/');
    }));
});
