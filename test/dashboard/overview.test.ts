import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dayAfter, dayOf, startOfDay } from '../../dashboard/src/i18n/zone-days.ts';
import { countScans, rollUp } from '../../shared/analytics/service.ts';
import { newUuid } from '../../shared/ids.ts';
import { eventually } from '../support/eventually.ts';
import { seedScans } from '../support/scans.ts';
import { seedBatch } from '../support/seed.ts';
import { whereAnswered } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

/** The weeks of the sample data. */
const WEEKS = 'since=2026-10-21&until=2026-11-18';

const tiles = async (page: Page): Promise<string[]> => {
  await page.locator('dl.tiles .tile-value.num').first().waitFor();
  for (const waiting of ['.mantine-Skeleton-root', '[data-stale]'])
    await page.locator(waiting).first().waitFor({ state: 'detached' });
  return page.locator('.tile-value').allInnerTexts();
};

/** Asks for other figures, and sees that those of before stay, paler, until the others come. */
async function askFor(page: Page, filter: () => Promise<void>, address: RegExp): Promise<void> {
  const chart = await rowsOf(page, 'Scans over time');
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/v1/analytics/**', async (route) => {
    await answered;
    await route.continue();
  });
  await filter();
  await page.waitForURL(address);
  const stale = page.locator('[data-stale]');
  for (const part of ['.tiles', '.kept:has(.chart)', '.kept:has(svg.map)', '.kept:has(.top-products)'])
    await stale.and(page.locator(part)).waitFor();
  expect(await stale.count()).to.equal(4);
  expect(await rowsOf(page, 'Scans over time'), 'as it was until then').to.deep.equal(chart);
  answer();
  await page.unroute('**/api/v1/analytics/**');
}

async function rowsOf(page: Page, name: string): Promise<string[]> {
  const card = page.getByRole('region', { name, exact: true });
  await card.getByRole('button', { name: 'Show as table' }).click();
  await card.getByRole('row').first().waitFor();
  // Until the names of cities are there, points are told by their coordinates.
  await card
    .getByRole('row', { name: /^-?\d+\.\d, -?\d+\.\d/ })
    .first()
    .waitFor({ state: 'detached' });
  const rows = await card.getByRole('row').allInnerTexts();
  await card.getByRole('button', { name: 'Show as picture' }).click();
  return rows;
}

/** The picture as figures: every tile, every row of the chart and of the map. */
async function picture(page: Page): Promise<Record<string, string[]>> {
  await page.bringToFront();
  const seen: Record<string, string[]> = { tiles: await tiles(page) };
  for (const name of ['Scans over time', 'Where they were scanned']) seen[name] = await rowsOf(page, name);
  return seen;
}

describe('the overview of the dashboard', function () {
  this.timeout(120_000);
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
      // Some of those were suspended since, and are not active.
      await page.getByText(/of [\d,]+ activated units to date/).waitFor();
      await page.locator('.map-country[data-link]').first().waitFor();
      await page.locator('.chart canvas').waitFor();
      // Off what it pressed last, which would be lit in the pictures.
      await page.mouse.move(0, 0);
      await inspect(page, 'overview');

      const other = await newPage();
      await other.goto(`/app/overview?${WEEKS}`);
      expect(await picture(other)).to.deep.equal(first);

      await page.bringToFront();
      const ofProduct = async () => {
        await page.getByRole('combobox', { name: 'Product' }).click();
        await page.getByRole('option', { name: 'Yuzu Cleansing Gel' }).click();
      };
      await askFor(page, ofProduct, /productId=prod_/);
      const ofYuzu = await picture(page);
      expect(Number(ofYuzu.tiles![0]))
        .to.be.above(0)
        .and.below(Number(first.tiles![0]!.replaceAll(',', '')));
      await other.goto(page.url());
      expect(await picture(other)).to.deep.equal(ofYuzu);

      await page.bringToFront();
      const since = page.getByLabel('First day');
      await askFor(page, () => since.fill('2026-11-17'), /since=2026-11-17/);
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
      await inspect(page, 'overview-zoomed');
      await page.getByRole('button', { name: 'Whole map' }).click();
      await page.locator('.map-cell').first().waitFor({ state: 'detached' });
    }));

  it('names the days below the chart, also where the first of them has 23 hours', () =>
    visit(
      stack,
      async ({ page }) => {
        // A canvas keeps no words to be read.
        await page.addInitScript(`window.drawn = [];
          const { fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
            window.drawn.push(text.replaceAll(/[\\u2068\\u2069]/g, ''));
            return fillText.call(this, text, ...place);
          };`);
        const series = [{ key: 'genuine', points: [{ at: '2026-03-28T23:00:00.000Z', scans: 3 }] }];
        await whereAnswered(page, /analytics\/timeseries/, { series }, async () => {
          await signIn(page, owner, '/app/overview?since=2026-03-29&until=2026-04-04');
          await page.locator('.chart canvas').waitFor();
        });
        await eventually('the axis', async () => (await page.evaluate<number>('window.drawn.length')) > 0);
        expect(await page.evaluate('window.drawn')).to.include.members(['29 Mar', '4 Apr']);
      },
      // Windows are lent by their options: one with a script of the story's is nobody else's.
      { viewport: { width: 1340, height: 830 } },
    ));

  it('leads from a figure to the scans behind it, to be narrowed down by typing', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/overview?${WEEKS}`);
      await page.getByRole('link', { name: /^Suspicious: \d+$/ }).click();
      await page.waitForURL(/\/scans\?.*result=suspicious/);
      expect(new URL(page.url()).searchParams.get('since')).to.equal('2026-10-21');
      const rows = page.getByRole('row', { name: /Suspicious/ });
      await rows.first().waitFor();
      expect(await rows.count()).to.equal((await page.getByRole('row').count()) - 1);

      // Pressing a filter and typing replaces what it says.
      await page.getByRole('combobox', { name: 'Country' }).click();
      await page.keyboard.type('Chin');
      await page.getByRole('option', { name: 'China', exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/country=CN/);
      const product = page.getByRole('combobox', { name: 'Product' });
      await product.click();
      await product.and(page.locator(':focus[aria-expanded=true]')).waitFor();
      await page.keyboard.type('yuzu');
      await page.getByRole('option', { name: 'Yuzu Cleansing Gel' }).click();
      await page.waitForURL(/productId=prod_/);
    }));

  it('leads from a figure of the last 30 days, and from a country, to as many scans', () =>
    visit(stack, async ({ page }) => {
      const watcher = await stack.account();
      const { orgId } = watcher;
      const { db } = stack.installation.core;
      const batchId = await stack.minted(watcher, 1);
      const { rows } = await db.query<{ unitId: string; productId: string }>(
        'select id as "unitId", product_id as "productId" from product_units where batch_id = $1',
        [batchId],
      );
      const begins = startOfDay(dayAfter(dayOf(new Date(), 'Europe/Lisbon'), -29), 'Europe/Lisbon').getTime();
      const spot = { country: 'DE', lat: 52.5, lon: 13.4 };
      const scans = [begins - 60_000, begins - 100 * 86_400_000, begins, begins + 86_400_000].map((at) => ({
        ...rows[0]!,
        ...spot,
        place: spot,
        orgId,
        batchId,
        at: new Date(at),
        result: 'genuine',
      }));
      await seedScans({ pool: db }, scans);
      await countScans(db, scans);
      await rollUp(db);
      await signIn(page, watcher, '/app/overview');
      const leadsToTwo = async (name: string | RegExp) => {
        await page.getByRole('link', { name }).click();
        await page.waitForURL(/\/scans\?/);
        await page.locator('tbody a').first().waitFor();
        expect(await page.locator('tbody tr').count(), String(name)).to.equal(2);
        await page.goBack();
      };
      await leadsToTwo('Scans: 2');
      await page.getByRole('region', { name: 'Where they were scanned' }).getByText('Show as table').click();
      await leadsToTwo('Germany');
    }));

  it('names what needs attention now, with the way there', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner);
      await page.waitForURL('**/app/overview');
      const waiting = page.getByRole('region', { name: 'Needs attention now' });
      for (const [name, to] of [
        ['Open cases', '/app/cases?status=undecided'],
        ['New reports', '/app/reports?status=open'],
        ['Failing endpoints', '/app/developers/webhooks'],
      ] as const)
        expect(await waiting.getByRole('link', { name }).getAttribute('href')).to.equal(to);
      expect(await waiting.locator('a[href^="/app/cases/case_"]').count()).to.be.above(0);
      const counted = await waiting.locator(':has(> h3)', { hasText: 'Open cases' }).textContent();
      await waiting.getByRole('link', { name: 'Open cases' }).click();
      await page.locator('tbody a').first().waitFor();
      expect(await page.locator('tbody tr').count()).to.equal(Number(/\d+$/.exec(counted!)![0]));
    }));

  it('leads from work that failed or waits to where it is told, in words', () =>
    visit(stack, async ({ page }) => {
      const worker = await stack.account();
      const { db } = stack.installation.core;
      const orgId = worker.orgId;
      const { batchId } = await seedBatch({ ...stack.installation, orgId }, 1);
      const at = new Date();
      const bulk = (source: object) =>
        db.query(
          `insert into bulk_jobs (id, org_id, action, source, phase, status, done, total, error, due_at, created_at, started_at, finished_at)
           values ($1, $2, 'suspend', $3, 'work', 'failed', 0, 1, $4, $5, $5, $5, $5)`,
          [newUuid(), orgId, source, { code: 'UNEXPECTED', message: 'it broke' }, at],
        );
      await bulk({ kind: 'items', by: 'unitId', productId: null });
      await bulk({ kind: 'batch', batchId });
      await db.query(
        `insert into consignments (id, org_id, status, created_at, dispatched_at)
         select gen_random_uuid(), $1, 'dispatched', $2, $2 from generate_series(1, 1001)`,
        [orgId, new Date(at.getTime() - 20 * 86_400_000)],
      );
      await signIn(page, worker, '/app/overview');
      const waiting = page.getByRole('region', { name: 'Needs attention now' });
      await waiting.getByText('1,000+', { exact: true }).waitFor();
      const jobs = waiting.getByRole('link', { name: /^Suspending failed: / });
      const ways = await jobs.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(ways[0]).to.match(/^\/app\/batches\/batch_\w+\?bulk=bulk_/);
      expect(ways[1]).to.match(/^\/app\/units\?bulk=bulk_/);
      await jobs.last().click();
      const told = page.getByRole('status');
      await told.getByText('0 units changed').waitFor();
      await told.getByText('Not finished').waitFor();
      await page.evaluate(`localStorage.setItem('touchstone-language', 'de')`);
      await page.goto('/app/overview');
      await page
        .getByText(/^Sperren fehlgeschlagen: /)
        .first()
        .waitFor();
    }));

  it('says where closed cases speak against the threshold, with the way to the comparison', () =>
    visit(stack, async ({ page }) => {
      const analyst = await stack.account();
      await seedBatch({ ...stack.installation, orgId: analyst.orgId }, 1);
      await stack.installation.core.db.query(
        `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, status, closing_reason, suspicious_scans, max_score, signals,
                                 first_scan_id, last_scan_id, opened_at, updated_at, closed_at)
         select gen_random_uuid(), $1, unit, unit, unit, 'dismissed', 'resold', 1, 70, '{}', unit, unit, now(), now(), now()
           from (select gen_random_uuid() as unit from generate_series(1, 31)) as units`,
        [analyst.orgId],
      );
      await signIn(page, analyst, '/app/overview');
      const waiting = page.getByRole('region', { name: 'Needs attention now' });
      await waiting.getByText('31 of 31 dismissed').waitFor();
      await waiting.getByRole('link', { name: 'Another may fit better' }).click();
      await page.getByRole('button', { name: 'Compare with a year of decisions' }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/risk-policy');
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
