import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { openCase } from '../../shared/risk-cases/service.ts';
import { ADDRESSES } from '../support/places.ts';
import { seedUnits } from '../support/seed.ts';
import { whereFails, whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('decisions in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;
  let token: string;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
    token = (await seedUnits({ ...stack.installation, orgId: owner.orgId }, 1))[0]!;
  });

  const openedCase = async (): Promise<string> => {
    const { core } = stack.installation;
    const { rows } = await core.db.query<{ id: string }>('select id from product_units where org_id = $1', [
      owner.orgId,
    ]);
    const author = encodeId('user', owner.userId);
    const { row } = await withTransaction(core.db, ({ db }) =>
      openCase(core, db, owner.orgId, { unitId: rows[0]!.id }, author),
    );
    return encodeId('case', row.id);
  };
  const filedReport = async (): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ADDRESSES.DE };
    const body = JSON.stringify({ description: 'The seal is a sticker' });
    const filed = await fetch(`${stack.url}/v/${token}/reports`, { method: 'POST', headers, body });
    return ((await filed.json()) as { reportId: string }).reportId;
  };
  const focused = (page: Page, selector: string, text: string) =>
    page.locator(`${selector}:focus`, { hasText: text }).waitFor();

  it('on a report take their note with them, and leave the focus where one goes on', async () => {
    const id = await filedReport();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/reports/${id}`);
      // Escape leads back to the button, whichever was pressed last.
      for (const name of ['Confirm…', 'Dismiss…', 'Confirm…']) {
        await page.getByRole('button', { name }).click();
        await page.getByRole('dialog').getByRole('radio').first().and(page.locator(':focus')).waitFor();
        await page.keyboard.press('Escape');
        await focused(page, 'button', name);
      }
      await page.getByRole('button', { name: 'Dismiss…' }).click();
      await page.getByLabel('The product is genuine').check();
      await page.getByLabel('Note').fill('The shop sent the invoice');
      // A press beside the dialog takes what was written with it no more than the reason.
      await page.mouse.click(4, 4);
      await page.mouse.click(4, 300);
      // One request does both: none could be lost after the other.
      await whereFails(page, '**/notes', { method: 'POST' }, async () => {
        await page.getByRole('button', { name: 'Dismiss the report' }).click();
        await page.getByText('Report dismissed.').waitFor();
      });
      await page.getByText('The shop sent the invoice').waitFor();
      await focused(page, 'h1', 'Report about');
      await page.getByRole('button', { name: 'Open again' }).press('Enter');
      await page.getByRole('button', { name: 'Open again' }).waitFor({ state: 'detached' });
      await focused(page, 'h1', 'Report about');

      // A colleague decides otherwise, and the screen reads it before this is decided.
      await page.getByRole('button', { name: 'Dismiss…' }).click();
      await page.getByLabel('The product is genuine').check();
      await stack.installation.core.db.query(
        `update counterfeit_reports set status = 'confirmed', resolution = 'counterfeit', closed_at = now() where org_id = $1`,
        [owner.orgId],
      );
      const read = page.waitForResponse(/counterfeit-reports\/rep_/);
      await page.evaluate(
        `{ const now = Date.now; Date.now = () => now() + 20_000; dispatchEvent(new Event('visibilitychange')); }`,
      );
      await read;
      await page.getByText('Closed: It is a counterfeit.').waitFor();
      await page.getByRole('button', { name: 'Dismiss the report' }).click();
      await page.getByRole('alert').getByText('It is now: Confirmed.').waitFor();
      await page.getByRole('button', { name: 'Dismiss the report' }).click();
      await page.getByText('Closed: The product is genuine.').waitFor();
    });
  });

  it('on a unit leave the focus where one goes on, also where the button goes with what it did', async () => {
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/units?q=${token}`);
      await page.getByRole('table').getByRole('link').first().click();
      for (const [name, done] of [
        ['Suspend', 'The unit is suspended.'],
        ['Activate', 'The unit is active.'],
      ] as const) {
        const button = page.getByRole('button', { name, exact: true });
        await button.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
        await focused(page, 'button', name);
        await button.press('Enter');
        // Its focus comes a moment after it: a key before that would be another button's.
        await page.getByRole('dialog').locator(':focus').waitFor();
        await page.getByRole('dialog').getByRole('button', { name }).press('Enter');
        await page.getByText(done).waitFor();
        await button.waitFor({ state: 'detached' });
        await page.locator('h1:focus').waitFor();
      }
    });
  });

  it('on a case leave the focus at its heading, and a note that was begun is not lost without a question', async () => {
    const id = await openedCase();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/cases/${id}`);
      await page.getByRole('button', { name: 'Confirm a copy…' }).click();
      await page.getByRole('dialog').getByRole('radio').first().check();
      await page.getByRole('button', { name: 'Confirm a copy', exact: true }).click();
      await page.getByText('Scans of the unit are now answered').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator('h1:focus').waitFor();

      const note = page.getByLabel('What should your colleagues know?');
      const away = page.getByRole('main').getByRole('link', { name: 'Cases', exact: true });
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await note.fill('Seized in Antw');
      await away.click();
      await dialog.getByText('The note that you have begun').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await note.inputValue()).to.equal('Seized in Antw');
      await away.click();
      await dialog.getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL(/\/app\/cases(\?|$)/);

      // What was kept is no reason to ask.
      await page.goto(`/app/cases/${id}`);
      await note.fill('Seized in Antwerp');
      await whereHeld(page, '**/timeline*', async () => {
        await page.getByRole('button', { name: 'Add the note' }).click();
        await page.getByText('Seized in Antwerp', { exact: true }).and(page.locator('.as-written')).waitFor();
        await away.click();
        await page.waitForURL(/\/app\/cases(\?|$)/);
      });
    });
  });

  it('keeps what is written of a next note while one is on its way', async () => {
    const id = await filedReport();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/reports/${id}`);
      const note = page.getByPlaceholder('What should your colleagues know?');
      await note.fill('Asked the shop.');
      await whereHeld(page, `**/api/v1/counterfeit-reports/${id}`, async () => {
        const asked = page.waitForRequest((request) => request.method() === 'PATCH');
        await page.getByRole('button', { name: 'Add the note' }).click();
        await asked;
        await note.fill('Asked the shop. It answers on Monday.');
      });
      await page.getByText('Asked the shop.').and(page.locator('.as-written')).waitFor();
      await page.waitForFunction(
        `document.querySelector('textarea').value !== 'Asked the shop. It answers on Monday.'`,
      );
      expect(await note.inputValue()).to.equal('It answers on Monday.');
      await note.fill('');
    });
  });
});
