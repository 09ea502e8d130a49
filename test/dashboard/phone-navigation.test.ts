import { expect } from 'chai';
import { letterSizes } from '../support/browser.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { PHONE, signIn, visit } from './support/visit.ts';

describe('the navigation on a phone', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('comes beside fields that an iPhone does not zoom into: letters of 16 px at least', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, await stack.account(), '/app/batches/new');
        await page.getByRole('heading', { level: 1 }).waitFor();
        const sizes = await letterSizes(page.locator('main input, main textarea'));
        expect(sizes).to.have.length.above(2);
        expect(Math.min(...sizes)).to.be.at.least(16);
      },
      { viewport: PHONE, hasTouch: true, isMobile: true },
    ));

  it('takes the focus, keeps it from what it covers, and gives it back at Escape', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, await stack.account(), '/app/products');
        const opener = page.getByRole('button', { name: 'Navigation' });
        expect(await opener.getAttribute('aria-expanded')).to.equal('false');
        await opener.press('Enter');
        await page.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor();
        for (let press = 0; press < 30; press += 1) {
          await page.keyboard.press('Tab');
          expect(await page.locator('header :focus, main:focus, main :focus').count()).to.equal(0);
        }
        await page.keyboard.press('Escape');
        await page.getByRole('link', { name: 'Batches' }).waitFor({ state: 'hidden' });
        await opener.and(page.locator(':focus')).waitFor();
      },
      { viewport: PHONE },
    ));

  it('goes away with a link that is followed, to the screen that is there as well', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, await stack.account(), '/app/products');
        const opener = page.getByRole('button', { name: 'Navigation' });
        for (const [name, heading] of [
          ['Products', 'Products'],
          ['Batches', 'Batches'],
        ] as const) {
          await opener.click();
          const link = page.getByRole('link', { name, exact: true });
          await link.click();
          await link.waitFor({ state: 'hidden' });
          await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        }
        await page.locator('#content:focus').waitFor();
      },
      { viewport: PHONE },
    ));
});
