import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { instantAt } from '../../dashboard/src/i18n/zone-days.ts';
import { createConsignment } from '../../shared/consignments/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { startRecall } from '../../shared/recalls/service.ts';
import { seedUnits } from '../support/seed.ts';
import { whereAnswered } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, PHONE, remember, signIn, visit } from './support/visit.ts';

const SEE = 'See what it would reach';
/** What a job has counted that has not come to its end. */
const PART = { units: 7, scannedUnits: 7, scans: 7, lastScannedAt: null, countries: { DE: 7 } };

describe('a new recall in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  async function ownerOfBatch() {
    const owner = await stack.account();
    const { installation } = stack;
    const [token] = await seedUnits({ ...installation, orgId: owner.orgId }, 1);
    const { rows } = await installation.core.db.query<{ id: string }>(
      'select id from batches where org_id = $1',
      [owner.orgId],
    );
    return { owner, token: token!, batchId: rows[0]!.id };
  }
  const recalled = ({ orgId }: Account, batchId: string, startsAt: Date | null) => {
    const { core } = stack.installation;
    const text = { reason: null, messages: { en: 'Bring it back.' }, contact: null };
    return withTransaction(core.db, (uow) =>
      startRecall(core, uow, orgId, { scope: 'batch', id: batchId }, text, startsAt),
    );
  };
  const write = async (page: Page, message: string) => {
    await page.getByLabel('Message in English').fill(message);
    await page.getByRole('button', { name: 'Recall 1 unit…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
  };

  it('begins when it is planned to, by the organization’s clock', async () => {
    const { owner, batchId } = await ownerOfBatch();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await page.getByRole('button', { name: SEE }).click();
      const year = new Date().getUTCFullYear() + 1;
      await page.getByLabel('Message in English').fill('Bring it back.');
      const ask = page.getByRole('button', { name: 'Recall 1 unit…' });
      const begins = page.getByLabel('Begins');
      const dialog = page.getByRole('dialog');
      // Digit by digit a year is another one, and a day without its hour is not "at once".
      await begins.pressSequentially('0107');
      await ask.click();
      await page.getByText('This is no date and time.').waitFor();
      await begins.fill('2020-01-01T10:00');
      await ask.click();
      await page.getByText('This must lie in the future.').waitFor();
      expect(await dialog.count()).to.equal(0);
      await begins.focus();
      for (const key of ['ArrowRight', 'ArrowRight', '2', '0']) await page.keyboard.press(key);
      await begins.fill(`${year}-07-01T09:30`);
      await ask.click();
      await dialog.getByText('Until then nothing changes').waitFor();
      await dialog.getByRole('button', { name: 'Recall', exact: true }).click();
      await page.getByText('Planned: its units do not show it before it begins.').waitFor();
      const { rows } = await stack.installation.core.db.query<{ starts_at: Date; time_zone: string }>(
        'select r.starts_at, o.time_zone from recalls r join organizations o on o.id = r.org_id where r.org_id = $1',
        [owner.orgId],
      );
      expect(rows.map((row) => row.starts_at)).to.deep.equal([
        instantAt(`${year}-07-01T09:30`, rows[0]!.time_zone),
      ]);
    });
  });

  it('says what is in force where its answer was lost and its words have changed since', async () => {
    const { owner, batchId } = await ownerOfBatch();
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(502);
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await page.getByRole('button', { name: SEE }).click();
      await page.route(
        '**/api/v1/recalls',
        async (route) => {
          await route.fetch();
          await route.fulfill({ status: 502 });
        },
        { times: 1 },
      );
      await write(page, 'Bring it back.');
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await write(page, 'Destroy it.');
      const alert = page.getByRole('alert').and(page.locator(':focus'));
      await alert.getByText('What is written below reaches nobody.').waitFor();
      expect(await page.getByLabel('Message in English').inputValue()).to.equal('Destroy it.');
      expect(await page.getByRole('button', { name: 'Recall 1 unit…' }).count()).to.equal(0);
      await alert.getByRole('link', { name: 'See the recall in force' }).click();
      // What was written is lost there.
      await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
      await page.getByText('Bring it back.').waitFor();
    });
  });

  it('and what lifts one say how far they reach where they said that they count', async () => {
    const { owner, batchId } = await ownerOfBatch();
    await visit(stack, async ({ page }) => {
      const heard = async (ask: Locator, within: Locator, words: RegExp) => {
        const status = within.getByRole('status').filter({ hasText: /^Counting/ });
        const counting = { status: 'running', finishedAt: null, result: PART };
        const place = await whereAnswered(page, '**/api/v1/bulk-jobs/*', counting, async () => {
          await ask.press('Enter');
          return status.elementHandle();
        });
        await status.waitFor({ state: 'detached' });
        expect(await place!.evaluate((element) => element.isConnected && element.textContent)).to.match(
          words,
        );
      };
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await heard(page.getByRole('button', { name: SEE }), page.locator('main'), /Units1/);
      const { recall } = await recalled(owner, batchId, null);
      await page.goto(`/app/recalls/${encodeId('rcl', recall.id)}`);
      const lift = page.getByRole('button', { name: 'Lift recall' });
      await heard(lift, page.getByRole('dialog'), /^1 unit/);
    });
  });

  it('and what lifts one take no part for the whole where the counting was cancelled, and count again', async () => {
    const { owner, batchId } = await ownerOfBatch();
    const cancelled = { status: 'cancelled', result: PART };
    await visit(stack, async ({ page }) => {
      const main = page.locator('main');
      const see = page.getByRole('button', { name: SEE });
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await whereAnswered(page, '**/api/v1/bulk-jobs/*', cancelled, async () => {
        await see.click();
        await main.getByText('The counting was cancelled.').waitFor();
        expect(await main.innerText()).to.not.match(/\b7\b/);
        expect(await page.getByRole('button', { name: /^Recall / }).count()).to.equal(0);
      });
      await see.click();
      await page.getByRole('button', { name: 'Recall 1 unit…' }).waitFor();
      const { recall } = await recalled(owner, batchId, null);
      await page.goto(`/app/recalls/${encodeId('rcl', recall.id)}`);
      const dialog = page.getByRole('dialog');
      await whereAnswered(page, '**/api/v1/bulk-jobs/*', cancelled, async () => {
        await page.getByRole('button', { name: 'Lift recall' }).click();
        await dialog.getByText('The counting was cancelled.').waitFor();
        await inspect(page, 'recall-lift-uncounted');
        expect(await dialog.innerText()).to.not.contain('7 units');
      });
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await dialog.getByText(/^1 unit/).waitFor();
    });
  });

  it('is not offered over one that is in force', async () => {
    const { owner, token, batchId } = await ownerOfBatch();
    const nowhere = { accept: 'application/json', 'x-forwarded-for': '10.1.2.3' };
    await (await fetch(`${stack.url}/v/${token}`, { headers: nowhere })).json();
    await recalled(owner, batchId, null);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await page.getByText('It is recalled already').waitFor();
      await page.getByRole('button', { name: SEE }).click();
      await page
        .getByText('1 unit has been scanned. Where 1 scan came from is not known.', { exact: true })
        .waitFor();
      expect(await page.getByLabel('Message in English').count()).to.equal(0);
      await page.getByRole('link', { name: 'See the recall in force' }).click();
      await page.getByText('Bring it back.').waitFor();
    });
  });

  it('leads to the one in force, whose words can be corrected', async () => {
    const { owner, token, batchId } = await ownerOfBatch();
    await recalled(owner, batchId, null);
    const { db } = stack.installation.core;
    await visit(stack, async ({ page, expectStatus }) => {
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await page.getByRole('link', { name: 'See the recall in force' }).click();
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByRole('heading', { level: 1, name: 'Correct the recall' }).waitFor();
      await inspect(page, 'recall-edit');
      await page.getByLabel('Message in English').fill('Bring it back, unopened.');
      await page.getByLabel('Contact').fill('care@example.com');
      await db.query(`update recalls set messages = '{"en": "Throw it away."}' where org_id = $1`, [
        owner.orgId,
      ]);
      expectStatus(409);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is now: English: Throw it away.').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      await page.getByText('Bring it back, unopened.').waitFor();
      await page.getByText('In force', { exact: true }).waitFor();
    });
    const asked = await fetch(`${stack.url}/v/${token}`, { headers: { accept: 'application/json' } });
    expect(await asked.json()).to.deep.include({
      result: 'recalled',
      recall: { messages: { en: 'Bring it back, unopened.' }, contact: 'care@example.com' },
    });
  });

  it('is offered over one that is planned, which it says', async () => {
    const { owner, batchId } = await ownerOfBatch();
    await recalled(owner, batchId, new Date(Date.now() + 86_400_000));
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/recalls/new?target=${encodeId('batch', batchId)}`);
      await page.getByText('A recall of it is planned').waitFor();
      await page.getByRole('button', { name: SEE }).click();
      await page.getByRole('button', { name: 'Recall 1 unit…' }).waitFor();
    });
  });

  it('begins at a batch, and at a product, for who may recall', async () => {
    const owner = await stack.account();
    const batchId = await stack.minted(owner, 1);
    const { rows } = await stack.installation.core.db.query<{ id: string }>(
      'select product_id as id from batches where id = $1',
      [batchId],
    );
    const product = encodeId('prod', rows[0]!.id);
    const batch = encodeId('batch', batchId);
    const begin = (page: Page) => page.getByRole('link', { name: 'Recall…' });
    await visit(stack, async ({ page }) => {
      for (const [path, target] of [
        [`/app/products/${product}`, product],
        [`/app/batches/${batch}`, batch],
      ] as const) {
        await signIn(page, owner, path);
        await begin(page).click();
        await page.waitForURL(`**/app/recalls/new?target=${target}`);
        const scope = target === batch ? 'Batch' : 'Product';
        await page.getByRole('combobox', { name: scope }).waitFor();
        await page.getByRole('button', { name: SEE }).click();
        await page.getByRole('button', { name: 'Recall 1 unit…' }).waitFor();
      }
      // What is recalled already is not recalled again.
      await recalled(owner, batchId, null);
      await page.goto(`/app/batches/${batch}`);
      await page.getByText('Recalled', { exact: true }).first().waitFor();
      expect(await begin(page).count()).to.equal(0);
      await signIn(page, await stack.account('viewer', owner.orgId), `/app/products/${product}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await begin(page).count()).to.equal(0);
    });
  });

  for (const [locale, width] of [
    ['de', PHONE.width],
    ['fr', 360],
    ['es', 360],
    ['en', 360],
  ] as const)
    it(`and units for a consignment show every choice on a phone (${locale}, ${width} px)`, async () => {
      const { owner } = await ownerOfBatch();
      const { core } = stack.installation;
      const draft = {
        reference: null,
        sscc: null,
        origin: null,
        destination: null,
        expectedMarkets: [],
        references: [],
      };
      const { id } = await withTransaction(core.db, ({ db }) =>
        createConsignment(core, db, owner.orgId, draft),
      );
      await visit(
        stack,
        async ({ page }) => {
          await remember(page, owner);
          for (const path of ['recalls/new', `consignments/${encodeId('cons', id)}`]) {
            await page.goto(`/app/${path}`);
            const choices = page.locator('.mantine-SegmentedControl-root').first();
            await choices.waitFor();
            const cut = await choices.evaluate((root) => {
              const { left, right } = root.getBoundingClientRect();
              return [...root.querySelectorAll('label')]
                .filter((label) => {
                  const at = label.getBoundingClientRect();
                  return at.left < left || at.right > right || label.scrollWidth > label.clientWidth;
                })
                .map((label) => label.textContent);
            });
            expect(cut).to.deep.equal([]);
          }
        },
        { locale, viewport: { width, height: PHONE.height } },
      );
    });
});
