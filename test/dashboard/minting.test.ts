import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { dashboardStack, PASSWORD, type Stack } from './support/stack.ts';
import { inspect, PHONE, signInByForm, visit } from './support/visit.ts';

const linkIn = (mail: string): string => /https?:\/\/[^/\s]+(\/\S+)/.exec(mail)![1]!;

async function signUp(stack: Stack, page: Page, email: string): Promise<void> {
  await page.goto('/app/sign-up');
  await page.getByLabel('Organization').fill('Olivaia');
  await page.getByLabel('Your name').fill('Rita');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  await page.goto(linkIn(await stack.mailTo(email)));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('You can sign in now').waitFor();
  await signInByForm(page, { email, password: PASSWORD, userId: '', orgId: '' }, '/app/products');
}

const brand = { email: 'minting@olivaia.example', password: PASSWORD, userId: '', orgId: '' };

describe('minting in the dashboard', function () {
  this.timeout(60_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('leads from the sign-up to a scan in the life of a unit, click by click', () =>
    visit(stack, async ({ page, newPage }) => {
      await signUp(stack, page, brand.email);

      await page.getByRole('link', { name: 'New product' }).first().click();
      await page.getByLabel('Name').fill('Olive oil, extra virgin');
      await page.getByLabel('SKU').fill('OO-500');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil, extra virgin', level: 1 }).waitFor();

      await page.getByRole('link', { name: 'New batch' }).first().click();
      await page.getByLabel('Quantity').fill('40');
      await page.getByLabel('Lot').fill('L-2611');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil, extra virgin · L-2611' }).waitFor();

      await page.getByRole('link', { name: 'Mint codes' }).click();
      await page.getByAltText('The symbol as it would be printed').waitFor();
      await page.getByRole('switch', { name: 'Active at once' }).check({ force: true });
      await page.getByRole('button', { name: 'Mint 40 units' }).click();

      await page.getByRole('heading', { name: 'Downloads' }).waitFor();
      await page.getByText('40 of 40 units').waitFor();
      await inspect(page, 'minting-job');
      const file = page.getByRole('row').filter({ hasText: 'codes.csv' });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        file.getByRole('link', { name: 'Download' }).click(),
      ]);
      const bytes = readFileSync(await download.path());
      const told = await file.getByRole('button', { name: /SHA-256/ }).getAttribute('aria-label');
      expect(told).to.include(createHash('sha256').update(bytes).digest('hex'));
      const [header = '', first = ''] = bytes.toString('utf8').split('\n');
      const serial = first.split(',')[header.split(',').indexOf('serial')]!;

      await page.getByRole('link', { name: 'Units' }).click();
      await page.getByRole('searchbox').fill(serial);
      await page.getByRole('link', { name: serial }).click();
      await page.getByRole('heading', { name: `Unit ${serial}` }).waitFor();
      await page.getByAltText(`QR code of the unit ${serial}`).waitFor();
      expect(await page.locator('[data-type=scanned]').count()).to.equal(0);

      const address = await page.getByRole('link', { name: 'See what a consumer sees' }).getAttribute('href');
      const phone = await newPage();
      await phone.setViewportSize(PHONE);
      await phone.goto(address!);
      await phone.getByText('Olive oil, extra virgin').first().waitFor();
      await phone.close();
      // By itself: nobody reloads.
      await page
        .locator('[data-type=scanned]')
        .getByText(/Scanned in .*: genuine/)
        .waitFor();
    }));

  it('suspends a whole batch after saying how many units that are', () =>
    visit(stack, async ({ page }) => {
      await signInByForm(page, brand, '/app/batches');
      await page.getByRole('link', { name: 'Olive oil, extra virgin' }).click();
      await page.getByRole('button', { name: 'Suspend all…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Suspend 40 active units?' });
      await dialog.getByText('must not be relied on').waitFor();
      await inspect(page, 'batch-suspend');
      await dialog.getByRole('button', { name: 'Suspend 40 units' }).click();
      await page.getByText('40 units changed').waitFor();
      await page.locator('[data-count=suspended]', { hasText: '40' }).waitFor();
      await page.locator('[data-count=suspended]').click();
      await page.waitForURL(/status=suspended/);
      await page.getByRole('row').nth(25).waitFor();
    }));

  it('draws symbol and sheet while one types, and says what is impossible and why', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signInByForm(page, brand, '/app/minting/new');
      const symbol = page.getByAltText('The symbol as it would be printed');
      await symbol.waitFor();
      const advice = page.getByText('Consumers cannot open these codes');
      await advice.waitFor();
      const first = await symbol.getAttribute('src');
      await page.getByRole('combobox', { name: 'Batch' }).fill('L-26');
      await page.getByRole('option', { name: 'Olive oil, extra virgin · L-2611' }).click();
      await page.getByText('40 units of this batch exist already').waitFor();
      await page.getByRole('button', { name: 'Size, margin and colours' }).click();
      await page.getByLabel('Scale').fill('8');
      await eventually('another picture', async () => (await symbol.getAttribute('src')) !== first);
      await page.getByRole('checkbox', { name: 'PDF (label sheets)' }).check();
      await page.getByAltText('The first sheet of labels as it would be printed').waitFor();
      await page.getByLabel('Resolution').fill('300');
      await page.getByText(/mm at 300 dpi/).waitFor();
      await inspect(page, 'minting-new');

      await page.getByRole('combobox', { name: 'Symbology' }).click();
      await page.getByRole('option', { name: 'GS1 DataMatrix' }).click();
      const refusal = page.getByRole('alert').filter({ hasText: 'This is not possible' });
      await refusal.getByText(/gtin/i).waitFor();
      // The last picture stays, and the field says it too.
      expect(await symbol.count()).to.equal(1);
      expect(await page.getByRole('combobox', { name: 'Symbology' }).getAttribute('aria-invalid')).to.equal(
        'true',
      );
      await inspect(page, 'minting-impossible');
      await page.getByRole('combobox', { name: 'Symbology' }).click();
      await page.getByRole('option', { name: 'Data Matrix', exact: true }).click();
      await refusal.waitFor({ state: 'detached' });
      await advice.waitFor();

      // What a telephone does not open leads nowhere.
      await page.getByRole('combobox', { name: 'Symbology' }).click();
      await page.getByRole('option', { name: 'Code 128', exact: true }).click();
      await advice.waitFor({ state: 'detached' });
    }));
});
