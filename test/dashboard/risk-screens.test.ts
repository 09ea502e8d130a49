import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { encodeId } from '../../shared/ids.ts';
import type { Page } from 'playwright-core';
import { whereAway } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, jumps, signIn, visit } from './support/visit.ts';

describe('the screens of scans and risk', function () {
  this.timeout(90_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  /** The rows of a list and the names in them. */
  const listed = async (page: Page) => {
    await page.getByRole('row').nth(1).waitFor();
    await page.locator('tbody .mantine-Skeleton-root').last().waitFor({ state: 'detached' });
  };
  const named = (page: Page) =>
    page.locator('main .mantine-Skeleton-root').last().waitFor({ state: 'detached' });
  const drawn = async (page: Page) => {
    await page.locator('svg.map').waitFor();
    await named(page);
  };

  it('are whole with some weeks of data', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans?range=90d');
      await listed(page);
      await inspect(page, 'scans');
      await page.goto('/app/scans?result=suspicious');
      await listed(page);
      // The hint leaves the element alone that it is of: a press that loses its element is no click.
      const time = (await page.locator('tbody time').first().elementHandle())!;
      await time.hover();
      await page
        .getByRole('tooltip')
        .filter({ hasText: /CES?T · 2026-\d\d-\d\dT.*Z$/ })
        .waitFor();
      expect(await time.evaluate((element) => (element as { isConnected: boolean }).isConnected)).to.equal(
        true,
      );
      await page
        .getByRole('row', { name: /Impossible travel/ })
        .first()
        .getByRole('link')
        .click();
      await drawn(page);
      await inspect(page, 'scan');
      await page.goto('/app/scans?result=diverted');
      await listed(page);
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByText(/sold for/).waitFor();
      await drawn(page);
      await inspect(page, 'scan-diverted');

      await page.goto('/app/cases');
      await listed(page);
      await inspect(page, 'cases');
      await page
        .getByRole('row', { name: /Copied code/ })
        .first()
        .getByRole('link')
        .click();
      await drawn(page);
      await page.reload();
      await drawn(page);
      expect(await jumps(page), 'how much jumped').to.be.below(0.05);
      await inspect(page, 'case');
      await page.getByRole('button', { name: 'Dismiss…' }).click();
      await page.getByRole('dialog').getByRole('radio').first().waitFor();
      await inspect(page, 'case-dismiss');

      await page.goto('/app/reports');
      await listed(page);
      await inspect(page, 'reports');
      await page.getByRole('link', { name: /The smell is gone/ }).click();
      await page.getByRole('img', { name: 'Photo 1' }).waitFor();
      await named(page);
      await inspect(page, 'report');

      await page.goto('/app/risk-policy');
      await page.getByRole('switch', { name: 'Copied code' }).waitFor();
      await inspect(page, 'risk-policy');
    }));

  it('say of a scan how many units that looked like its own turned out to be copied', () =>
    visit(stack, async ({ page }) => {
      // The sample organization is too young to have learned it.
      const { rows } = await stack.installation.core.db.query<{ id: string }>(
        `update scans set signals = jsonb_set(signals, '{0,turnedOut}', '0.83')
          where id = (select id from scans where org_id = $1 and signals #>> '{0,type}' = 'clone' and signals #>> '{0,reason}' = 'places' limit 1)
         returning id`,
        [owner.orgId],
      );
      await signIn(page, owner, `/app/scans/${encodeId('scan', rows[0]!.id)}`);
      await page
        .getByText(/makes 60 points of 100\. Of your units .* 83% turned out to be copied\.$/)
        .waitFor();
    }));

  it('give the cases that the filters show as a table, and say when they cannot', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503);
      await signIn(page, owner, '/app/cases?status=confirmed');
      await listed(page);
      const shown = await page.locator('tbody tr').count();
      const save = page.getByRole('button', { name: 'Export as CSV' });
      const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
      expect(download.suggestedFilename()).to.equal('risk-cases.csv');
      const [heading, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
      const status = heading!.split(',').indexOf('status');
      expect(rows.map((row) => row.split(',')[status])).to.deep.equal(
        Array.from({ length: shown }, () => 'confirmed'),
      );
      await whereAway(page, '**/api/v1/risk-cases.csv?*', 503, 1, async () => {
        await save.click();
        await page.locator('.mantine-Notification-root').getByText('busy or restarting').waitFor();
      });
      await save.and(page.locator(':enabled')).waitFor();
    }));

  it('read from the right in Arabic', () =>
    visit(
      stack,
      async ({ page }) => {
        await page.goto('/app/scans');
        await page.locator('input[type=email], input[name=email]').first().fill(owner.email);
        await page.locator('input[type=password]').fill(owner.password);
        await page.locator('button[type=submit]').click();
        await listed(page);
        expect(await page.locator('html').getAttribute('dir')).to.equal('rtl');
        await page.goto('/app/scans?result=suspicious');
        await listed(page);
        await page.getByRole('row').nth(1).getByRole('link').click();
        await drawn(page);
        await inspect(page, 'scan-arabic');
      },
      { locale: 'ar' },
    ));

  it('say of a case that is not there that it is not', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(404);
      await signIn(page, owner, '/app/cases/case_01h455vb4pex5vsknk084sn02q');
      await page.getByText('This does not exist').waitFor();
    }));

  it('are read-only for a viewer', () =>
    visit(stack, async ({ page }) => {
      const viewer = await stack.account('viewer', owner.orgId);
      await signIn(page, viewer, '/app/cases');
      await listed(page);
      await page.getByRole('table').getByText('Aiko Tanaka').waitFor();
      await page.getByRole('row').nth(1).getByRole('link').click();
      await drawn(page);
      expect(await page.getByRole('button', { name: 'Dismiss…' }).count()).to.equal(0);
      await page.goto('/app/risk-policy');
      await page.getByText('Changing it takes the role of an analyst or more.').waitFor();
      expect(await page.getByRole('switch', { name: 'Copied code' }).isDisabled()).to.equal(true);
      expect(await page.getByRole('button', { name: 'Try on the last 30 days' }).count()).to.equal(0);
    }));
});
