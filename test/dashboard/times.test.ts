import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { PHONE, signIn, visit } from './support/visit.ts';

const EXACT = /CES?T · 2026-\d\d-\d\dT.*Z$/;

describe('the exact instant of a time', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  /** A scan's own screen, and the time in its facts. */
  const open = async (page: Page) => {
    await signIn(page, owner, '/app/scans?range=90d');
    await page.locator('tbody time').first().waitFor();
    // The row leads to where it can be had.
    expect(await page.locator('tbody button time').count()).to.equal(0);
    await page.locator('tbody').getByRole('link').first().click();
    // Not by its name: points of the map end in a time, too.
    const time = page.locator('button:has(time)').first();
    await time.waitFor();
    return { time, hint: page.getByRole('tooltip').filter({ hasText: EXACT }) };
  };

  it('is told by the keyboard until Escape, and to a reader of the screen', () =>
    visit(stack, async ({ page }) => {
      const { time, hint } = await open(page);
      await page.keyboard.press('Tab');
      await time.focus();
      await hint.waitFor();
      const told = page.locator(`[id="${await time.getAttribute('aria-describedby')}"]`);
      expect(await told.textContent()).to.match(EXACT);
      await page.keyboard.press('Escape');
      await hint.waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await hint.waitFor();
      await page.keyboard.press('Tab');
      await hint.waitFor({ state: 'detached' });
    }));

  it('stays while the pointer is over it or over what it says', () =>
    visit(
      stack,
      async ({ page }) => {
        await page.clock.install();
        const { time, hint } = await open(page);
        await time.hover();
        await hint.waitFor();
        await hint.hover();
        await time.hover();
        await hint.hover();
        // Longer than it takes to go.
        await page.clock.runFor(2_000);
        expect(await hint.isVisible()).to.equal(true);
        await page.getByRole('heading', { level: 1 }).hover();
        await hint.waitFor({ state: 'detached' });
      },
      // Windows are lent by their options: one with a clock of the story's is nobody else's.
      { viewport: { width: 1280, height: 820 } },
    ));

  it('is told to a finger that presses it, until it presses elsewhere', () =>
    visit(
      stack,
      async ({ page }) => {
        const { time, hint } = await open(page);
        await time.tap();
        await hint.waitFor();
        await page.getByRole('heading', { level: 1 }).tap();
        await hint.waitFor({ state: 'detached' });
      },
      { viewport: PHONE, hasTouch: true, isMobile: true },
    ));
});
