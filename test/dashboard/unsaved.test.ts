import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { createConsignment } from '../../shared/consignments/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('what was typed in the dashboard and is not saved', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;
  let batchId: string;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
    batchId = encodeId('batch', await stack.minted(owner, 1));
  });

  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
  const stay = async (page: Page) => {
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'hidden' });
  };

  it('is asked about on the way out of a new recall, by a link and by the way back, and not once it is recalled', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/recalls');
      await page.getByRole('link', { name: 'New recall' }).first().click();
      await page.getByRole('combobox', { name: 'Batch' }).fill('L1');
      await page.getByRole('option').first().click();
      await page.getByRole('button', { name: 'See what it would reach' }).click();
      const reason = page.getByLabel('Reason');
      await reason.fill('Glass in a jar');
      await page.getByLabel('Message in English').fill('Bring it back.');
      await follow(page, 'Cases');
      await question(page).getByText('What you have entered here is not saved yet').waitFor();
      await stay(page);
      await page.evaluate('history.back()');
      await question(page).waitFor();
      await stay(page);
      expect(await reason.inputValue()).to.equal('Glass in a jar');
      await page.getByRole('button', { name: 'Recall 1 unit…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
      await page.getByText('Glass in a jar').waitFor();
      expect(await question(page).count()).to.equal(0);
      await follow(page, 'Cases');
      await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    }));

  it('is asked about in every form that is a screen', async () => {
    const { core } = stack.installation;
    const draft = { reference: null, sscc: null, origin: null, destination: null };
    const { id } = await withTransaction(core.db, ({ db }) =>
      createConsignment(core, db, owner.orgId, { ...draft, expectedMarkets: [], references: [] }),
    );
    const forms: [path: string, field: string][] = [
      ['products/new', 'Brand'],
      ['batches/new', 'Lot'],
      [`batches/${batchId}/edit`, 'Lot'],
      ['consignments/new', 'Reference'],
      [`consignments/${encodeId('cons', id)}/edit`, 'Reference'],
      ['developers/webhooks/new', 'Description'],
      ['developers/keys/new', 'Name'],
      ['settings/brand', 'Message'],
      ['settings', 'Security contact'],
      ['settings/account', 'Name'],
    ];
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/products');
      for (const [path, field] of forms) {
        await page.goto(`/app/${path}`);
        await page.locator('form').getByLabel(field).first().fill('typed');
        await follow(page, 'Overview');
        await question(page).waitFor();
        expect(new URL(page.url()).pathname, path).to.equal(`/app/${path}`);
        await question(page).getByRole('button', { name: 'Leave' }).click();
        await page.waitForURL('**/app/overview*');
      }
      await page.goto(`/app/minting/new?batchId=${batchId}`);
      // By the keyboard: what comes of the batch may move the switch away from beneath a pointer.
      await page.getByLabel('Text beneath the symbol').press('Space');
      await follow(page, 'Overview');
      await question(page).waitFor();
      await page.goto(`/app/consignments/${encodeId('cons', id)}`);
      await page.getByText('A range of serials').click();
      await page.getByLabel('First serial').fill('A');
      await follow(page, 'Overview');
      await question(page).waitFor();
    });
  });

  it('is asked about before the tab is closed; nothing is asked of what is saved, or was taken back', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/products/new');
      await page.getByLabel('Name').fill('Olive oil');
      await page.getByLabel('SKU').pressSequentially('OIL-7');
      const asked = page.waitForEvent('dialog');
      await page.evaluate('void setTimeout(() => location.reload())');
      const dialog = await asked;
      expect(dialog.type()).to.equal('beforeunload');
      await dialog.dismiss();
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil', level: 1 }).waitFor();
      expect(await question(page).count()).to.equal(0);

      await page.goto('/app/settings/brand');
      const message = page.getByLabel('Message');
      await message.fill('Thank you.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await message.fill('Thank you');
      await message.fill('Thank you.');
      await follow(page, 'Products');
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
    }));

  it('is asked about while it is on its way, and where it fails then that is told on the next screen', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503);
      await signIn(page, await stack.account(), '/app/products/new');
      await page.getByLabel('Name').fill('Olive oil');
      await page.getByLabel('SKU').fill('OIL-7');
      let leave!: () => void;
      const left = new Promise<void>((resolve) => (leave = resolve));
      const refuse = async (route: Route) => {
        if (route.request().method() === 'POST') await left;
        await route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: '{"code": "UNAVAILABLE"}',
        });
      };
      await page.route('**/api/v1/products', refuse);
      const asked = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Create' }).click();
      await asked;
      await follow(page, 'Overview');
      await question(page).getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL('**/app/overview*');
      leave();
      await page.locator('.mantine-Notification-root').getByText('Wait a moment').waitFor();
      await page.unroute('**/api/v1/products', refuse);
    }));
});
