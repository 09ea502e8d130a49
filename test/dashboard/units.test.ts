import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { encodeId, newUuid } from '../../shared/ids.ts';
import { tokenOf } from '../../shared/units/token.ts';
import { whereHeld } from './support/answers.ts';
import { call } from './support/api.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('the batches and units of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.sample();
  });

  it('say of a list of units whether any was changed, and of each why not', () =>
    visit(stack, async ({ page }) => {
      const person = await stack.account();
      await stack.minted(person, 1);
      const { rows } = await stack.installation.core.db.query<{ id: string }>(
        'select id from product_units where org_id = $1',
        [person.orgId],
      );
      const [own] = rows.map(({ id }) => encodeId('unit', id));
      const unknown = Array.from({ length: 7 }, () => encodeId('unit', newUuid()));
      const after = async (unitIds: readonly string[], words: string) => {
        const body = { action: 'suspend', unitIds };
        const job = await call<{ id: string }>(stack, person, '/product-units/bulk', body);
        await signIn(page, person, `/app/units?bulk=${job.id}`);
        const status = page.getByRole('status').filter({ hasText: words });
        await status.waitFor();
        return status;
      };
      const refused = await after(unknown, 'No unit could be changed');
      const more = refused.getByText('and 2 more');
      await more.press('Enter');
      for (const id of unknown) await refused.getByText(`${id}: There is no such unit.`).waitFor();
      await more.and(page.locator(':focus')).waitFor();
      await inspect(page, 'bulk-refused');
      const partly = await after([own!, own!, unknown[0]!], 'Suspended');
      await partly.getByText('1 unit changed · 1 could not be changed').waitFor();
      expect(await partly.getByText('more').count()).to.equal(0);
    }));

  it('are listed, found by what a code says, and told as one life with a map', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/batches');
      await page.getByRole('row').nth(3).waitFor();
      await inspect(page, 'batches');
      await page.goto('/app/units');
      await page.getByRole('row').nth(3).waitFor();
      await inspect(page, 'units');

      const { token, serial } = await scannedUnit(stack, owner);
      await page.getByRole('searchbox').fill(`https://verify.example/v/${token}`);
      await page.getByRole('row').nth(1).waitFor();
      await page.getByRole('link', { name: serial }).click();
      await page.getByRole('heading', { name: `Unit ${serial}` }).waitFor();
      await page.locator('[data-type=scanned]').first().waitFor();
      await page
        .getByLabel(/^Map with \d+ scans?$/)
        .first()
        .waitFor();
      await inspect(page, 'unit');
      expect(await page.locator('[data-type=minted]').count()).to.equal(1);
      expect(await page.locator('[data-type=activated]').count()).to.equal(1);

      await page.getByText('Scans', { exact: true }).last().click();
      await page.waitForURL(/show=scans/);
      await page.locator('[data-type=minted]').waitFor({ state: 'detached' });

      await page.evaluate(`localStorage.setItem('touchstone-language', 'ar')`);
      await page.reload();
      await page.locator('html[dir=rtl]').waitFor({ state: 'attached' });
      await page.locator('[data-type=scanned]').first().waitFor();
      await inspect(page, 'unit-arabic');
    }));

  it('are exported as the filters leave them', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/units');
      await page.getByRole('row').nth(3).waitFor();
      const serial = (await page.locator('tbody a').first().textContent())!;
      await page.getByRole('searchbox').fill(serial);
      await page.waitForURL(/search=/);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByText('All units that match the filters').waitFor();
      await page.getByRole('button', { name: 'Write the file' }).click();
      await page.getByText(/^1 unit, /).waitFor();
      await inspect(page, 'units-export');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal('units.csv');
      const [heading, row, ...more] = readFileSync(await download.path(), 'utf8')
        .trimEnd()
        .split('\n');
      expect(heading).to.match(/^\uFEFFid,serial,status,/);
      expect(row!.split(',')[1]).to.equal(serial);
      expect(more).to.deep.equal([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Export' }).click();
      const earlier = page.getByRole('region', { name: 'Earlier files' });
      await earlier.getByText(/1 unit, /).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      const cut = await page.evaluate(
        `[...document.querySelectorAll('[aria-label="Earlier files"] .mantine-Button-label')].filter((one) => one.scrollWidth > one.clientWidth).length`,
      );
      expect(cut, 'labels cut off on a small phone').to.equal(0);
    }));

  it('change state after a question that says what will happen', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/units?status=active');
      await page.locator('tbody a').last().click();
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Suspend' }).click();
      await dialog.getByText('Whoever scans this one unit is warned').waitFor();
      await dialog.getByRole('button', { name: 'Suspend' }).click();
      await page.locator('[data-type=suspended]').waitFor();
      await page.getByRole('button', { name: 'Recall' }).click();
      await dialog.getByLabel('Reason of the recall').fill('Of another unit');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Recall' }).click();
      expect(await dialog.getByLabel('Reason of the recall').inputValue()).to.equal('');
      await dialog.getByLabel('Reason of the recall').fill('Cap leaks');
      await inspect(page, 'unit-recall');
      await dialog.getByRole('button', { name: 'Recall' }).click();
      await page.locator('[data-type=recalled]').getByText('Cap leaks').waitFor();
      await page.getByRole('button', { name: 'Lift the recall' }).click();
      await dialog.getByRole('button', { name: 'Lift the recall' }).click();
      await page.locator('[data-type=recall_lifted]').waitFor();
      await page.getByRole('button', { name: 'Activate' }).click();
      await dialog.getByRole('button', { name: 'Activate' }).click();
      await page.getByText('The unit is active.').waitFor();
    }));

  it('belong to a product, whose own screen leads to them and to their jobs', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/products');
      await page.locator('tbody a').first().click();
      await page.getByRole('region', { name: 'Batches' }).getByRole('link').nth(1).waitFor();
      await inspect(page, 'product-with-batches');
      await page.getByRole('region', { name: 'Batches' }).locator('tbody a').first().click();
      await page.locator('[data-count=active]').waitFor();
      // Where the row was that was pressed, there may be something with a tip by now, which stands outside of everything.
      await page.mouse.move(0, 0);
      await inspect(page, 'batch');
      await page.goto('/app/minting');
      await page.getByRole('row').nth(2).waitFor();
      await inspect(page, 'minting');
    }));

  it('are of a product that is found while one types, and Enter takes it', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/batches/new');
      const product = page.getByRole('combobox', { name: 'Product' });
      await product.click();
      // Too early: nothing is found yet, and nothing is sent.
      await whereHeld(page, /\/api\/v1\/products\?(?:.*&)?q=/, async () => {
        await page.keyboard.type('yuzu');
        await page.keyboard.press('Enter');
      });
      await takeYuzu(page, product);
    }));

  it('are of no product where a text is too long for the name of one, which is no failure', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, await stack.sample(), '/app/units');
      const product = page.getByRole('combobox', { name: 'Product' });
      await product.click();
      await product.fill('W'.repeat(120));
      await page.getByText('Nothing found').waitFor();
      expect(await page.getByText('That did not work').count()).to.equal(0);
    }));

  it('are of a product that is typed, and Enter pressed, before the list is there to find it', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/batches/new');
      const product = page.getByRole('combobox', { name: 'Product' });
      await whereHeld(page, '**/remote-select-drawn*', async () => {
        await product.click();
        await page.keyboard.type('yuzu');
        await page.keyboard.press('Enter');
      });
      await takeYuzu(page, product);
    }));

  it('say why a batch without a product is refused, with the focus on it and no list over the reason', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, await stack.sample(), '/app/batches/new');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('combobox', { name: 'Product' }).and(page.locator(':focus')).waitFor();
      await page.getByText('Fill this in.').first().waitFor();
      await inspect(page, 'batch-refused');
      expect(await page.getByRole('option').count()).to.equal(0);
    }));

  it('are read-only for a viewer', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.account('viewer', owner.orgId), '/app/units');
      await page.locator('tbody a').first().click();
      await page.getByRole('heading', { name: 'Its life' }).waitFor();
      for (const name of ['Activate', 'Suspend', 'Recall', 'Void', 'Mark as used'])
        expect(await page.getByRole('button', { name, exact: true }).count()).to.equal(0);
      await page.goto('/app/minting/new');
      await page.getByText('barcodes.generate').waitFor();
    }));
});

/** Waits for what was found by its name, takes it with Enter and checks that the form was not sent. */
async function takeYuzu(page: Page, product: Locator) {
  await page.locator('[role=option][data-combobox-selected]', { hasText: 'Yuzu' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  expect(await product.inputValue()).to.match(/^Yuzu Cleansing Gel/);
  expect(await page.locator('.mantine-InputWrapper-error').count()).to.equal(0);
}

/** A unit with scans in several countries. */
async function scannedUnit({ installation: { core } }: Stack, { orgId }: Account) {
  const { rows } = await core.db.query<{ serial: string; code: Buffer; token_key: string }>(
    `select u.serial, u.code, u.token_key
       from scans s join product_units u on u.org_id = s.org_id and u.id = s.unit_id
      where s.org_id = $1 and u.status = 'active'
      group by u.org_id, u.id having count(*) between 3 and 10
      order by count(distinct s.country) desc, count(*) desc, u.id limit 1`,
    [orgId],
  );
  const { serial, code, token_key: keyId } = rows[0]!;
  return { serial, token: tokenOf(core.config.TOKEN_KEYS, code, keyId) };
}
