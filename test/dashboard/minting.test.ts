import { expect } from 'chai';
import { encodeId } from '../../shared/ids.ts';
import { eventually } from '../support/eventually.ts';
import { seedBatch } from '../support/seed.ts';
import { call } from './support/api.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

const UNITS = 40;

describe('minting in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
    await stack.minted(owner, UNITS);
  });

  it('suspends a whole batch after saying how many units that are', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/batches');
      await page.getByRole('link', { name: 'Oil' }).click();
      await page.getByRole('button', { name: 'Suspend all…' }).click();
      const dialog = page.getByRole('dialog', { name: `Suspend ${UNITS} active units?` });
      await dialog.getByText('must not be relied on').waitFor();
      await inspect(page, 'batch-suspend');
      await dialog.getByRole('button', { name: `Suspend ${UNITS} units` }).click();
      await page.getByText(`${UNITS} units changed`).waitFor();
      await page.locator('[data-count=suspended]', { hasText: String(UNITS) }).waitFor();
      await page.locator('[data-count=suspended]').click();
      await page.waitForURL(/status=suspended/);
      await page.getByRole('row').nth(25).waitFor();

      // Those that are minted while one looks are counted by themselves.
      const { batchId } = await seedBatch({ ...stack.installation, orgId: owner.orgId }, 3);
      await stack.installation.core.db.query(`update batches set lot = 'NEXT' where id = $1`, [batchId]);
      const id = encodeId('batch', batchId);
      const counted = page.waitForResponse('**/unit-counts');
      await page.goto(`/app/batches/${id}`);
      await counted;
      await call(stack, owner, `/batches/${id}/barcode-jobs`, { formats: ['png'], activate: true });
      await page.locator('[data-count=active]', { hasText: '3' }).waitFor();
    }));

  it('draws symbol and sheet while one types, and says what is impossible and why', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/minting/new');
      const symbol = page.getByAltText('The symbol as it would be printed');
      await symbol.waitFor();
      const advice = page.getByText('Consumers cannot open these codes');
      await advice.waitFor();
      const first = await symbol.getAttribute('src');
      await page.getByRole('button', { name: 'Mint', exact: true }).click();
      await page.getByText('Fill this in.').waitFor();
      await page
        .locator('[aria-invalid=true]:focus')
        .and(page.getByRole('combobox', { name: 'Batch' }))
        .waitFor();
      await page.getByRole('combobox', { name: 'Batch' }).fill('L1');
      await page.getByRole('option', { name: 'Oil · L1' }).click();
      await page.getByText(`${UNITS} units of this batch exist already`).waitFor();
      await page.getByRole('button', { name: 'Size, margin and colours' }).click();
      await page.getByLabel('Scale').fill('8');
      await eventually('another picture', async () => (await symbol.getAttribute('src')) !== first);
      await page.getByRole('checkbox', { name: 'PDF (label sheets)' }).check();
      await page.getByAltText('The first sheet of labels as it would be printed').waitFor();
      await page.getByLabel('Resolution').fill('300');
      // 37 modules of 8 pixels.
      await page.getByText(/^296 × 296 pixels · 25\.?\d* × 25\.?\d* mm at 300 dpi/).waitFor();
      await inspect(page, 'minting-new');

      await page.getByRole('combobox', { name: 'Symbology' }).click();
      await page.getByRole('option', { name: 'GS1 DataMatrix' }).click();
      const refusal = page.getByRole('alert').filter({ hasText: 'This is not possible' });
      await refusal.getByText(/gtin/i).waitFor();
      // The last picture stays, and the field says it too.
      expect(await symbol.count()).to.equal(1);
      // What was to be said of it alone does not.
      expect(await advice.count()).to.equal(0);
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

      // Beneath its bars a low label has room for two lines, and then the bars are too narrow.
      await page.getByRole('combobox', { name: 'Sheet' }).click();
      await page.getByRole('option', { name: 'Avery 5167' }).click();
      const layout = page.locator('.mantine-Select-root', {
        has: page.getByRole('combobox', { name: 'Sheet' }),
      });
      await layout.getByText(/would be 0\.1\d+ mm wide on these labels, and below 0\.17 mm/).waitFor();
      const lines = page.locator('.mantine-MultiSelect-root', { hasText: 'Lines on each label' });
      // The batch has no expiry.
      await lines
        .getByText('Lines of text that fit on these labels: 2 of 3. Missing or cut off: Serial.')
        .waitFor();
      await refusal.getByText('Missing or cut off: Serial.').waitFor();
      await inspect(page, 'minting-low-labels');
      await page.getByRole('button', { name: /^Mint/ }).click();
      await lines.getByText('Missing or cut off: Serial.').waitFor();
      await page.getByRole('combobox', { name: 'Sheet' }).click();
      await page.getByRole('option', { name: 'Avery L7160' }).click();
      await refusal.waitFor({ state: 'detached' });
    }));
});
