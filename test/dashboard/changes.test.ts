import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { markJobFinished } from '../../shared/barcode-jobs/repository.ts';
import { startBarcodeJob, type JobRequest } from '../../shared/barcode-jobs/service.ts';
import { withTransaction, type UnitOfWork } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { eventually } from '../support/eventually.ts';
import { ADDRESSES } from '../support/places.ts';
import { seedBatch, seedEndpoint, seedEvents, seedUnits } from '../support/seed.ts';
import { whereAnswered } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

const MANY_EVENTS = 60;

/** What a job draws. */
const PNG: JobRequest = {
  symbology: 'qr',
  formats: ['png'],
  look: { scale: 2 },
  sheet: null,
  serials: null,
  activate: false,
};

describe('what the dashboard changes', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });
  const own = () => ({ ...stack.installation, orgId: owner.orgId });

  it('mints serials from a file onto a sheet of one’s own; one unit is voided, the rest activated', async () => {
    const { batchId } = await seedBatch(own(), 3);
    const id = encodeId('batch', batchId);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/minting/new?batchId=${id}`);
      await page.getByAltText('The symbol as it would be printed').waitFor();
      await page.getByRole('checkbox', { name: 'PDF (label sheets)' }).check();
      await page.getByRole('combobox', { name: 'Sheet' }).click();
      await page.getByRole('option', { name: 'My own sheet, in millimetres' }).click();
      await page.getByLabel('Columns').fill('2');
      await page.getByLabel('Label width').fill('90');
      await page.getByAltText('The first sheet of labels as it would be printed').waitFor();
      await page.getByLabel('Your own, from a file').check();
      await page.locator('input[type=file]').setInputFiles({
        name: 'serials.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('serial\nOLIVE-1\nOLIVE-2\nOLIVE-3\n'),
      });
      await page.getByText('3 serials were taken.').waitFor();
      await inspect(page, 'minting-own');
      await page.getByRole('button', { name: 'Mint 3 units' }).click();
      await page.getByRole('heading', { name: 'Downloads' }).waitFor();
      await page.getByText('My own sheet, in millimetres').waitFor();

      await page.goto('/app/units?q=OLIVE-2');
      await page.getByRole('link', { name: 'OLIVE-2' }).click();
      await page.getByRole('button', { name: 'Void' }).click();
      const dialog = page.getByRole('dialog', { name: 'Void OLIVE-2 for good?' });
      await dialog.getByText('this cannot be undone').waitFor();
      await dialog.getByRole('button', { name: 'Void' }).click();
      await page.getByText('The unit is void.').waitFor();
      await page.getByText('The code is out of use for good.').waitFor();
      expect(await page.getByRole('button', { name: 'Activate' }).count()).to.equal(0);

      await page.goto(`/app/batches/${id}`);
      await page.getByRole('button', { name: 'Activate all…' }).click();
      const all = page.getByRole('dialog', { name: 'Activate 2 units?' });
      await all.getByText('1 voided unit stays void.').waitFor();
      await all.getByRole('button', { name: 'Activate 2 units' }).click();
      await page.getByText('2 units changed').waitFor();
      await page.locator('[data-count=active]', { hasText: '2' }).waitFor();
    });
  });

  it('corrects the lot, the days and the markets of a batch, and says at its field what is refused', async () => {
    const id = encodeId('batch', await stack.minted(owner, 2));
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, `/app/batches/${id}`);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByText('Units of this batch exist already').waitFor();
      const lot = page.getByLabel('Lot', { exact: true });
      const expiresOn = page.getByLabel('Expires on');
      const save = page.getByRole('button', { name: 'Save' });
      const refused = async (field: Locator, why: string) => {
        await field.and(page.locator(':focus[aria-invalid=true]')).waitFor();
        const wrapper = page.locator('.mantine-InputWrapper-root', { has: field });
        await wrapper.locator('.mantine-InputWrapper-error', { hasText: why }).waitFor();
      };
      await lot.fill('L2611, for the north of Germany');
      await page.getByLabel('Made on').fill('2026-11-10');
      await expiresOn.fill('2026-11-09');
      await save.click();
      await refused(lot, 'at most 20');
      await lot.fill('L2611-N');
      await save.click();
      await refused(expiresOn, 'This is before the day on which it was made.');
      await page.getByRole('combobox', { name: 'Markets' }).fill('Germ');
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: 'Markets' }).fill('Denm');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await inspect(page, 'batch-edit');
      await expiresOn.fill('2028-05-31');
      await save.click();

      await page.getByRole('heading', { name: 'Oil · L2611-N', level: 1 }).waitFor();
      const fact = (label: string) => page.locator(`dt:text-is("${label}") + dd`).innerText();
      const facts = async () => ({
        lot: await fact('Lot'),
        before: await fact('Lots it had before'),
        made: await fact('Made on'),
        expires: await fact('Expires on'),
        markets: await fact('Markets'),
      });
      const corrected = {
        lot: 'L2611-N',
        before: 'L1',
        made: '10 Nov 2026',
        expires: '31 May 2028',
        markets: 'Germany and Denmark',
      };
      expect(await facts()).to.deep.equal(corrected);
      await page.getByRole('link', { name: 'Edit' }).click();
      expect(await lot.inputValue()).to.equal('L2611-N');
      expect(await expiresOn.inputValue()).to.equal('2028-05-31');
      await page.locator('.mantine-Pill-label', { hasText: 'Denmark' }).waitFor();

      // What is left again without saving stays as it was.
      await lot.fill('L2612');
      await page.getByRole('link', { name: 'Cancel' }).click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL(`**/batches/${id}`);
      await page.reload();
      await page.getByRole('heading', { name: 'Oil · L2611-N', level: 1 }).waitFor();
      expect(await facts()).to.deep.equal(corrected);
    });
  });

  it('cancels a job under way after saying what is lost, and takes a stopped one up again', async () => {
    const { core, orgId } = own();
    const begin = async (
      units: number,
      chunkUnits: number,
      then: (uow: UnitOfWork, jobId: string) => Promise<unknown>,
    ): Promise<string> => {
      const { batchId } = await seedBatch(own(), units);
      const deps = { ...core, chunkUnits, baseUrl: core.config.PRINTED_URL };
      return withTransaction(core.db, async (uow) => {
        const { id } = await startBarcodeJob(deps, uow, orgId, batchId, PNG);
        await then(uow, id);
        return encodeId('job', id);
      });
    };
    // The last of three chunks is not due before tomorrow.
    const running = await begin(600, 200, (uow, jobId) =>
      uow.db.query(
        `update barcode_job_chunks set due_at = due_at + interval '1 day' where job_id = $1 and index = 2`,
        [jobId],
      ),
    );
    const error = { code: 'STORAGE_FULL', message: 'The disk is full.' };
    const failed = await begin(5, 5, (uow, jobId) =>
      markJobFinished(uow.db, jobId, 'failed', error, core.clock.now()),
    );
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/minting/${running}`);
      await page.getByText('400 of 600 units').waitFor();
      await page.getByText(/^about .* left$/).waitFor();
      await inspect(page, 'minting-running');
      const at = async (done: number, total: number, words: string) => {
        const part = { status: 'running', progress: { done, total } };
        await whereAnswered(page, `**/api/v1/barcode-jobs/${running}`, part, async () => {
          await page.reload();
          await page
            .getByText(`${done} of ${total} unit${total === 1 ? '' : 's'}`, { exact: true })
            .waitFor();
          await page.getByText(words, { exact: true }).waitFor();
        });
      };
      await at(0, 600, 'Beginning');
      await at(1, 1, 'Packing and checking the files');
      const large = { status: 'running', progress: { done: 0, total: 4183 } };
      await whereAnswered(page, `**/api/v1/barcode-jobs/${running}`, large, async () => {
        await page.reload();
        await page.getByRole('button', { name: 'Cancel the job' }).click();
        await page.getByRole('dialog').getByText('4,183 units get no code from this job').waitFor();
      });
      await page.reload();
      await page.getByRole('button', { name: 'Cancel the job' }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel the job?' });
      await dialog.getByText('200 units get no code from this job').waitFor();
      await dialog.getByRole('button', { name: 'Cancel the job' }).click();
      await page.getByText('Cancelled; what is minted stays').waitFor();

      await page.goto(`/app/minting/${failed}`);
      await page.getByText('The storage for files is full.').waitFor();
      await inspect(page, 'minting-stopped');
      const away = { error: { code: 'STORAGE_UNAVAILABLE', message: 'x' } };
      await whereAnswered(page, `**/api/v1/barcode-jobs/${failed}`, away, async () => {
        await page.reload();
        await page.getByText('The storage for files failed for a quarter of an hour. Try again').waitFor();
      });
      await page.reload();
      await page.getByRole('button', { name: 'Take it up again' }).click();
      await page.getByRole('heading', { name: 'Downloads' }).waitFor();
      await page.getByText('5 of 5 units').waitFor();
    });
  });

  it('stops a recovery of missed events in the middle', async () => {
    await seedEvents(own(), MANY_EVENTS);
    const endpointId = await seedEndpoint(own(), 'https://127.0.0.1:9443/hooks');
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/developers/webhooks/${encodeId('whep', endpointId)}`);
      await page.getByRole('tab', { name: 'Recoveries' }).click();
      await page.getByLabel('Events per second').fill('1');
      await page.getByRole('button', { name: 'Recover', exact: true }).click();
      await page.getByText(/^[1-9]\d* of \d+ events looked at/).waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel the recovery?' });
      await dialog.getByText('the rest is not').waitFor();
      await dialog.getByRole('button', { name: 'Go back' }).waitFor();
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByText('Cancelled', { exact: true }).waitFor();
    });
  });

  it('stops the writing of an export, and finds one again that was written before', async () => {
    const [token] = await seedUnits(own(), 1);
    const answer = await fetch(`${stack.url}/v/${token}`, {
      headers: { accept: 'application/json', 'x-forwarded-for': ADDRESSES.DE },
    });
    expect(((await answer.json()) as { result: string }).result).to.equal('genuine');
    const { db } = stack.installation.core;
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans');
      await page.getByRole('row').nth(1).waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('button', { name: 'Write the file' }).click();
      await page.getByText(/^1 scan, /).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });

      await page.getByRole('button', { name: 'Export' }).click();
      const earlier = page.getByRole('region', { name: 'Earlier files' });
      await earlier.getByText(/1 scan, /).waitFor();
      await inspect(page, 'scans-export');
      // The writer waits for the units' serials.
      await withTransaction(db, async (uow) => {
        await uow.db.query('lock table product_units in access exclusive mode');
        await page.getByRole('button', { name: 'Write the file' }).click();
        await page.getByRole('button', { name: 'Stop writing' }).click();
        await page.getByText('Nothing of the file stays').waitFor();
      });
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Export' }).click();
      await earlier.getByText(/1 scan, /).waitFor();
      const open = earlier.getByRole('button', { name: 'Open' });
      await eventually('the list without what was stopped', async () => (await open.count()) === 1);
      await open.click();
      await page.getByRole('link', { name: 'Download' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

      for (const [code, words] of [
        ['STORAGE_FULL', 'The storage for files is full. Write the file anew'],
        ['STORAGE_UNAVAILABLE', 'The storage for files failed for a quarter of an hour. Write the file anew'],
        ['EXPORT_FAILED', 'The file could not be written. Try again.'],
      ]) {
        const failed = { status: 'failed', artifacts: [], error: { code, message: 'x' } };
        await whereAnswered(page, '**/api/v1/scan-exports/*', failed, async () => {
          await page.reload();
          await page.getByRole('button', { name: 'Export' }).click();
          await open.click();
          await page.getByRole('status').getByText(words!).waitFor();
        });
      }
    });
  });

  it('adds a window to a rule, and pauses alerts without a trial', async () => {
    const stored = async () => {
      const { db } = stack.installation.core;
      const { rows } = await db.query<{ policy: unknown; alert_cooldown_minutes: number | null }>(
        'select policy, alert_cooldown_minutes from risk_policies where org_id = $1 and product_id is null',
        [owner.orgId],
      );
      return rows[0];
    };
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/risk-policy');
      await page.getByText('This policy is in force.').waitFor();
      await page.getByLabel('Pause per unit, minutes').fill('90');
      await page.getByText('1 change, not yet in force.').waitFor();
      await page.getByRole('button', { name: 'Save this policy' }).click();
      await eventually('the pause', async () => (await stored())?.alert_cooldown_minutes === 90);
      await page.getByText('This policy is in force.').waitFor();

      const windows = page.getByRole('group', { name: 'Windows' });
      await windows.getByRole('button', { name: 'Add a window' }).click();
      await windows.getByLabel('Visitors').last().fill('30');
      await windows.getByRole('button', { name: 'Remove the window of 1 hours' }).click();
      await page.getByRole('button', { name: 'Try on the last 30 days' }).click();
      await page.getByRole('button', { name: 'Save this policy' }).click();
      await page.getByText('This policy is in force.').waitFor();
      expect(await stored()).to.deep.equal({
        policy: {
          excessiveScanning: {
            windows: [
              { hours: 24, visitors: 40 },
              { hours: 168, visitors: 30 },
            ],
          },
        },
        alert_cooldown_minutes: 90,
      });
    });
  });
});
