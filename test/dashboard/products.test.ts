import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { encodeId } from '../../shared/ids.ts';
import { seedBatch } from '../support/seed.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('the products of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('name all of their markets without a mouse', async () => {
    const { orgId } = await stack.account();
    const { productId } = await seedBatch({ ...stack.installation, orgId }, 1, ['DE', 'FR', 'ES', 'IT']);
    const reader = await stack.account('viewer', orgId);
    await visit(stack, async ({ page }) => {
      await signIn(page, reader, '/app/products');
      await page.getByText('Germany, France and 2 more').waitFor();
      await page.goto(`${stack.url}/app/products/${encodeId('prod', productId)}`);
      await page.getByText('Germany, France, Spain and Italy').waitFor();
    });
  });

  it('get no batch of another number of units than was typed', async () => {
    const { orgId } = await stack.account();
    const { productId } = await seedBatch({ ...stack.installation, orgId }, 1, []);
    const maker = await stack.account('administrator', orgId);
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, maker, `/app/products/${encodeId('prod', productId)}`);
      await page.getByRole('link', { name: 'New batch' }).first().click();
      await page.getByLabel('Quantity').fill('0');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('1 or more.').waitFor();
      expect(await page.getByLabel('Quantity').inputValue()).to.equal('0');
      await page.getByLabel('Quantity').fill('7');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('0 of 7').waitFor();
    });
  });

  it('are created, found, changed and archived', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/products');
      await page.getByRole('heading', { name: 'No products yet' }).waitFor();
      await page.getByRole('link', { name: 'New product' }).first().click();
      await page.getByLabel('Name').fill('Olive oil, extra virgin');
      await page.getByLabel('SKU').fill('OO-500');
      await page.getByLabel('GTIN').fill('4012345123457');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('the last must be the right check digit').waitFor();
      // The first field that is wrong has the focus.
      await page.getByLabel('GTIN').and(page.locator(':focus')).waitFor();
      await inspect(page, 'product-new');
      await page.getByLabel('GTIN').fill('4012345123456');
      await page.getByRole('combobox', { name: 'Markets' }).fill('Germ');
      await page.getByRole('option', { name: 'Germany' }).waitFor();
      // Enter takes what was found, and what was not found is no reason to send the form.
      await page.keyboard.press('Enter');
      await page.locator('.mantine-Pill-label', { hasText: 'Germany' }).waitFor();
      await page.keyboard.type('Atlantis');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil, extra virgin' }).waitFor();
      await page.getByText('04012345123456').waitFor();
      await page.getByText('Germany', { exact: true }).waitFor();
      await inspect(page, 'product');

      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Brand').fill('Olivaia');
      for (const [index, [name, value]] of [
        ['Vintage', '2026'],
        ['Vintage', 'late'],
      ].entries()) {
        await page.getByRole('button', { name: 'Add a value' }).click();
        await page.getByLabel(`Name ${index + 1}`).fill(name!);
        await page.getByLabel(`Value ${index + 1}`).fill(value!);
      }
      await page.getByText('This name is there already').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
      await page.getByLabel('Name 2').fill('Harvest');
      await inspect(page, 'product-edit');
      await page.getByRole('button', { name: 'Save' }).click();
      const details = page.getByRole('region', { name: 'Further details' });
      await details.getByText('late', { exact: true }).waitFor();
      const { core } = stack.installation;
      const kept = async () =>
        (
          await core.db.query<{ id: string; brand: string; attributes: object }>(
            `select id, brand, attributes from products where org_id = $1 and sku = 'OO-500'`,
            [owner.orgId],
          )
        ).rows[0]!;
      expect(await kept()).to.deep.include({
        brand: 'Olivaia',
        attributes: { Vintage: '2026', Harvest: 'late' },
      });
      // What a program wrote keeps its kind.
      await core.db.query('update products set attributes = $2 where id = $1', [
        (await kept()).id,
        { ml: 500, tags: ['oil'], Harvest: 'late' },
      ]);
      await page.reload();
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Value 1').fill('750');
      await page.getByRole('button', { name: 'Remove Harvest' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await details.getByText('750').waitFor();
      expect((await kept()).attributes).to.deep.equal({ ml: 750, tags: ['oil'] });

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
      await page.getByRole('button', { name: 'Take out of the archive' }).click();
      await page.getByRole('dialog').getByText('It takes new batches again').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Take out of the archive' }).click();
      await page.getByRole('link', { name: 'New batch' }).waitFor();
    }));

  it('have links to pages elsewhere, each in its language, and say of which one what is wrong', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      const { orgId } = await stack.account();
      const { productId } = await seedBatch({ ...stack.installation, orgId }, 1, []);
      const editor = await stack.account('administrator', orgId);
      await signIn(page, editor, `/app/products/${encodeId('prod', productId)}/edit`);
      const fill = async (link: Locator, title: string, url: string, language: string) => {
        await page.getByRole('button', { name: 'Add a link' }).click();
        await link.getByLabel('What it is called').fill(title);
        await link.getByLabel('Address').fill(url);
        await link.getByRole('combobox', { name: 'Language' }).click();
        await page.getByRole('option', { name: language }).click();
      };
      const links = page.getByRole('group', { name: 'Links' }).getByRole('group');
      await fill(links.nth(0), 'How to press', 'https://olivaia.example/press', 'English');
      await fill(links.nth(1), 'Digitaler Produktpass', 'olivaia.example/pass', 'German');
      await links.nth(1).getByLabel('Kind (GS1 link type)').click();
      await page.getByRole('option', { name: 'gs1:dpp' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      const wrong = page.locator('[aria-invalid=true]');
      await wrong.waitFor();
      expect(await wrong.inputValue()).to.equal('olivaia.example/pass');
      await inspect(page, 'product-links');
      await wrong.fill('https://olivaia.example/pass');
      expect(await wrong.count()).to.equal(0);
      await page.getByRole('button', { name: 'Save' }).click();
      const kept = page.getByRole('region', { name: 'Links' });
      await kept.getByText('gs1:dpp · German').waitFor();
      expect(await kept.getByRole('link', { name: 'How to press' }).getAttribute('href')).to.equal(
        'https://olivaia.example/press',
      );
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Remove How to press' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await kept.getByText('gs1:dpp · German').waitFor();
      expect(await kept.getByRole('link').count()).to.equal(1);
    }));

  it('say at the field what is wrong with it, in the reader’s language', () =>
    visit(
      stack,
      async ({ page, expectStatus }) => {
        expectStatus(422, 409);
        const { core } = stack.installation;
        await core.db.query(
          `insert into products (id, org_id, name, sku) values (gen_random_uuid(), $1, 'Öl', 'TAKEN')`,
          [owner.orgId],
        );
        await page.goto('/app/products/new');
        await page.getByLabel('E-Mail-Adresse').fill(owner.email);
        await page.getByLabel('Passwort', { exact: true }).fill(owner.password);
        await page.locator('button[type=submit]').click();
        const fault = (label: string) =>
          page
            .locator('.mantine-InputWrapper-root', { has: page.getByLabel(label) })
            .locator('.mantine-InputWrapper-error');
        await page.getByLabel('GTIN').fill('12345678');
        await page.getByLabel('Bild').fill('olive');
        await page.getByRole('button', { name: 'Anlegen' }).click();
        await fault('Name').getByText('Bitte ausfüllen.').waitFor();
        await fault('GTIN').getByText('die letzte muss die richtige Prüfziffer sein').waitFor();
        await fault('Bild').getByText('die mit http:// oder https:// beginnt').waitFor();
        await page.getByLabel('Name').fill('Olivenöl');
        await page.getByLabel('Artikelnummer').fill('TAKEN');
        await page.getByLabel('GTIN').fill('');
        await page.getByLabel('Bild').fill('');
        await page.getByRole('button', { name: 'Anlegen' }).click();
        await fault('Artikelnummer').getByText('Das ist schon vergeben.').waitFor();
      },
      { locale: 'de' },
    ));

  it('page by cursor, with the page in the address and the way back in the history', async () => {
    const { core } = stack.installation;
    const { orgId, ...account } = await stack.account();
    await core.db.query(
      `insert into products (id, org_id, name, sku)
       select gen_random_uuid(), $1, 'P-' || n, 'P-' || n from generate_series(1, 55) as n`,
      [orgId],
    );
    await core.db.query(
      `insert into users (id, org_id, email, password_digest, role)
       select gen_random_uuid(), $1, 'paged' || n || '@dashboard.example', 'x', 'viewer' from generate_series(1, 30) as n`,
      [orgId],
    );
    await visit(stack, async ({ page }) => {
      await signIn(page, { ...account, orgId }, '/app/products');
      const rows = page.locator('tbody tr');
      const ofRows = async (count: number) => {
        await rows.nth(count - 1).waitFor();
        await rows.nth(count).waitFor({ state: 'detached' });
      };
      const toLast = async () => {
        await ofRows(25);
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('Page 2').waitFor();
        await page.locator('table[aria-busy=false]:not([data-stale])').waitFor();
        await page.getByRole('button', { name: 'Next' }).click();
        await page.getByText('Page 3').waitFor();
        await ofRows(5);
      };
      const previous = page.getByRole('button', { name: 'Previous' });
      await toLast();
      expect(page.url()).to.include('cursor=');

      // What was opened leads back to the same page, which still knows the way.
      await page.locator('tbody a').first().click();
      await page.getByRole('heading', { level: 1, name: /^P-/ }).waitFor();
      await page.goBack();
      await page.getByText('Page 3').waitFor();
      await previous.click();
      await page.getByText('Page 2').waitFor();
      await previous.click();
      await page.getByText('Page 1').waitFor();
      expect(page.url()).not.to.include('cursor=');
      expect(await previous.isDisabled()).to.equal(true);

      // A filter begins at its first page, with no way back to pages of another.
      await toLast();
      await page.getByRole('searchbox').fill('P-');
      await page.waitForURL(/search=P-$/);
      await page.getByText('Page 1').waitFor();
      expect(await previous.isDisabled()).to.equal(true);

      // Somebody who is given the link to a page is not told that it is the first.
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL(/cursor=/);
      await page.getByText('Page 2').waitFor();
      const link = page.url();
      await page.goto('/healthz');
      await page.goto(link);
      await page.getByRole('button', { name: 'First' }).waitFor();
      expect(await page.getByText(/^Page \d/).count()).to.equal(0);

      // Each table of a screen has pages of its own.
      await page.goto('/app/settings/people');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Page 2').waitFor();
      await page.getByRole('heading', { name: 'No invitations' }).waitFor();
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

  it('tell the keys of the palette as they are called where one is', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, owner);
        await page.getByText('⌘ K').waitFor();
        await page.keyboard.press('Meta+k');
        await page.getByPlaceholder('Where to, or what to do?').waitFor();
      },
      { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' },
    ));

  it('are one keystroke away', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner);
      await page.getByText('Ctrl K').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('new prod');
      await inspect(page, 'palette');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/app/products/new');
      // The form takes the focus when it comes, and who leaves the palette has it back.
      const isTyping = (field: Locator) => field.and(page.locator(':focus')).waitFor();
      await isTyping(page.getByLabel('Name'));
      await page.keyboard.press('Control+k');
      await isTyping(page.getByPlaceholder('Where to, or what to do?'));
      await page.keyboard.press('Escape');
      await isTyping(page.getByLabel('Name'));
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      // Not from somebody who is in the palette again before the screen has come.
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('new key');
      await page.locator('[data-action][data-selected]').waitFor();
      await page.evaluate(`for (const key of [{ key: 'Enter', code: 'Enter' }, { key: 'k', ctrlKey: true }])
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))`);
      await page.waitForURL('**/app/developers/keys/new');
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await isTyping(page.getByPlaceholder('Where to, or what to do?'));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      // What has a name is found by it.
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Where to, or what to do?').fill('oo-50');
      await page.getByRole('option', { name: 'Olive oil, extra virgin Product · OO-500' }).waitFor();
      await inspect(page, 'palette-found');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/app\/products\/prod_/);
      await page.getByRole('heading', { name: 'Olive oil, extra virgin' }).waitFor();
    }));
});
