/** The dashboard without a pointer: where the focus goes on, and what a reader of the screen is told. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { openCase } from '../../shared/risk-cases/service.ts';
import { whereFails, whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('the dashboard by the keyboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  const focused = (page: Page, field: Locator) => field.and(page.locator(':focus')).waitFor();
  const said = (page: Page, words: string | RegExp) =>
    page.locator('[aria-live=polite]', { hasText: words }).waitFor({ state: 'attached' });
  /** Somebody of their own, with a product. */
  const withProduct = async () => {
    const account = await stack.account();
    await stack.minted(account, 1);
    return account;
  };

  it('goes on in the screen that was followed, from a row and from the rail, and names it', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/products');
      await page.locator('tbody a').first().press('Enter');
      await page.waitForURL(/\/products\/prod_/);
      await page.locator('#content:focus').waitFor();
      await page.getByRole('link', { name: 'Cases', exact: true }).press('Enter');
      await focused(page, page.getByRole('main', { name: 'Cases' }));
    }));

  it('goes on in the field that was cleared, and at the heading where what was pressed is gone', () =>
    visit(stack, async ({ page, expectStatus }) => {
      await signIn(page, owner, '/app/products');
      const search = page.getByRole('searchbox');
      await search.fill('yuzu');
      await page.getByRole('button', { name: 'Clear' }).press('Enter');
      await focused(page, search);
      await search.fill('nothing of the kind');
      await page.getByRole('button', { name: 'Show all current products' }).press('Enter');
      await focused(page, page.getByRole('heading', { name: 'Products' }));
      expectStatus(500);
      await page.goto('/app/settings/account');
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      const again = page.getByRole('button', { name: 'Try again' });
      await whereFails(page, '**/api/v1/recalls?*', {}, async () => {
        await page.goto('/app/recalls');
        await again.waitFor();
      });
      await again.press('Enter');
      await focused(page, page.getByRole('heading', { name: 'Recalls', level: 1 }));
    }));

  it('stays at the buttons that turn pages, also at the first and the last, and hears which page it is', () =>
    visit(stack, async ({ page }) => {
      const account = await stack.account();
      await stack.minted(account, 60);
      await signIn(page, account, '/app/units');
      const [first, previous, next] = ['First', 'Previous', 'Next'].map((name) =>
        page.getByRole('button', { name }),
      ) as [Locator, Locator, Locator];
      for (const number of [2, 3]) {
        await next.press('Enter');
        await said(page, `Page ${number}`);
        await page.locator('.data-table[aria-busy=false]:not([data-stale])').waitFor();
      }
      await page.locator('[aria-disabled=true]', { hasText: 'Next' }).waitFor();
      await focused(page, next);
      await first.press('Enter');
      await said(page, 'Page 1');
      await first.waitFor({ state: 'detached' });
      await focused(page, previous);
    }));

  it('stays at the button that moves all units of a batch, also once there is none left to move', () =>
    visit(stack, async ({ page }) => {
      const account = await stack.account();
      const batchId = await stack.minted(account, 1);
      await signIn(page, account, `/app/batches/${encodeId('batch', batchId)}`);
      const suspend = page.getByRole('button', { name: 'Suspend all…' });
      await suspend.and(page.getByRole('button', { disabled: false })).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Suspend 1 unit' }).press('Enter');
      await page.getByRole('status').getByText('1 unit changed').waitFor();
      await suspend.and(page.getByRole('button', { disabled: true })).waitFor();
      await focused(page, suspend);
      await page.keyboard.press('Enter');
      expect(await dialog.count()).to.equal(0);
    }));

  it('goes on at the button whose change was refused, within the dialog', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(500);
      await signIn(page, await withProduct(), '/app/products');
      await page.locator('tbody a').first().click();
      await page.getByRole('button', { name: 'Archive' }).press('Enter');
      const archive = page.getByRole('dialog').getByRole('button', { name: 'Archive' });
      await whereFails(page, '**/api/v1/products/*/archive', { method: 'POST' }, async () => {
        await archive.press('Enter');
        await page.getByRole('dialog').getByRole('alert').waitFor();
        await focused(page, archive);
      });
    }));

  it('goes on in the screen whose entry of the palette was pressed by a pointer', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/products');
      await page.keyboard.press('Control+k');
      const entry = page.getByRole('option', { name: 'Cases', exact: true });
      await entry.click();
      await page.waitForURL(/\/cases/);
      await entry.waitFor({ state: 'detached' });
      await focused(page, page.locator('#content'));
    }));

  it('is told what the palette has selected', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/products');
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Where to, or what to do?', expanded: true });
      await focused(page, field);
      const active = async () => {
        const id = await field.getAttribute('aria-activedescendant');
        return page.locator(`[role=listbox] [role=option][aria-selected=true][id="${id}"]`).innerText();
      };
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: 'New batch', selected: true }).waitFor();
      expect(await active()).to.equal('New batch');
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: 'Open cases', selected: true }).waitFor();
      expect(await active()).to.equal('Open cases');
      await page.keyboard.type('recalls');
      await page.getByRole('option', { name: 'Recalls', selected: true }).waitFor();
      expect(await active()).to.equal('Recalls');
    }));

  it('hears that something was copied', () =>
    visit(stack, async ({ page }) => {
      await page.context().grantPermissions(['clipboard-write']);
      await signIn(page, owner, '/app/products');
      await page.locator('tbody a').first().click();
      await page.getByRole('button', { name: /^prod_.*: Copy$/ }).press('Enter');
      await said(page, 'Copied');
    }));

  /** @returns the address of a case of somebody's, who has a product */
  const withCase = async (account: Account) => {
    const { core } = stack.installation;
    const { rows } = await core.db.query<{ id: string }>('select id from product_units where org_id = $1', [
      account.orgId,
    ]);
    const author = encodeId('user', account.userId);
    const { row } = await withTransaction(core.db, ({ db }) =>
      openCase(core, db, account.orgId, { unitId: rows[0]!.id }, author),
    );
    return `/app/cases/${encodeId('case', row.id)}`;
  };

  it('goes on at the reason that is missing, in the note field, at whom a case was given to, and beside a row that is removed', () =>
    visit(stack, async ({ page }) => {
      const account = await withProduct();
      await signIn(page, account, await withCase(account));
      const assignee = page.getByRole('combobox', { name: 'Assigned to' });
      await assignee.focus();
      await page.getByRole('option', { name: 'Ana Oliveira' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('[data-combobox-selected]', { hasText: 'Ana Oliveira' }).waitFor();
      const given = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.keyboard.press('Enter');
      await given;
      await page.locator('input[role=combobox][value^="Ana Oliveira"]:not([readonly])').waitFor();
      await focused(page, assignee);

      await page.getByLabel('What should your colleagues know?').fill('Seized in Antwerp');
      await page.getByRole('button', { name: 'Add the note' }).press('Enter');
      await focused(page, page.locator('textarea:placeholder-shown'));

      await page.getByRole('button', { name: 'Dismiss…' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button').last().press('Enter');
      await dialog.getByText('Choose the reason that fits best').waitFor();
      await focused(page, dialog.getByRole('radio').first());

      await page.goto('/app/products/new');
      const add = page.getByRole('button', { name: 'Add a value' });
      for (let row = 0; row < 2; row += 1) await add.press('Enter');
      await page.getByRole('button', { name: 'Remove 2' }).press('Enter');
      await focused(page, add);
    }));

  it('goes on beside a message of a recall that is removed', () =>
    visit(stack, async ({ page }) => {
      const account = await stack.account();
      const batchId = await stack.minted(account, 1);
      await signIn(page, account, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await page.getByRole('button', { name: 'See what it would reach' }).press('Enter');
      const add = page.getByRole('combobox', { name: 'Add a language' });
      for (const language of ['German', 'French', 'Spanish']) {
        await add.press('ArrowDown');
        await page.getByRole('option', { name: language, selected: false }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('textbox', { name: `Message in ${language}` }).waitFor();
      }
      const remove = (language: string) =>
        page.getByRole('button', { name: `Remove the message in ${language}` });
      await remove('German').press('Enter');
      await focused(page, remove('French'));
      await remove('Spanish').press('Enter');
      await focused(page, add);
      await remove('English').press('Enter');
      await focused(page, add);
      expect(await page.getByRole('textbox', { name: /^Message in/ }).count()).to.equal(1);
    }));

  it('is left where one types by now, in a dialog and beside a policy’s trial', () =>
    visit(stack, async ({ page }) => {
      const account = await withProduct();
      await signIn(page, account, await withCase(account));
      const reason = page.getByRole('dialog').getByRole('textbox');
      await page.getByLabel('What should your colleagues know?').fill('Seized in Antwerp');
      await whereHeld(page, '**/api/v1/risk-cases/*', async () => {
        await page.getByRole('button', { name: 'Add the note' }).press('Enter');
        await page.getByRole('button', { name: 'Dismiss…' }).press('Enter');
        await reason.pressSequentially('Shown in ');
      });
      await page.locator('textarea:placeholder-shown').waitFor();
      await page.keyboard.type('a shop');
      expect(await reason.inputValue()).to.equal('Shown in a shop');

      await page.goto('/app/risk-policy');
      const from = page.getByLabel('Suspicious from');
      await from.fill('85');
      await whereHeld(page, '**/api/v1/risk-policies/simulate', async () => {
        await page.getByRole('button', { name: 'Try on the last 30 days' }).press('Enter');
        await from.focus();
      });
      const trial = page.getByRole('heading', { name: 'What it would have done' });
      await trial.waitFor();
      await focused(page, from);
      // What has not come to its end is cancelled when it is left.
      await page.getByRole('table', { name: 'What it would have done' }).waitFor();
      // Another number, and this one again.
      await from.press('ArrowUp');
      await trial.waitFor({ state: 'detached' });
      await from.press('ArrowDown');
      await trial.waitFor();
      await focused(page, from);
    }));

  it('is led to a policy’s trial, and hears how it ended', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await withProduct(), '/app/risk-policy');
      await page.getByLabel('Suspicious from').fill('85');
      await page.getByRole('button', { name: 'Try on the last 30 days' }).press('Enter');
      await focused(page, page.getByRole('heading', { name: 'What it would have done' }));
      await page
        .getByRole('status')
        .filter({ hasText: /scans? of/ })
        .waitFor();
    }));

  it('goes back to the person whose role was looked at or changed, and to the heading from one who is removed', () =>
    visit(stack, async ({ page }) => {
      const account = await stack.account();
      const other = await stack.account('viewer', account.orgId);
      await stack.installation.core.db.query(`update users set name = 'Tom' where id = $1`, [other.userId]);
      await signIn(page, account, '/app/settings/people');
      const actions = page.getByRole('button', { name: 'Actions for Tom' });
      const dialog = page.getByRole('dialog');
      const ask = async (item: string) => {
        await actions.press('Enter');
        await page.getByRole('menuitem', { name: item }).press('Enter');
        await dialog.waitFor();
      };
      await ask('Change the role');
      await dialog.getByLabel('Role').selectOption('analyst');
      await page.keyboard.press('Escape');
      await focused(page, actions);
      await ask('Change the role');
      expect(await dialog.getByLabel('Role').inputValue()).to.equal('viewer');
      await dialog.getByLabel('Role').selectOption('analyst');
      await dialog.getByRole('button', { name: 'Change the role' }).press('Enter');
      await page.getByRole('row', { name: /Tom.*Analyst/ }).waitFor();
      await focused(page, actions);
      await ask('Remove');
      await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
      await actions.waitFor({ state: 'detached' });
      await focused(page, page.getByRole('heading', { name: 'People', level: 1 }));
    }));

  it('goes on at the heading of a page before the sign-in whose form has done its work', () =>
    visit(stack, async ({ page }) => {
      await page.goto('/app/forgot-password');
      await page.getByLabel('E-mail address').fill('nobody@dashboard.example');
      await page.keyboard.press('Enter');
      await page.getByText('a link is on its way').waitFor();
      await focused(page, page.getByRole('heading', { name: 'Forgotten password' }));
    }));

  it('types a day into a filter, into which nothing is put meanwhile: Safari would begin the year anew', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/settings/audit-log');
      const from = page.getByLabel('From day');
      await from.waitFor();
      await page.evaluate(`(() => {
        const field = document.querySelector('input[type=date]');
        const { get, set } = Object.getOwnPropertyDescriptor(field, 'value');
        window.put = [];
        const put = (day) => (window.put.push(day), set.call(field, day));
        Object.defineProperty(field, 'value', { configurable: true, get, set: put });
      })()`);
      await from.pressSequentially('11112026');
      await page.waitForURL(/from=2026-11-11/);
      expect(await page.evaluate('window.put')).to.deep.equal([]);
      await from.press('Tab');
      expect(await from.inputValue()).to.equal('2026-11-11');
    }));
});
