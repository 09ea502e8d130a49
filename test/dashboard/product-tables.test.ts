import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { LOST, whereLost } from './support/answers.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('the dashboard’s tables of products', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('are looked at before they are imported, by row and column, and saved again', () =>
    visit(stack, async ({ page, expectStatus }) => {
      const choose = (text: string, encoding: BufferEncoding, name = 'products.csv') =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
      const take = page.getByRole('button', { name: /^Import (?:a table|2 products)$/ });
      const { core } = stack.installation;
      await core.db.query(
        `insert into products (id, org_id, name, sku, markets) values (gen_random_uuid(), $1, 'Oil', 'OIL', '{PT}'), (gen_random_uuid(), $1, 'Soap', 'SOAP', '{}')`,
        [owner.orgId],
      );
      await signIn(page, owner, '/app/products');
      await page.getByRole('link', { name: 'Import a table' }).click();
      await page.getByRole('heading', { name: 'Import products from a table' }).waitFor();
      expect(await take.isDisabled()).to.equal(true);

      expectStatus(422);
      await choose('sku;name;gtin;markets\nNEW;;1234;\nOIL;Oil;;ZZ\nSOAP;Soap;;;1', 'utf8');
      const alert = page.getByRole('alert');
      await alert.getByText('Row 2, Name: Fill this in.').waitFor();
      await alert.getByText('Row 2, GTIN: 8, 12, 13 or 14 digits').waitFor();
      await alert.getByText('Row 3, Markets: This is not a country.').waitFor();
      await alert.getByText('Row 4, cells: Give at most 4.').waitFor();
      await inspect(page, 'product-import-refused');
      await choose('sku;Art.-Nr.\nNEW;1', 'utf8');
      await alert.getByText('Row 1, Art.-Nr.: There is no such field.').waitFor();
      // The empty table, as it was downloaded.
      await choose('sku,name', 'utf8');
      await alert.getByText('Products in the table: Give at least 1.').waitFor();
      await choose('PK\u0003\u0004…', 'latin1', 'products.xlsx');
      await alert.getByText('This is a workbook').waitFor();
      expect(await take.isDisabled()).to.equal(true);

      // As a spreadsheet of the west saves it.
      await choose('sku;name;markets\r\nNEW;Öl für Brot;DE AT\r\nOIL;Olive oil;\r\nSOAP;Soap;\r\n', 'latin1');
      const plan = page.getByRole('region', { name: 'What the table changes' });
      await plan.getByRole('row', { name: 'NEW Öl für Brot New' }).waitFor();
      await plan.getByRole('row', { name: 'OIL Olive oil Name and Markets' }).waitFor();
      await plan.getByText('1 new product1 changed1 stays as it is').waitFor();
      await inspect(page, 'product-import');
      await take.click();
      await page.getByText('2 products imported.').waitFor();
      await page.getByRole('link', { name: 'Öl für Brot' }).waitFor();
      await page.getByRole('row', { name: /Olive oil OIL – Everywhere/ }).waitFor();

      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export as CSV' }).click();
      const saved = await readFile(await (await download).path(), 'utf8');
      expect(saved)
        .to.match(/^\uFEFFsku,name,/)
        .and.include('\nNEW,Öl für Brot,,,,,DE AT,');
      await page.getByRole('link', { name: 'Import a table' }).click();
      await choose(saved, 'utf8');
      await plan.getByText('0 new products0 changed3 stay as they are').waitFor();
      expect(await take.isDisabled()).to.equal(true);

      // Whoever goes on to something else is not led away from it when the import is done.
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/products/import?dryRun=false', async (route) => {
        await held;
        await route.continue();
      });
      await choose('sku,name\nSOAP,Savon\n', 'utf8');
      await page.getByRole('button', { name: 'Import 1 product' }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Olive oil' }).click();
      await page.getByRole('heading', { name: 'Olive oil' }).waitFor();
      release();
      await page.getByText('1 product imported.').waitFor();
      await page.getByRole('heading', { name: 'Olive oil' }).waitFor();
    }));

  it('are said to be in place where they are imported again after a lost answer', () =>
    visit(stack, ({ page, expectComplaints }) => {
      expectComplaints(LOST);
      return whereLost(page, '**/products/import?dryRun=false', 'POST', async () => {
        await signIn(page, owner, '/app/products/import');
        const buffer = Buffer.from('sku,name\nLOST,Lost');
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer });
        const take = page.getByRole('button', { name: 'Import 1 product' });
        await take.click();
        await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
        await take.click();
        await page.getByText('The products are as the table has them.').waitFor();
        await page.getByRole('link', { name: 'Lost' }).waitFor();
      }).then(() => undefined);
    }));
});
