import { expect } from 'chai';
import { encodeId, newUuid } from '../../shared/ids.ts';
import { tokenOf } from '../../shared/units/token.ts';
import { drafted } from './support/consignments.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('a bulk job in the dashboard', function () {
  this.timeout(90_000);
  let stack: Stack;
  let owner: Account;
  let batchId: string;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
    batchId = await stack.minted(owner, 3);
  });

  /** One that has done a slice, and that no worker takes up again before 2099. @returns its UUID. */
  const halfway = async (action: string, source: object, consignmentId: string | null = null) => {
    const id = newUuid();
    await stack.installation.core.db.query(
      `insert into bulk_jobs (id, org_id, action, source, consignment_id, phase, status, total, done, changed, cursor,
                              due_at, created_at, started_at)
       values ($1, $2, $3, $4, $5, 'work', 'running', 3, 1, 1, '0', '2099-01-01', now(), now())`,
      [id, owner.orgId, action, JSON.stringify(source), consignmentId],
    );
    return id;
  };
  const suspending = async () => {
    const id = await halfway('suspend', { kind: 'batch', batchId });
    return { id, address: `/app/batches/${encodeId('batch', batchId)}?bulk=${encodeId('bulk', id)}` };
  };

  it('that counts for a recall, or adds to a draft, has words in the screens of batches and units', () =>
    visit(stack, async ({ page }) => {
      const { db } = stack.installation.core;
      const told = page.locator('main').getByRole('status');
      const draft = await drafted(stack, owner, 1, { reference: 'PO-WORDS' });
      const source = { kind: 'batch', batchId };
      const units = (id: string) => `/app/units?bulk=${encodeId('bulk', id)}`;
      const end = `update bulk_jobs set status = 'completed', done = 3, unchanged = 3, finished_at = now() where id = $1`;

      const counting = await halfway('preview-recall', source);
      await signIn(
        page,
        owner,
        `/app/batches/${encodeId('batch', batchId)}?bulk=${encodeId('bulk', counting)}`,
      );
      await told.getByText('Counting units for a recall…').waitFor();
      await db.query(end, [counting]);
      await told.getByText('Counted for a recall').waitFor();
      await told.getByText('3 of 3 units').waitFor();
      expect(await told.innerText()).to.not.contain('changed');

      const added = await halfway('consign', source, draft.id);
      await page.goto(units(added));
      await told.getByText('Adding units to a consignment…').waitFor();
      await db.query(end, [added]);
      await told.getByText('Added to a consignment').waitFor();

      const adding = await halfway('consign', source, draft.id);
      await page.goto(units(adding));
      await page.getByRole('button', { name: 'Cancel the job' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('What it has added is taken out again').waitFor();
      await dialog.getByRole('button', { name: 'Go back' }).click();
      await db.query(`update bulk_jobs set phase = 'undo', cancel_requested_at = now() where id = $1`, [
        adding,
      ]);
      await told.getByText('Cancelled: units are being taken out again…').waitFor();
      await db.query(
        `update bulk_jobs set status = 'cancelled', changed = 0, finished_at = now() where id = $1`,
        [adding],
      );
      await told.getByText('Cancelled', { exact: true }).waitFor();
    }));

  it('is cancelled after a question, and says what it had done; the telling can be put away', () =>
    visit(stack, async ({ page }) => {
      const { address } = await suspending();
      await signIn(page, owner, address);
      const told = page.locator('main').getByRole('status');
      await told.getByText('Suspending…').waitFor();
      await told.getByText('1 of 3 units').waitFor();
      const button = told.getByRole('button', { name: 'Cancel the job' });
      await button.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('What is done stays done').waitFor();
      await inspect(page, 'bulk-cancel-ask');
      await dialog.getByRole('button', { name: 'Go back' }).click();
      await dialog.waitFor({ state: 'detached' });
      await button.click();
      await dialog.getByRole('button', { name: 'Cancel the job' }).click();
      await told.getByText('Cancelled', { exact: true }).waitFor();
      await told.getByText('1 unit changed · 1 of 3 units').waitFor();
      await dialog.waitFor({ state: 'detached' });
      expect(await button.count()).to.equal(0);
      await inspect(page, 'bulk-cancelled');
      await told.getByRole('button', { name: 'Close' }).click();
      await told.waitFor({ state: 'detached' });
      expect(page.url()).to.not.contain('bulk=');
    }));

  it('that comes to its end while somebody is asked leaves nothing to be asked', () =>
    visit(stack, async ({ page }) => {
      const { id, address } = await suspending();
      await signIn(page, owner, address);
      await page.getByRole('button', { name: 'Cancel the job' }).click();
      await page.getByRole('dialog').waitFor();
      await stack.installation.core.db.query(
        `update bulk_jobs set status = 'completed', done = 3, changed = 3, finished_at = now() where id = $1`,
        [id],
      );
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('3 units changed').waitFor();
    }));

  it('is not cancelled by a viewer', () =>
    visit(stack, async ({ page }) => {
      const { address } = await suspending();
      await signIn(page, await stack.account('viewer', owner.orgId), address);
      await page.locator('main').getByText('Suspending…').waitFor();
      expect(await page.getByRole('button', { name: 'Cancel the job' }).count()).to.equal(0);
    }));

  it('that there is not can be put away', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(404);
      await signIn(page, owner, '/app/units?bulk=bulk_mistyped');
      const told = page.locator('main').getByRole('alert');
      await told.waitFor();
      expect(await told.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
      await inspect(page, 'bulk-unknown');
      await told.getByRole('button', { name: 'Close' }).click();
      await told.waitFor({ state: 'detached' });
      await page.getByRole('row').nth(1).waitFor();
      expect(page.url()).to.not.contain('bulk=');
    }));

  it('is started with a pasted list and a file; what names no unit is told before, what is refused behind', () =>
    visit(stack, async ({ page }) => {
      const person = await stack.account();
      await stack.minted(person, 3);
      const { rows } = await stack.installation.core.db.query<{ id: string; serial: string }>(
        'select id, serial from product_units where org_id = $1 order by ordinal',
        [person.orgId],
      );
      const [first, second] = rows.map(({ id }) => encodeId('unit', id));
      const unknown = encodeId('unit', newUuid());
      await signIn(page, person, '/app/units');
      await page.getByRole('button', { name: 'Change a list…' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: 'Activate 0 units' }).isDisabled()).to.equal(true);
      await dialog.getByText('Suspend', { exact: true }).click();
      await dialog.getByLabel('Ids of the units').fill(`${first}, ${unknown}\n\nSERIAL-17\n${first}\n`);
      await dialog.getByText('left out: 1.').waitFor();
      await dialog.getByText('SERIAL-17').last().waitFor();
      await dialog.getByRole('button', { name: 'Suspend 2 units' }).waitFor();
      const buffer = Buffer.from(`unitId,serial\n${second},${rows[1]!.serial}\n`);
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer });
      await inspect(page, 'units-change-listed');
      await dialog.getByRole('button', { name: 'Suspend 3 units' }).click();
      const told = page.locator('main').getByRole('status').filter({ hasText: 'Suspended' });
      await told.getByText('2 units changed · 1 could not be changed').waitFor();
      await told.getByText(`${unknown}: There is no such unit.`).waitFor();
      await dialog.waitFor({ state: 'detached' });
    }));

  it('over a list goes by serials of a product or by scanned codes as well, and recalls with a reason', () =>
    visit(stack, async ({ page }) => {
      const person = await stack.account();
      await stack.minted(person, 3);
      const { core } = stack.installation;
      const { rows } = await core.db.query<{ id: string; serial: string; code: Buffer; product: string }>(
        `select u.id, u.serial, u.code, p.name as product from product_units u join products p on p.id = u.product_id
          where u.org_id = $1 order by ordinal`,
        [person.orgId],
      );
      const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];
      const token = tokenOf(core.config.TOKEN_KEYS, second.code);
      await signIn(page, person, '/app/units');
      const open = page.getByRole('button', { name: 'Change a list…' });
      const dialog = page.getByRole('dialog');
      const told = page.locator('main').getByRole('status').filter({ hasText: 'recall' });
      const by = async (key: string) => {
        await dialog.getByRole('combobox', { name: 'The list names units by' }).click();
        await page.getByRole('option', { name: key }).click();
      };

      await open.click();
      await dialog.getByText('Recall', { exact: true }).click();
      await dialog.getByLabel('Reason of the recall').fill('Glass splinters');
      await by('Serial');
      await dialog
        .getByLabel('Serials of the units')
        .fill(`${first.serial}\nNONE-17\ntoo-long-for-any-serial`);
      await dialog.getByText('left out: 1.').waitFor();
      const recall = dialog.getByRole('button', { name: 'Recall 2 units' });
      expect(await recall.isDisabled(), 'without a product').to.equal(true);
      await dialog.getByRole('combobox', { name: 'Product' }).click();
      await page.getByRole('option', { name: first.product }).click();
      await inspect(page, 'units-change-serials');
      await recall.click();
      await told.getByText('1 unit changed · 1 could not be changed').waitFor();
      await told.getByText('NONE-17: There is no such unit.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      const recalls = await core.db.query(
        `select target_id, reason from recalls where org_id = $1 and lifted_at is null`,
        [person.orgId],
      );
      expect(recalls.rows).to.deep.equal([{ target_id: first.id, reason: 'Glass splinters' }]);

      await open.click();
      await dialog.getByText('Suspend', { exact: true }).click();
      const address = `https://verify.example.com/v/${token}`;
      await dialog.getByLabel('Serials of the units').fill(`${address}\n${'C'.repeat(24)}`);
      await dialog.getByText('The list seems to go by “What a scanner reads”.').waitFor();
      await inspect(page, 'units-change-likelier');
      await dialog.getByRole('button', { name: 'Read it so' }).click();
      await dialog.getByLabel('Codes of the units').and(page.locator(':focus')).waitFor();
      await dialog.getByRole('button', { name: 'Suspend 2 units' }).waitFor();
      await dialog.getByLabel('Codes of the units').fill(`${address}\n${first.serial}\n${'C'.repeat(120)}`);
      await dialog.getByRole('button', { name: 'Suspend 3 units' }).click();
      await page.getByText(`${first.serial}: Not a code of this service.`).waitFor();
      await dialog.waitFor({ state: 'detached' });
      await inspect(page, 'units-changed-by-codes');
      const { rows: after } = await core.db.query<{ status: string }>(
        'select status from product_units where org_id = $1 order by ordinal',
        [person.orgId],
      );
      expect(after.map(({ status }) => status)).to.deep.equal(['active', 'suspended', 'active']);

      // More than a body of JSON may have.
      await open.click();
      await dialog.getByText('Suspend', { exact: true }).click();
      await by('Serial');
      const file = (lines: readonly string[]) => ({
        name: 'stolen.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(lines.join('\n')),
      });
      const input = dialog.locator('input[type=file]');
      await input.setInputFiles(file(Array.from({ length: 1_000_001 }, (_, i) => String(i))));
      await dialog.getByText('At most 1,000,000 at once').waitFor();
      expect(await dialog.getByRole('button', { name: 'Suspend 1,000,001 units' }).isDisabled()).to.equal(
        true,
      );
      const strays = Array.from({ length: 1_200 }, (_, i) => `NONE-"${i}`);
      await input.setInputFiles(file([...strays, first.serial]));
      await dialog.getByRole('button', { name: 'Suspend 1,201 units' }).click();
      await page.getByText('1 unit changed · 1,200 could not be changed').waitFor();
      await page.getByText('NONE-"0: There is no such unit.').waitFor();
    }));

  it('that adds units to a draft takes them out again', () =>
    visit(stack, async ({ page }) => {
      const { db } = stack.installation.core;
      const draft = await drafted(stack, owner, 2, { reference: 'PO-STOP' });
      const id = await halfway('consign', { kind: 'batch', batchId }, draft.id);
      await db.query(
        `insert into consignment_units (consignment_id, unit_id, org_id, job_id)
         select $1, id, org_id, $2 from product_units where batch_id = $3 and ordinal = 0`,
        [draft.id, id, batchId],
      );
      await signIn(page, owner, draft.path);
      await page.getByText('Adding units: 1 so far').waitFor();
      await page.getByRole('button', { name: 'Cancel the job' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('What it has added is taken out again').waitFor();
      await dialog.getByRole('button', { name: 'Cancel the job' }).click();
      await page.getByText('Cancelled. No unit was added.').waitFor();
      await page.getByText('Adding units').waitFor({ state: 'detached' });
      const { rows } = await db.query<{ n: number }>(
        'select count(*)::int as n from consignment_units where consignment_id = $1',
        [draft.id],
      );
      expect(rows).to.deep.equal([{ n: 2 }]);
    }));
});
