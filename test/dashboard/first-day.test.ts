import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ADDRESSES } from '../support/places.ts';
import { dashboardStack, linkIn, PASSWORD, type Stack } from './support/stack.ts';
import { inspect, PHONE, signInByForm, visit } from './support/visit.ts';

/** The same person next door: another network of the same city. */
const NEIGHBOUR = '141.20.200.1';

const brand = { email: 'rita@olivaia.example', password: PASSWORD };

describe('the first day with the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  /** Opens what a code says on somebody's telephone, in the network of `ip`. @returns the verdict. */
  async function scan(address: string, ip: string): Promise<string> {
    let verdict = '';
    const scanned = async ({ newPage }: { newPage: () => Promise<Page> }) => {
      const phone = await newPage();
      await phone.setExtraHTTPHeaders({ 'x-forwarded-for': ip });
      await phone.goto(address);
      await phone.getByText('Olive oil, extra virgin').first().waitFor();
      verdict = await phone.getByRole('heading', { level: 1 }).innerText();
    };
    await visit(stack, scanned, { viewport: PHONE });
    return verdict;
  }

  it('leads from the sign-up over the first codes to a copy that is found and a case that is dismissed', () =>
    visit(stack, async ({ page }) => {
      await page.goto('/app');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await inspect(page, 'sign-in');
      await page.getByRole('link', { name: 'Sign up' }).click();
      await page.getByLabel('Organization').fill('Olivaia');
      await page.getByLabel('Your name').fill('Rita');
      await page.getByLabel('E-mail address').fill(brand.email);
      await page.getByLabel('Password', { exact: true }).fill(brand.password);
      await inspect(page, 'sign-up');
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();

      await page.goto(linkIn(await stack.mailTo(brand.email)));
      await page.getByRole('button', { name: 'Confirm' }).waitFor();
      expect(page.url()).to.equal(`${stack.url}/app/verify-email`);
      await inspect(page, 'verify-email');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('You can sign in now').waitFor();
      await signInByForm(page, brand);

      await page.getByRole('link', { name: 'Create the first product' }).click();
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

      // By itself, here and below: nobody reloads.
      await page.getByText('40 of 40 units').waitFor();
      await page.getByText('Everything is made and checked').waitFor();
      await inspect(page, 'minting-job');
      const [address, serial] = await download(page);

      await page.getByRole('link', { name: 'Units' }).click();
      await page.getByRole('searchbox').fill(address);
      await page.getByRole('link', { name: serial }).click();
      await page.getByRole('heading', { name: `Unit ${serial}` }).waitFor();
      await page.getByAltText(`QR code of the unit ${serial}`).waitFor();
      const scans = page.locator('[data-type=scanned]');
      await page.locator('[data-type=activated]').waitFor();
      expect(await scans.count()).to.equal(0);
      expect(await scan(address, ADDRESSES.DE)).to.equal('Genuine code');
      await page.bringToFront();
      await scans.getByText('Scanned in Germany: genuine').waitFor();

      expect(await scan(address, ADDRESSES.JP)).to.equal('Possibly copied');
      await page.bringToFront();
      await page.getByText('Under suspicion').first().waitFor();
      await scans.getByText('Scanned in Japan: suspicious').waitFor();
      await page.getByRole('link', { name: 'Units' }).click();
      await page.getByRole('combobox', { name: 'Risk' }).click();
      await page.getByRole('option', { name: 'Under suspicion' }).click();
      await page.getByRole('table').getByText('Under suspicion').waitFor();
      await page.getByRole('link', { name: serial }).click();
      await page.getByRole('link', { name: 'See what speaks against it' }).click();
      await page.getByRole('button', { name: 'Start investigating' }).waitFor();

      await page.getByRole('link', { name: 'Scans' }).click();
      await page.getByRole('row').nth(2).waitFor();
      await page.getByRole('combobox', { name: 'Result' }).click();
      await page.getByRole('option', { name: 'Suspicious' }).click();
      await page.waitForURL(/result=suspicious/);
      await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page
        .getByText(/^Berlin → Tokyo, 8,900 km in \d minutes?, uncertainty 16 km and 200 km$/)
        .waitFor();
      await page.getByText(/The limit is 1,000 km\/h/).waitFor();
      await page.getByRole('link', { name: 'Open the case' }).click();
      await page.getByRole('button', { name: 'Start investigating' }).click();
      await page.getByText('Being investigated').waitFor();
      await page.getByRole('combobox', { name: 'Assigned to' }).click();
      await page.getByRole('option', { name: /\(me\)/ }).click();
      await page.getByPlaceholder('What should your colleagues know?').fill('She was on a trip.');
      await page.getByRole('button', { name: 'Add the note' }).click();
      await page.getByRole('paragraph').filter({ hasText: 'She was on a trip.' }).waitFor();
      await page.getByRole('button', { name: 'Dismiss…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/1 suspicious scan, counts no more/).waitFor();
      await dialog.getByRole('button', { name: 'Dismiss the case' }).click();
      await dialog.getByText('Choose the reason that fits best').waitFor();
      await dialog.getByLabel(/Its owner scanned it/).check();
      await dialog.getByRole('button', { name: 'Dismiss the case' }).click();
      await page.getByText('Closed: Its owner scanned it in several places.').waitFor();

      expect(await scan(address, NEIGHBOUR)).to.equal('Genuine code');
      await page.bringToFront();
      await page.getByRole('link', { name: 'Scans' }).click();
      await page.getByRole('combobox', { name: 'Result' }).click();
      await page.getByRole('option', { name: 'Genuine' }).click();
      await page.waitForURL(/result=genuine/);
      await page.getByRole('row').nth(2).waitFor();
    }));
});

/** Takes the list of codes, and compares it with the checksum that the page tells. @returns the first code and its serial. */
async function download(page: Page): Promise<[address: string, serial: string]> {
  const file = page.getByRole('row').filter({ hasText: 'codes.csv' });
  const [taken] = await Promise.all([
    page.waitForEvent('download'),
    file.getByRole('link', { name: 'Download' }).click(),
  ]);
  const bytes = readFileSync(await taken.path());
  const told = await file.getByRole('button', { name: /SHA-256/ }).getAttribute('aria-label');
  expect(told).to.include(createHash('sha256').update(bytes).digest('hex'));
  const [header, first] = bytes
    .toString('utf8')
    .split('\n', 2)
    .map((line) => line.split(','));
  return [first![header!.indexOf('address')]!, first![header!.indexOf('serial')]!];
}
