import { expect } from 'chai';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('the products of the dashboard', function () {
  this.timeout(60_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('are created, found, changed and archived', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/products');
      await page.getByRole('heading', { name: 'No products yet' }).waitFor();
      await inspect(page, 'products-empty');
      await page.getByRole('link', { name: 'New product' }).first().click();
      await page.getByLabel('Name').fill('Olive oil, extra virgin');
      await page.getByLabel('SKU').fill('OO-500');
      await page.getByLabel('GTIN').fill('4012345123457');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('valid check digit').waitFor();
      // The first field that is wrong has the focus.
      expect(
        await page.getByLabel('GTIN').evaluate((field) => field === field.ownerDocument.activeElement),
      ).to.equal(true);
      await inspect(page, 'product-new');
      await page.getByLabel('GTIN').fill('4012345123456');
      await page.getByRole('combobox', { name: 'Markets' }).fill('Germ');
      await page.getByRole('option', { name: 'Germany' }).click();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil, extra virgin' }).waitFor();
      await page.getByText('04012345123456').waitFor();
      await inspect(page, 'product');

      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Brand').fill('Olivaia');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Olivaia', { exact: true }).first().waitFor();

      await page.getByRole('link', { name: 'Products' }).first().click();
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByRole('heading', { name: 'No product matches' }).waitFor();
      await page.getByRole('searchbox').fill('oo-5');
      await page.getByRole('link', { name: 'Olive oil, extra virgin' }).waitFor();
      expect(page.url()).to.include('search=oo-5');
      await inspect(page, 'products');
      await page.getByRole('link', { name: 'Olive oil, extra virgin' }).click();

      await page.getByRole('button', { name: 'Archive' }).click();
      await page.getByText('It takes no new batches').waitFor();
      await inspect(page, 'product-archive');
      await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
      await page.getByText('Archived', { exact: true }).first().waitFor();
    }));

  it('page by cursor, with the page in the address', async () => {
    const { core } = stack.installation;
    const { orgId, ...account } = await stack.account();
    for (let number = 1; number <= 30; number++)
      await core.db.query(
        `insert into products (id, org_id, name, sku) values (gen_random_uuid(), $1, $2, $2)`,
        [orgId, `P-${number}`],
      );
    await visit(stack, async ({ page }) => {
      await signIn(page, { ...account, orgId }, '/app/products');
      await page.getByRole('row').nth(25).waitFor();
      expect(await page.getByRole('row').count()).to.equal(26);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL(/cursor=/);
      await page.getByText('Page 2').waitFor();
      await page.waitForFunction(`document.querySelectorAll('tbody tr').length === 5`);
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.waitForFunction(`document.querySelectorAll('tbody tr').length === 25`);
    });
  });

  it('are read-only for a viewer, who is told what the rest would take', () =>
    visit(stack, async ({ page }) => {
      const viewer = await stack.account('viewer', owner.orgId);
      await signIn(page, viewer, '/app/products');
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
      expect(await page.getByRole('link', { name: 'New product' }).count()).to.equal(0);
      await page.goto('/app/products/new');
      await page.getByText('This is not for your role').waitFor();
      await page.getByText('products.write').waitFor();
      await inspect(page, 'no-permission');
    }));

  it('say what happened, what to do and the number of the request when they cannot be read', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(404);
      await signIn(page, owner, '/app/products/prod_01h455vb4pex5vsknk084sn02q');
      await page.getByText('This does not exist').waitFor();
      await page.getByText('Request', { exact: true }).waitFor();
      await inspect(page, 'error');
    }));

  it('are one keystroke away', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('new prod');
      await inspect(page, 'palette');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/app/products/new');

      // What has a name is found by it.
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('oo-50');
      await page.getByRole('button', { name: 'Olive oil, extra virgin Product · OO-500' }).waitFor();
      await inspect(page, 'palette-found');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/app\/products\/prod_/);
      await page.getByRole('heading', { name: 'Olive oil, extra virgin' }).waitFor();
    }));
});
