import { expect } from 'chai';
import { encodeId } from '../../shared/ids.ts';
import { seedBatch } from '../support/seed.ts';
import { whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('the dashboard’s files of serials', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });
  const own = () => ({ ...stack.installation, orgId: owner.orgId });

  it('asks for serials of a file only once there is one, and takes another in place of a wrong one', async () => {
    const { batchId } = await seedBatch(own(), 3);
    await visit(stack, async ({ page, expectStatus }) => {
      const previewed: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (!request.url().endsWith('/barcodes/preview')) return;
        const { serials } = request.postDataJSON() as { serials?: { source: string } };
        previewed.push(serials?.source);
      });
      const upload = async (...serials: string[]) => {
        const buffer = Buffer.from(serials.join('\n'));
        const name = `${serials.length}.csv`;
        await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
      };
      const refusal = page.getByRole('group', { name: 'Serials' }).locator('.mantine-InputWrapper-error');

      await signIn(page, owner, `/app/minting/new?batchId=${encodeId('batch', batchId)}`);
      await page.getByAltText('The symbol as it would be printed').waitFor();
      await page.getByLabel('Your own, from a file').check();
      // What is drawn after the choice shows that the choice alone was refused nothing.
      const drawn = page.waitForResponse(/preview/);
      await page.getByLabel('Text beneath the symbol').check();
      expect((await drawn).status()).to.equal(200);
      expect(previewed).not.to.include('uploaded');

      expectStatus(422);
      await page.getByRole('button', { name: 'Mint 3 units' }).click();
      await refusal.filter({ hasText: 'No serials were uploaded for this batch.' }).waitFor();
      await upload('FIG-1', 'FIG-2');
      await refusal.waitFor({ state: 'detached' });
      await page.getByText('File of serials Units of the batch: 3. Serials given: 2.').waitFor();
      const field = (file: string) =>
        page.getByRole('button', { name: `File of serials${file}`, exact: true });
      await field(' Choose a file').waitFor();
      const checked = page.waitForResponse(/preview/);
      await whereHeld(page, '**/serials', async () => {
        await upload('FIG-1', 'FIG-2', 'FIG-3');
        await page.getByRole('status').filter({ hasText: 'being sent' }).waitFor();
        expect(await page.getByRole('button', { name: 'Mint 3 units' }).isDisabled()).to.equal(true);
      });
      expect((await checked).status()).to.equal(200);
      await field(' 3.csv').waitFor();
      // One that is refused leaves the batch, and the field, with the serials of before.
      await upload('FIG-1', 'FIG-1', 'FIG-3');
      await page.getByText('Line 2: FIG-1 stands in line 1 already.').waitFor();
      await field(' 3.csv').waitFor();
      await page.locator('input[type=file]').setInputFiles({
        name: 'unicode.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('\ufeffFIG-1\n', 'utf16le'),
      });
      await page.getByText('Save the file as text in UTF-8').waitFor();
      // Nothing is chosen for the browser, which would else say nothing of the same file, mended.
      expect(await page.evaluate(`document.querySelector('input[type=file]').files.length`)).to.equal(0);
      const dataTransfer = await page.evaluateHandle(`(() => {
        const dropped = new DataTransfer();
        dropped.items.add(new File(['FIG-4\\nFIG-5\\nFIG-6'], 'dropped.csv'));
        return dropped;
      })()`);
      await field(' 3.csv').dispatchEvent('drop', { dataTransfer });
      await field(' dropped.csv').waitFor();
      expect(previewed.at(-1)).to.equal('uploaded');
      await page.getByRole('button', { name: 'Mint 3 units' }).click();
      await page.getByRole('heading', { name: 'Downloads' }).waitFor();
    });
  });

  it('mints nothing of a batch whose file is on its way, whichever batch is chosen meanwhile', async () => {
    const lots = ['WAY-1', 'WAY-2'] as const;
    const batches = await Promise.all(lots.map(() => seedBatch(own(), 2)));
    for (const [index, { batchId }] of batches.entries())
      await own().core.db.query('update batches set lot = $2 where id = $1', [batchId, lots[index]]);
    await visit(stack, async ({ page, expectStatus }) => {
      const [first, second] = batches.map(({ batchId }) => `**/${encodeId('batch', batchId)}/serials`);
      const choose = async (lot: string) => {
        await page.getByRole('combobox', { name: 'Batch' }).fill(lot);
        await page.getByRole('option', { name: lot }).click();
      };
      const upload = (text: string) =>
        page
          .locator('input[type=file]')
          .setInputFiles({ name: 'way.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      const mint = page.getByRole('button', { name: 'Mint 2 units' });
      const sending = page.getByRole('status').filter({ hasText: 'being sent' });

      await signIn(page, owner, `/app/minting/new?batchId=${encodeId('batch', batches[0]!.batchId)}`);
      await page.getByLabel('Your own, from a file').check();
      expectStatus(422);
      await whereHeld(page, second!, async () => {
        await whereHeld(page, first!, async () => {
          await upload('WAY-A\nWAY-A');
          await sending.waitFor();
          await choose('WAY-2');
          await sending.waitFor({ state: 'hidden' });
          expect(await mint.isEnabled()).to.equal(true);
          await upload('WAY-B\nWAY-C');
          await sending.waitFor();
        });
        // The first has come to its end, and is told though its field is not there any more.
        await page.getByRole('alert').filter({ hasText: 'That did not work' }).waitFor();
        await sending.waitFor();
        expect(await mint.isDisabled()).to.equal(true);
      });
      await page.getByText('2 serials were taken.').waitFor();
      await mint.and(page.locator(':enabled')).waitFor();
    });
  });
});
