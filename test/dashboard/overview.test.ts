import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

/** The weeks of the sample data. */
const WEEKS = 'since=2026-10-21&until=2026-11-18';

const tiles = async (page: Page): Promise<string[]> => {
  await page.locator('dl.tiles:not([data-stale]) .tile-value.num').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  return page.locator('.tile-value').allInnerTexts();
};

/** The picture as figures: every tile, every row of the chart and of the map. */
async function picture(page: Page): Promise<Record<string, string[]>> {
  const seen: Record<string, string[]> = { tiles: await tiles(page) };
  for (const name of ['Scans over time', 'Where they were scanned']) {
    const card = page.getByRole('region', { name, exact: true });
    await card.getByRole('button', { name: 'Show as table' }).click();
    seen[name] = await card.getByRole('row').allInnerTexts();
    await card.getByRole('button', { name: 'Show as picture' }).click();
  }
  return seen;
}

describe('the overview of the dashboard', function () {
  this.timeout(60_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  it('shows the same picture at the same address, and other figures for another product and other days', () =>
    visit(stack, async ({ page, newPage }) => {
      await signIn(page, owner, `/app/overview?${WEEKS}`);
      const first = await picture(page);
      expect(Number(first.tiles![0]!.replaceAll(',', ''))).to.be.above(100);
      expect(first['Scans over time']!.length).to.equal(29 + 1);
      await page.locator('.map-country[data-link]').first().waitFor();
      await page.locator('.chart canvas').waitFor();
      await inspect(page, 'overview');

      const other = await newPage();
      await other.goto(`/app/overview?${WEEKS}`);
      expect(await picture(other)).to.deep.equal(first);

      await page.getByRole('combobox', { name: 'Product' }).click();
      await page.getByRole('option', { name: 'Yuzu Cleansing Gel' }).click();
      await page.waitForURL(/productId=prod_/);
      const ofYuzu = await picture(page);
      expect(Number(ofYuzu.tiles![0]))
        .to.be.above(0)
        .and.below(Number(first.tiles![0]!.replaceAll(',', '')));
      await other.goto(page.url());
      expect(await picture(other)).to.deep.equal(ofYuzu);

      await page.getByLabel('First day').fill('2026-11-17');
      await page.waitForURL(/since=2026-11-17/);
      const twoDays = await tiles(page);
      expect(Number(twoDays[0])).to.be.below(Number(ofYuzu.tiles![0]));
      await page.goBack();
    }));

  it('says on the chart and on the map what the pointer is on, and zooms to the cells of a country', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/overview?${WEEKS}`);
      await page.locator('.chart .u-over').hover();
      await page.locator('.chart .hint').getByText('Genuine').waitFor();
      expect(await page.locator('.map-cell').count()).to.equal(0);
      const australia = page.locator('.map-country[data-hint^="Australia:"]').first();
      await australia.hover();
      await page.locator('.hint').getByText('Australia: ').waitFor();
      await australia.click();
      await page.locator('.map-cell').first().waitFor();
      if (process.env.UPDATE_SCREENSHOTS) await page.locator('.map').scrollIntoViewIfNeeded();
      await inspect(page, 'overview-zoomed');
      await page.getByRole('button', { name: 'Whole map' }).click();
      await page.locator('.map-cell').first().waitFor({ state: 'detached' });
    }));

  it('names what needs attention now, with the way there', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner);
      await page.waitForURL('**/app/overview');
      const waiting = page.getByRole('region', { name: 'Needs attention now' });
      for (const [name, to] of [
        ['Open cases', '/app/cases'],
        ['New reports', '/app/reports'],
        ['Failing endpoints', '/app/developers/webhooks'],
      ] as const)
        expect(await waiting.getByRole('link', { name }).getAttribute('href')).to.equal(to);
      expect(await waiting.locator('a[href^="/app/cases/case_"]').count()).to.be.above(0);
    }));

  it('is the first screen of somebody new, and says how to begin', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.account());
      await page.getByRole('heading', { name: 'Welcome to Touchstone' }).waitFor();
      await inspect(page, 'overview-empty');
      await page.getByRole('link', { name: 'Create the first product' }).click();
      await page.waitForURL('**/app/products/new');
    }));
});
