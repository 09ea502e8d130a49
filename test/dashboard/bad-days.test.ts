import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, type Stack } from './support/stack.ts';
import { numberOf, whereAnswered, whereFails, whereHeld } from './support/answers.ts';
import { signIn, visit } from './support/visit.ts';

const LOADING = { name: 'Loading' } as const;

describe('the dashboard, when the service does not answer', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  const told = (page: Page, text: string) => page.getByRole('alert').getByText(text).first().waitFor();
  /** Opens the first row of a list. */
  const openFirst = async (page: Page, list: string) => {
    await page.goto(list);
    const first = page.locator('tbody a').first();
    const to = await first.getAttribute('href');
    await first.click();
    await page.waitForURL(`**${to}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

  it('says so in the place of a list, with the number of the request, and reads it again when asked', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(500);
      await signIn(page, await stack.sample(), '/app/settings/account');
      await whereFails(page, '**/api/v1/products?*', {}, async () => {
        await page.getByRole('link', { name: 'Products' }).click();
        await told(page, 'Something went wrong in the service');
        await told(page, 'Try again. If it happens again');
        await page.getByText(/^no \/api\/v1\/products\?limit=25/).waitFor();
        expect(await page.getByText('No products yet').count()).to.equal(0);
      });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('tbody a').first().waitFor();
    }));

  it('says of everything else on a screen that it could not be read, and claims nothing in its place', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(500);
      await signIn(page, await stack.sample(), '/app/settings/account');
      /** Every request that `reads` names fails, each is made, and the number of each is on the screen. */
      const expectTold = async (open: () => Promise<unknown>, reads: readonly RegExp[]) => {
        const pattern = new RegExp(reads.map(({ source }) => source).join('|'));
        const failed = await whereFails(page, pattern, {}, async () => {
          await open();
          for (const read of reads)
            await page
              .getByText(new RegExp(`^no .*${read.source}`))
              .first()
              .waitFor();
        });
        for (const address of failed)
          await page.getByText(numberOf(address), { exact: true }).first().waitFor();
      };

      await expectTold(() => openFirst(page, '/app/cases'), [/\/scans\?unitId/, /\/timeline/]);
      // The evidence came with the case.
      await page.locator('.evidence').first().waitFor();
      for (const claim of ['Nothing speaks against this scan.', 'No position is known'])
        expect(await page.getByText(claim).count(), claim).to.equal(0);

      await expectTold(
        () => openFirst(page, '/app/scans?result=suspicious'),
        [/\/scans\?unitId/, /\/risk-cases\?unitId/],
      );
      await expectTold(
        () => page.goto('/app/overview?since=2026-10-21&until=2026-11-18'),
        [/\/timeseries/, /\/attention/, /\/map\?.*by=cell/, /\/funnel/],
      );
      await expectTold(
        () => openFirst(page, '/app/units'),
        [/\/timeline\?limit/, /\/timeline\?type/, /\/barcode\.svg/],
      );
      await expectTold(async () => {
        await page.goto('/app/batches');
        const batch = await page.locator('tbody a').last().getAttribute('href');
        await page.goto(`${batch}?bulk=blk_01h455vb4pex5vsknk084sn02q`);
      }, [/\/bulk-jobs\//, /\/unit-counts/, /\/barcode-jobs\?/, /\/scans\?/]);
      await expectTold(async () => {
        await page.goto('/app/consignments');
        await page.getByRole('link', { name: 'PO-2209' }).click();
      }, [/\/bulk-jobs\?/, /\/units\?condition/, /\/scans\?/]);
      await expectTold(async () => {
        await page.goto('/app/recalls');
        await page.locator('tbody').getByRole('link').filter({ hasText: 'Batch' }).first().click();
      }, [/\/product-units\?batchId/]);
    }));

  it('shows grey where another thing’s data will be, never that of the one before, nor what was typed there', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/cases');
      const links = page.locator('tbody a');
      await links.nth(1).waitFor();
      const [first, second] = await Promise.all([0, 1].map((row) => links.nth(row).getAttribute('href')));
      const caseId = second!.split('/').at(-1)!;
      await page.goto(first!);
      const note = page.getByPlaceholder('What should your colleagues know?');
      await note.fill('Of the first case');
      const title = await page.getByRole('heading', { level: 1 }).innerText();
      await whereHeld(page, `**/api/v1/risk-cases/${caseId}`, async () => {
        await page.keyboard.press('Control+k');
        await page.getByPlaceholder('Where to, or what to do?').fill(caseId);
        await page.getByRole('option', { name: / Case/ }).waitFor();
        await page.keyboard.press('Enter');
        const question = page.getByRole('dialog', { name: 'Leave without saving?' });
        await question.getByRole('button', { name: 'Leave' }).click();
        await page.waitForURL(`**${second}`);
        await page.locator('main').getByRole('status', LOADING).first().waitFor();
        expect(await page.getByRole('heading', { name: title }).count()).to.equal(0);
      });
      await note.waitFor();
      expect(await note.inputValue()).to.equal('');
    }));

  it('tells in a corner that a change by one press failed, what to do, and the number of the request', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503, 500);
      await signIn(page, await stack.sample());
      const away = { status: 503, code: 'UNAVAILABLE' };
      const expectNotice = async () => {
        const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'busy or restarting' });
        await notice.getByText('Wait a moment, then try again. Request: no /api/v1/').waitFor();
        await notice.getByRole('button', { name: 'Close' }).click();
        await notice.waitFor({ state: 'detached' });
      };
      const assign = async () => {
        await page.getByRole('combobox', { name: 'Assigned to' }).click();
        await page.getByRole('option', { name: /\(me\)/ }).click();
      };
      for (const [list, path, begin] of [
        ['/app/cases?status=open', '**/api/v1/risk-cases/*', 'Start investigating'],
        ['/app/reports?status=open', '**/api/v1/counterfeit-reports/*', 'Start looking into it'],
      ] as const) {
        await openFirst(page, list);
        await whereFails(page, path, { ...away, method: 'PATCH' }, async () => {
          await page.getByRole('button', { name: begin }).click();
          await expectNotice();
          await assign();
          await expectNotice();
        });
      }
      await page.goto('/app/scans');
      await whereFails(page, '**/api/v1/product-units?serial=*', { status: 500 }, async () => {
        await page.getByLabel('Serial').fill('7K2M');
        await page.keyboard.press('Enter');
        await page
          .locator('.mantine-Notification-root')
          .getByText(/no \/api\/v1\/product-units\?serial=7K2M/)
          .waitFor();
      });
    }));

  it('asks again while a scan is being assessed', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/scans');
      await page.locator('tbody a').first().waitFor();
      await whereAnswered(page, '**/api/v1/scans/scan_*', { assessment: 'preliminary' }, async () => {
        await page.locator('tbody a').first().click();
        await page.getByText('Being assessed').waitFor();
      });
      await page.getByText('Being assessed').waitFor({ state: 'detached' });
    }));

  it('follows a role that was taken away: what it no longer may leaves the navigation', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(403);
      const person = await stack.account('administrator');
      await signIn(page, person, '/app/developers/webhooks');
      await page.getByRole('link', { name: 'Operator' }).waitFor();
      // A screen that asks for nothing again by itself: the link is still there when it is pressed.
      await page.getByRole('link', { name: 'Settings' }).click();
      const log = page.getByRole('link', { name: 'Audit log' });
      await log.waitFor();
      await stack.installation.core.db.query(`update users set role = 'viewer' where id = $1`, [
        person.userId,
      ]);
      await log.click();
      await page
        .getByText('Ask an administrator of your organization if you need it. It takes: audit_log.read')
        .waitFor();
      await page.getByRole('link', { name: 'Operator' }).waitFor({ state: 'detached' });
    }));
});
