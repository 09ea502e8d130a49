import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { whereHeld } from './support/answers.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { remember, signIn, visit } from './support/visit.ts';

// Windows are lent by their options: one with a clock of the story's is nobody else's.
const OWN_WINDOW = { viewport: { width: 1290, height: 830 } };

describe('the dashboard, when an answer does not come, or not whole', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  const told = (page: Page) =>
    page.getByRole('alert').getByText('The service cannot be reached').first().waitFor();
  const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();

  it('says after half a minute of silence that the service cannot be reached, and reads again when asked', () =>
    visit(
      stack,
      async ({ page }) => {
        await page.clock.install();
        await signIn(page, await stack.sample(), '/app/settings/account');
        const list = '**/api/v1/products?*';
        await whereHeld(page, list, async () => {
          const asked = page.waitForRequest(list);
          await page.getByRole('link', { name: 'Products' }).click();
          await asked;
          await page.clock.runFor(25_000);
          await page.locator('main').getByRole('status', { name: 'Loading' }).waitFor();
          await page.clock.runFor(6_000);
          await told(page);
        });
        await tryAgain(page);
        await page.locator('tbody a').first().waitFor();
      },
      OWN_WINDOW,
    ));

  it('gives a change longer than the service waits for its database, and keeps what was typed', () =>
    visit(
      stack,
      async ({ page }) => {
        await page.clock.install();
        await signIn(page, await stack.account(), '/app/products/new');
        await page.getByLabel('Name').fill('Olive oil');
        await page.getByLabel('SKU').fill('OIL-70');
        const create = page.getByRole('button', { name: 'Create' });
        await whereHeld(page, '**/api/v1/products', async () => {
          const asked = page.waitForRequest('**/api/v1/products');
          await create.click();
          await asked;
          await page.clock.runFor(66_000);
          expect(await create.getAttribute('data-loading')).to.equal('true');
          await page.clock.runFor(5_000);
          await told(page);
        });
        expect(await page.getByLabel('Name').inputValue()).to.equal('Olive oil');
        await create.click();
        await page.getByRole('heading', { name: 'Olive oil', level: 1 }).waitFor();
      },
      OWN_WINDOW,
    ));

  it('says so before anything is shown, too, and lets nobody be signed out by it', () =>
    visit(
      stack,
      async ({ page }) => {
        await page.clock.install();
        await remember(page, await stack.account());
        await whereHeld(page, '**/auth/refresh', async () => {
          const asked = page.waitForRequest('**/auth/refresh');
          await page.goto('/app/products');
          await asked;
          await page.getByRole('status', { name: 'Loading' }).waitFor();
          await page.clock.runFor(31_000);
          await told(page);
        });
        // Not by loading the page again, which a network that is away does not give either.
        const loads: string[] = [];
        page.on('request', (request) => void (request.isNavigationRequest() && loads.push(request.url())));
        await tryAgain(page);
        await page.getByRole('heading', { name: 'No products yet' }).waitFor();
        expect(loads).to.deep.equal([]);
      },
      OWN_WINDOW,
    ));

  it('takes an answer that breaks off for none', async () => {
    const proxy = await startCuttingProxy(stack.url);
    try {
      await visit({ ...stack, url: proxy.url }, async ({ page, expectComplaints }) => {
        expectComplaints(/ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONTENT_LENGTH_MISMATCH/);
        await signIn(page, await stack.sample(), `${proxy.url}/app/settings/account`);
        proxy.cuts = /^\/api\/v1\/products\?/;
        await page.getByRole('link', { name: 'Products' }).click();
        await told(page);
        proxy.cuts = null;
        await tryAgain(page);
        await page.locator('tbody a').first().waitFor();
      });
    } finally {
      await proxy.close();
    }
  });

  it('takes a page in place of JSON for a service that is away, whatever its status', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/settings/account');
      const answers = [{ contentType: 'text/html', body: '<h1>We are back soon</h1>' }, { body: '' }];
      for (const answer of answers) {
        await page.route('**/api/v1/batches?*', (route) => route.fulfill({ status: 200, ...answer }));
        await page.getByRole('link', { name: 'Batches' }).click();
        await page.getByRole('alert').getByText('The service is busy or restarting').waitFor();
        await page.unroute('**/api/v1/batches?*');
        await tryAgain(page);
        await page.locator('tbody a').first().waitFor();
        await page.goto('/app/settings/account');
      }
    }));
});
