import { expect } from 'chai';
import { correctBatch } from '../../shared/batches/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { updateProduct } from '../../shared/products/service.ts';
import {
  createEndpoint,
  getEndpoint,
  updateEndpoint,
  type EndpointChanges,
  type VettedUrl,
} from '../../shared/webhooks/service.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('the edit forms of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('change of a batch what was changed in them, and leave what a colleague corrected meanwhile', async () => {
    const batchId = await stack.minted(owner, 2);
    const { core } = stack.installation;
    const correct = (lot: string) =>
      withTransaction(core.db, ({ db }) => correctBatch(core, db, owner.orgId, batchId, { lot }));
    const kept = async () => {
      const { rows } = await core.db.query('select lot, former_lots, markets from batches where id = $1', [
        batchId,
      ]);
      return rows[0]!;
    };
    await correct('PRINTED');
    await visit(stack, async ({ page }) => {
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(request.postDataJSON());
      });
      await signIn(page, owner, `/app/batches/${encodeId('batch', batchId)}/edit`);
      const lot = page.getByLabel('Lot', { exact: true });
      await lot.waitFor();
      await correct('CORRECTED');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/batch_[^/]+$/);
      expect(sent).to.deep.equal([]);
      expect(await kept()).to.deep.include({ lot: 'CORRECTED', former_lots: ['L1', 'PRINTED'] });

      await page.reload();
      await page.getByRole('link', { name: 'Edit' }).click();
      expect(await lot.inputValue()).to.equal('CORRECTED');
      await correct('CORRECTED-2');
      await page.getByRole('combobox', { name: 'Markets' }).fill('Germ');
      await page.getByRole('option', { name: 'Germany' }).click();
      // The list of options would lie over the button.
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'CORRECTED-2' }).waitFor();
      expect(sent).to.deep.equal([{ markets: ['DE'], expected: { markets: null } }]);
      expect(await kept()).to.deep.include({ lot: 'CORRECTED-2', markets: ['DE'] });
    });
  });

  it('say beside a field what a colleague made of it meanwhile, and keep what was typed for whoever insists', async () => {
    const { core } = stack.installation;
    const { rows } = await core.db.query<{ id: string }>(
      `insert into products (id, org_id, name, sku, attributes)
       values (gen_random_uuid(), $1, 'Olive oil', 'SAME', '{"ml": 500}') returning id`,
      [owner.orgId],
    );
    const { id } = rows[0]!;
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      await signIn(page, owner, `/app/products/${encodeId('prod', id)}/edit`);
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      await name.fill('Mine');
      await updateProduct(core, core.db, owner.orgId, id, { name: 'Theirs', brand: 'Olivaia' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/Somebody else has changed this meanwhile.*It is now: Theirs/).waitFor();
      await name.and(page.locator(':focus')).waitFor();
      // With its label, and not under the head.
      const { y: labelTop } = (await page.locator('label', { hasText: 'Name' }).boundingBox())!;
      expect(labelTop).to.be.greaterThan(60);
      expect(await name.inputValue()).to.equal('Mine');
      // What was not touched here is as the colleague left it, and stays so.
      expect(await page.getByLabel('Brand').inputValue()).to.equal('Olivaia');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Mine' }).waitFor();
    });
    const { rows: kept } = await core.db.query('select name, brand from products where id = $1', [id]);
    expect(kept[0]).to.deep.equal({ name: 'Mine', brand: 'Olivaia' });

    const batchId = await stack.minted(owner, 1);
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      await signIn(page, owner, `/app/batches/${encodeId('batch', batchId)}/edit`);
      const lot = page.getByLabel('Lot', { exact: true });
      await lot.fill('MINE');
      await withTransaction(core.db, ({ db }) =>
        correctBatch(core, db, owner.orgId, batchId, { lot: 'THEIRS', expiresOn: '2030-01-01' }),
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is now: THEIRS').waitFor();
      expect(await page.getByLabel('Expires on').inputValue()).to.equal('2030-01-01');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'MINE' }).waitFor();
    });
  });

  it('say below the links of a product what a colleague made of them meanwhile', async () => {
    const { core } = stack.installation;
    const { rows } = await core.db.query<{ id: string }>(
      `insert into products (id, org_id, name, sku) values (gen_random_uuid(), $1, 'Olive oil', 'LINKS') returning id`,
      [owner.orgId],
    );
    const { id } = rows[0]!;
    const theirs = { linkType: 'gs1:dpp', url: 'https://olivaia.example/p', title: 'Theirs', language: null };
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      await signIn(page, owner, `/app/products/${encodeId('prod', id)}/edit`);
      await page.getByRole('button', { name: 'Add a link' }).click();
      await page.getByLabel('What it is called').fill('Mine');
      await page.getByLabel('Address', { exact: true }).fill('https://olivaia.example/mine');
      await updateProduct(core, core.db, owner.orgId, id, { links: [theirs] });
      await page.getByRole('button', { name: 'Save' }).click();
      await page
        .getByRole('group', { name: 'Links' })
        .getByRole('alert')
        .filter({ hasText: 'It is now: Theirs: https://olivaia.example/p' })
        .waitFor();
      expect(await page.getByLabel('What it is called').inputValue()).to.equal('Mine');
    });
  });

  it('change of a product what was changed in them', async () => {
    const { core } = stack.installation;
    const { rows } = await core.db.query<{ id: string }>(
      `insert into products (id, org_id, name, sku, attributes)
       values (gen_random_uuid(), $1, 'Olive oil', 'BESIDE', '{"ml": 500}') returning id`,
      [owner.orgId],
    );
    const { id } = rows[0]!;
    const update = (changes: Parameters<typeof updateProduct>[4]) =>
      updateProduct(core, core.db, owner.orgId, id, changes);
    await visit(stack, async ({ page }) => {
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(request.postDataJSON());
      });
      await signIn(page, owner, `/app/products/${encodeId('prod', id)}/edit`);
      await page.getByLabel('Brand').fill('Olivaia');
      await update({ name: 'Olive oil, extra virgin', markets: ['DE'] });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Olive oil, extra virgin' }).waitFor();
      expect(sent).to.deep.equal([{ brand: 'Olivaia', expected: { brand: null } }]);

      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Brand').waitFor();
      await update({ name: 'Olive oil, cold pressed' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/prod_[^/]+$/);
      expect(sent).to.have.length(1);
      await page.reload();
      await page.getByRole('heading', { name: 'Olive oil, cold pressed' }).waitFor();
    });
  });

  it('change of a webhook endpoint what was changed in them', async () => {
    const { core } = stack.installation;
    const { db: pool } = core;
    const url = 'https://93.184.215.14/in' as VettedUrl;
    const { endpoint } = await withTransaction(pool, ({ db }) =>
      createEndpoint(core, db, owner.orgId, { url, events: ['*'], description: null }),
    );
    const { id } = endpoint;
    const update = (changes: EndpointChanges) =>
      withTransaction(pool, (uow) => updateEndpoint(core, uow, owner.orgId, id, changes));
    await visit(stack, async ({ page, expectStatus }) => {
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(request.postDataJSON());
      });
      await signIn(page, owner, `/app/developers/webhooks/${encodeId('whep', id)}/edit`);
      await page.getByLabel('Description').fill('Our warehouse');
      await update({ events: ['scan.recorded'], fifo: true, concurrency: 3 });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/whep_[^/]+$/);
      expect(sent).to.deep.equal([{ description: 'Our warehouse', expected: { description: null } }]);
      expect(await getEndpoint(pool, owner.orgId, id)).to.deep.include({
        description: 'Our warehouse',
        events: ['scan.recorded'],
        fifo: true,
        concurrency: 3,
      });

      await page.goto(`${stack.url}/app/developers/webhooks/${encodeId('whep', id)}/edit`);
      await page.getByLabel('Description').waitFor();
      await update({ description: 'Their warehouse' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/whep_[^/]+$/);
      expect(sent).to.have.length(1);

      expectStatus(409);
      await page.goto(`${stack.url}/app/developers/webhooks/${encodeId('whep', id)}/edit`);
      await page.getByLabel('product.diverted').check();
      await update({ events: ['*'] });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is now: All events').waitFor();
    });
  });

  it('change of an organization, and of one’s own account, what was changed in them', async () => {
    const { db } = stack.installation.core;
    await visit(stack, async ({ page, expectStatus }) => {
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(request.postDataJSON());
      });
      await signIn(page, owner, '/app/settings');
      await page.getByLabel('Name').fill('Olivaia Lda');
      await page.getByLabel('Keep scans for (days)').fill('365');
      await db.query(
        `update organizations
            set time_zone = 'Asia/Tokyo', event_retention_days = 40, internal_networks = '{203.0.113.0/24}'
          where id = $1`,
        [owner.orgId],
      );
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.rail-org', { hasText: 'Olivaia Lda' }).waitFor();
      expect(sent).to.have.length(1);
      expect(sent[0]).to.deep.include({ name: 'Olivaia Lda', retention: { scansDays: 365 } });
      expect(Object.keys((sent[0] as { expected: object }).expected)).to.deep.equal(['name', 'retention']);
      // What nobody has changed here is as it is by now.
      await page.getByText('Saved.').waitFor();
      expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).to.include('Tokyo');
      const networks = page.getByLabel('Addresses and networks');
      expect(await networks.inputValue()).to.equal('203.0.113.0/24');
      await networks.fill('198.51.100.7');
      await db.query(`update organizations set internal_networks = '{192.0.2.0/24}' where id = $1`, [
        owner.orgId,
      ]);
      expectStatus(409);
      await page.getByRole('button', { name: 'Update networks' }).click();
      await page.getByText('It is now: 192.0.2.0/24').waitFor();
      expect(await networks.inputValue()).to.equal('198.51.100.7');
      await networks.fill('192.0.2.0/24');

      await page.goto('/app/settings/account');
      await page.getByLabel('Name').fill('Ana');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      expect(sent.slice(1)).to.deep.equal([{ name: 'Ana' }]);
    });
  });
});
