import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { whereHeld } from './support/answers.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('a press in the dashboard, on what changes before the release', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('opens the row, though its name arrived meanwhile', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/settings/account');
      await whereHeld(page, '**/api/v1/product-units?*', async () => {
        await page.getByRole('link', { name: 'Cases' }).click();
        const grey = await page.locator('tbody a .mantine-Skeleton-root').first().boundingBox();
        await page.mouse.move(grey!.x + 10, grey!.y + grey!.height / 2);
        await page.mouse.down();
      });
      await page.locator('tbody a').first().locator('bdi').waitFor();
      await page.mouse.up();
      await page.waitForURL(/\/cases\/case_/);
    }));

  it('takes the option, though fewer were found meanwhile', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/scans');
      const product = page.getByRole('combobox', { name: 'Product' });
      await product.click();
      const options = page.getByRole('option');
      const yuzu = options.filter({ hasText: 'Yuzu' });
      await yuzu.waitFor();
      const search = '**/api/v1/products?*q=yuzu*';
      await whereHeld(page, search, async () => {
        const asked = page.waitForRequest(search);
        await product.and(page.locator(':focus')).pressSequentially('yuzu');
        await asked;
        await yuzu.hover();
        await page.mouse.down();
      });
      // The answer has arrived where the field no longer shows that it waits for one.
      await page.locator('.mantine-Loader-root').waitFor({ state: 'detached' });
      await page.mouse.up();
      await page.waitForURL(/productId=prod_/);
      expect(await product.inputValue()).to.equal('Yuzu Cleansing Gel');
    }));

  describe('in a list that a search narrows meanwhile', () => {
    /** Presses the row of one product, which then is the only one. */
    const press = async (page: Page) => {
      await signIn(page, await stack.sample(), '/app/products');
      const rows = page.locator('tbody a');
      const row = rows.filter({ hasText: 'Yuzu' });
      await row.waitFor();
      const to = (await row.getAttribute('href'))!;
      expect(await rows.first().getAttribute('href')).not.to.equal(to);
      const search = '**/api/v1/products?*q=yuzu*';
      await whereHeld(page, search, async () => {
        const asked = page.waitForRequest(search);
        await page.getByRole('searchbox').fill('yuzu');
        await asked;
        await row.hover();
        await page.mouse.down();
      });
      await page.locator('table[aria-busy=false]').waitFor();
      return { rows, to };
    };

    it('opens the row', () =>
      visit(stack, async ({ page }) => {
        const { to } = await press(page);
        await page.mouse.up();
        await page.waitForURL(`**${to}`);
      }));

    it('opens nothing where it is released elsewhere, and shows what was found', () =>
      visit(stack, async ({ page }) => {
        const { rows, to } = await press(page);
        expect(await rows.count()).to.be.above(1);
        await page.mouse.move(5, 5);
        await page.mouse.up();
        await rows.nth(1).waitFor({ state: 'detached' });
        expect(await rows.first().getAttribute('href')).to.equal(to);
        expect(new URL(page.url()).pathname).to.equal('/app/products');
      }));
  });

  it('with Ctrl, or of the middle button, opens the row in a tab of its own', () =>
    visit(stack, async ({ page, context }) => {
      await signIn(page, await stack.sample(), '/app/units');
      const isOpenedBeside = async (row: Locator) => {
        const to = await row.locator('a').first().getAttribute('href');
        const cell = row.locator('td').nth(1);
        const presses = [
          () => cell.click({ modifiers: ['ControlOrMeta'] }),
          () => cell.click({ button: 'middle' }),
        ];
        for (const press of presses) {
          const opened = context.waitForEvent('page');
          await press();
          const tab = await opened;
          await tab.waitForURL(`**${to}`);
          await tab.close();
        }
      };
      await isOpenedBeside(page.locator('tbody tr').nth(1));
      expect(new URL(page.url()).pathname).to.equal('/app/units');
      await page.goto('/app/products');
      await page.locator('tbody a').first().click();
      await page.waitForURL(/prod_[^/]+$/);
      await isOpenedBeside(page.getByRole('region', { name: 'Batches' }).locator('tbody tr').first());
      expect(page.url()).to.match(/prod_[^/]+$/);
    }));
});
