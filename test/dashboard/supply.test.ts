import { expect } from 'chai';
import { copyUnits } from '../../shared/barcode-jobs/chunk-repository.ts';
import { createBatch } from '../../shared/batches/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { createProduct } from '../../shared/products/service.ts';
import { startRecall } from '../../shared/recalls/service.ts';
import { mintMissingUnits } from '../../workers/mint-barcodes/mint-units.ts';
import { whereAnswered, whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, PHONE, signIn, visit } from './support/visit.ts';

const UNITS = 6;

describe('the consignments and recalls of the dashboard', function () {
  this.timeout(90_000);
  let stack: Stack;
  let owner: Account;
  let batchId: string;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
    const { core } = stack.installation;
    const { orgId } = owner;
    const product = await createProduct(core, core.db, orgId, {
      name: 'Olive oil, extra virgin, 0.5 l',
      sku: 'OO-500',
      gtin: null,
      brand: 'Olivaia',
      description: null,
      imageUrl: null,
      markets: [],
      attributes: {},
      links: [],
    });
    const batch = await createBatch(core, core.db, orgId, {
      productId: product.id,
      quantity: UNITS,
      lot: 'LX2611',
      manufacturedOn: null,
      expiresOn: null,
      markets: null,
      hiddenCodes: false,
      nfcTags: false,
    });
    batchId = batch.id;
    const serials = Array.from({ length: UNITS }, (_, index) => `LX-000${index + 1}`);
    const range = { firstOrdinal: 0, units: UNITS };
    const units = mintMissingUnits(range, [], serials, core.config.TOKEN_KEYS, core.random);
    const common = {
      orgId,
      batchId: batch.id,
      productId: product.id,
      status: 'minted',
      activatedAt: null,
    } as const;
    await withTransaction(core.db, ({ db }) => copyUnits(db, common, units));
  });

  it('lead from a draft to a receipt with a missing unit, to a recall and back', () =>
    visit(stack, async ({ page, context, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/consignments');
      await page.getByRole('heading', { name: 'No consignments yet' }).waitFor();
      await page.getByRole('link', { name: 'New consignment' }).first().click();
      await page.getByLabel('Reference').fill('PO-20417');
      await page.getByLabel('SSCC').fill('106141412345678900');
      await page.getByLabel('Sent from').fill('Plant Cádiz');
      await page.getByRole('combobox', { name: 'Country' }).fill('Germ');
      await page.getByRole('option', { name: 'Germany' }).click();
      await page.getByLabel('Address').fill('Kai 7, Hamburg');
      await page.getByLabel('Purchase order').fill('45-1187');
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.getByText('the last must be the right check digit').waitFor();
      // The place of nobody is not dropped unseen.
      await page.getByLabel('Distributor').and(page.locator('[aria-invalid=true]')).waitFor();
      await page.getByLabel('Distributor').fill('Nordhandel GmbH');
      await inspect(page, 'consignment-new');
      await page.getByLabel('SSCC').fill('106141412345678908');
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.getByRole('heading', { name: 'PO-20417' }).waitFor();
      await page.getByText('Plant Cádiz').waitFor();

      // A list without a heading: it is told what a list must be, and nothing is added.
      await page.getByText('A list', { exact: true }).click();
      const choose = (list: string) =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
      await choose('LX-0001\n');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.locator('button:focus').getByText('Choose a file').waitFor();
      await choose('LX-0001\n');
      await page.getByRole('combobox', { name: 'Product' }).fill('olive');
      await page.getByRole('option', { name: /Olive oil/ }).click();
      await page.getByRole('button', { name: 'Add units' }).click();
      const refused = page.getByRole('alert', { name: 'No unit was added' });
      await refused.getByText('CSV with a heading').waitFor();
      // With a line that names nothing: the line is told.
      await choose('serial\nLX-0001\nLX-9999\n');
      await page.getByRole('button', { name: 'Add units' }).click();
      await page.getByRole('cell', { name: 'LX-9999' }).waitFor();
      await inspect(page, 'consignment-refused');
      await page.getByText('A batch', { exact: true }).click();
      await page.getByRole('combobox', { name: 'Batch' }).fill('lx26');
      await page.getByRole('option', { name: /LX2611/ }).click();
      await page.getByRole('button', { name: 'Add units' }).click();
      await page.getByText(`${UNITS} units were added.`).waitFor();
      await page.getByRole('button', { name: 'Add units' }).click();
      await page.getByText(`0 units were added. Already in it: ${UNITS}.`).waitFor();
      await page.getByRole('button', { name: 'Dispatch' }).and(page.locator(':enabled')).click();
      await page.getByRole('heading', { name: `Dispatch ${UNITS} units?` }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Dispatch' }).click();
      const link = (await page.getByRole('dialog').locator('pre').innerText()).trim();
      await inspect(page, 'consignment-link');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByText('Under way', { exact: true }).first().waitFor();

      await visit(
        stack,
        async ({ page: phone }) => {
          await phone.goto(new URL(link).pathname);
          await phone.getByLabel('How many did you count?').fill(String(UNITS - 1));
          await phone.getByLabel('missing').fill('LX-0002');
          await phone.getByLabel('Your name').fill('Ada Lind');
          await phone.getByRole('button', { name: 'Confirm receipt' }).click();
          await phone.getByRole('heading', { level: 1, name: 'Receipt confirmed' }).waitFor();
        },
        { viewport: PHONE, isMobile: true, hasTouch: true },
      );
      await page.reload();
      await page.getByText('Received in part').first().waitFor();
      await page.getByRole('heading', { name: '1 missing' }).waitFor();
      await page.getByRole('region', { name: '1 missing' }).getByRole('link', { name: 'LX-0002' }).waitFor();
      await page.getByText('Receipt confirmed by Ada Lind').waitFor();

      await page.getByRole('link', { name: 'Recall…' }).click();
      await page.getByRole('button', { name: 'See what it would reach' }).click();
      await page.getByRole('button', { name: `Recall ${UNITS} units…` }).waitFor();
      await page.getByLabel('Reason').fill('Glass splinters');
      await page.getByLabel('Message in English').fill('Please return it to the shop.');
      await page.getByLabel('Contact').fill('care@example.com');
      await page.getByRole('button', { name: `Recall ${UNITS} units…` }).click();
      await page.getByText(`one of the ${UNITS} units of “PO-20417”`).waitFor();
      await inspect(page, 'recall-ask');
      await page.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
      await page.getByRole('heading', { name: 'Recall of PO-20417' }).waitFor();
      await page.getByText('In force', { exact: true }).waitFor();

      const address = await page
        .getByRole('link', { name: 'Open the page of one of the units' })
        .getAttribute('href');
      const consumer = await context.newPage();
      await consumer.setViewportSize(PHONE);
      await consumer.goto(address!);
      await consumer.getByRole('heading', { name: 'Recalled' }).waitFor();
      await consumer.getByText('Please return it to the shop.').waitFor();

      // A count that failed says so in the reader’s words, not in the service’s.
      const failed = { status: 'failed', result: null, error: { code: 'BULK_JOB_FAILED', message: 'x' } };
      await whereAnswered(page, '**/api/v1/bulk-jobs/*', failed, async () => {
        await page.getByRole('button', { name: 'Lift recall' }).click();
        await page.getByRole('dialog').getByText('This could not be done. Start it again.').waitFor();
      });
      await page.reload();
      const lift = page.getByRole('dialog').getByRole('button', { name: 'Lift recall' });
      await whereHeld(page, '**/api/v1/recall-previews', async () => {
        await page.getByRole('button', { name: 'Lift recall' }).click();
        await page.getByRole('dialog').getByText('Counting units').waitFor();
        expect(await lift.isDisabled()).to.equal(true);
      });
      await page.getByText(`${UNITS} units show their own state again`).waitFor();
      await lift.click();
      await page.getByText('Lifted: its units').waitFor();
      await page.getByRole('heading', { name: 'What consumers saw' }).waitFor();
      await consumer.reload();
      await consumer.getByRole('heading', { name: 'Recalled' }).waitFor({ state: 'detached' });
      expect(await consumer.getByText('Please return it to the shop.').count()).to.equal(0);
    }));

  it('are read by a viewer, who cannot act', () =>
    visit(stack, async ({ page }) => {
      const viewer = await stack.account('viewer', owner.orgId);
      await signIn(page, viewer, '/app/consignments');
      await page.getByRole('link', { name: 'PO-20417' }).click();
      await page.getByRole('heading', { name: 'PO-20417' }).waitFor();
      await page.getByText('Receipt confirmed by Ada Lind').waitFor();
      expect(
        await page
          .locator('main')
          .getByRole('button', { name: /Dispatch|Call off|new link/ })
          .count(),
      ).to.equal(0);
      expect(await page.getByRole('link', { name: 'Recall…' }).count()).to.equal(0);
      await page.goto('/app/recalls');
      await page.getByRole('link', { name: /PO-20417/ }).click();
      await page.getByText('Lifted: its units').waitFor();
      expect(await page.getByRole('button', { name: /Lift|Count/ }).count()).to.equal(0);
      await page.goto('/app/recalls/new');
      await page.getByText('product_units.write').waitFor();
    }));

  it('tell of a planned recall that it has not begun, until it is called off', () =>
    visit(stack, async ({ page }) => {
      const { core } = stack.installation;
      const text = { reason: 'Trial', messages: {}, contact: null };
      const startsAt = new Date('2099-01-01T00:00:00Z');
      await withTransaction(core.db, (uow) =>
        startRecall(core, uow, owner.orgId, { scope: 'batch', id: batchId }, text, startsAt),
      );
      await signIn(page, owner, '/app/recalls?inForce=false&scope=batch');
      await page.getByRole('row').getByText('Planned').waitFor();
      await page.locator('tbody').getByRole('link').first().click();
      await page.getByText('Planned: its units do not show it').waitFor();
      await page.getByText('Begins', { exact: true }).waitFor();
      await inspect(page, 'recall-planned');
      await page
        .locator('main')
        .getByRole('link', { name: /LX2611/ })
        .first()
        .click();
      await page.getByRole('heading', { name: /LX2611/ }).waitFor();
      expect(await page.locator('main').getByText('Recalled', { exact: true }).count()).to.equal(0);
      await page.goBack();
      await page.getByRole('button', { name: 'Lift recall' }).click();
      await page.getByText('It will not begin.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Lift recall' }).click();
      await page.getByText('Lifted: its units').waitFor();
    }));

  it('are whole with some weeks of data', () =>
    visit(stack, async ({ page }) => {
      const sample = await stack.sample();
      const named = () => page.locator('main .mantine-Skeleton-root').last().waitFor({ state: 'detached' });
      await signIn(page, sample, '/app/consignments');
      await page.getByRole('link', { name: 'PO-2209' }).waitFor();
      await inspect(page, 'consignments');
      await page.getByRole('searchbox').fill('thames');
      await page.getByRole('link', { name: 'PO-2201' }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'PO-2209' }).click();
      await page.getByRole('heading', { name: '6 missing' }).waitFor();
      await named();
      await inspect(page, 'consignment');
      await page.goto('/app/recalls');
      await page.getByRole('row').nth(2).waitFor();
      await named();
      await inspect(page, 'recalls');
      await page.locator('tbody').getByRole('link').filter({ hasText: 'Batch' }).first().click();
      await page.getByRole('heading', { name: /^Recall of/ }).waitFor();
      await page.getByRole('link', { name: 'Open the page of one of the units' }).waitFor();
      await page.getByText('This counts as a scan.').waitFor();
      await inspect(page, 'recall');
      await page.goto('/app/recalls/new');
      await page.getByRole('combobox', { name: 'Batch' }).fill('YZ2609');
      await page.getByRole('option', { name: /YZ2609/ }).click();
      await page.getByRole('button', { name: 'See what it would reach' }).click();
      await page.locator('svg.map').waitFor();
      await inspect(page, 'recall-preview');
    }));
});
