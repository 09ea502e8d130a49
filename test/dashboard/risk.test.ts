import { expect } from 'chai';
import { encodeId } from '../../shared/ids.ts';
import { eventually } from '../support/eventually.ts';
import { ADDRESSES } from '../support/places.ts';
import { jpegWithPosition } from '../support/photos.ts';
import { seedUnits } from '../support/seed.ts';
import { whereFails } from './support/answers.ts';
import { simulationStatuses, whereCounting } from './support/simulations.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, PHONE, signIn, visit } from './support/visit.ts';

describe('scans and risk in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  /** An owner with one active unit. */
  async function ownerOfUnit(): Promise<{ owner: Account; token: string }> {
    const owner = await stack.account();
    const { installation } = stack;
    const [token] = await seedUnits({ ...installation, orgId: owner.orgId }, 1);
    return { owner, token: token! };
  }

  async function check(token: string, ip: string): Promise<string> {
    const response = await fetch(`${stack.url}/v/${token}`, {
      headers: { accept: 'application/json', 'x-forwarded-for': ip },
    });
    return ((await response.json()) as { result: string }).result;
  }

  const caseOpened = ({ orgId }: Account) =>
    eventually('a case', async () => {
      const { db } = stack.installation.core;
      const { rows } = await db.query('select 1 from risk_cases where org_id = $1', [orgId]);
      return rows.length > 0;
    });

  it('show the final verdict where it comes after the page', async () => {
    const { owner, token } = await ownerOfUnit();
    await check(token, ADDRESSES.DE);
    const { db } = stack.installation.core;
    let id = '';
    const judged = async (assessment: string) => {
      const { rows } = await db.query<{ id: string }>(
        'update scans set assessment = $2 where org_id = $1 and assessment <> $2 returning id',
        [owner.orgId, assessment],
      );
      id = rows[0]?.id ?? id;
      return rows.length > 0;
    };
    await eventually('a final verdict, to be taken back', () => judged('preliminary'));
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/scans/${encodeId('scan', id)}`);
      const badge = page.getByText('Being assessed');
      await badge.waitFor();
      await judged('final');
      await badge.waitFor({ state: 'detached' });
    });
  });

  it('explain the dashed lines of the map where it has some', async () => {
    const { owner, token } = await ownerOfUnit();
    expect(await check(token, ADDRESSES.DE)).to.equal('genuine');
    expect(await check(token, ADDRESSES.JP)).to.equal('suspicious');
    const { db } = stack.installation.core;
    const { rows } = await db.query<{ id: string }>('select id from scans where org_id = $1 order by id', [
      owner.orgId,
    ]);
    const [first, second] = rows.map(({ id }) => `/app/scans/${encodeId('scan', id)}`);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, second!);
      await page
        .getByText('Circles show how uncertain each position is. Dashed lines are journeys')
        .waitFor();
      await page.goto(`${stack.url}${first}`);
      await page.getByText('Circles show how uncertain each position is.').waitFor();
      expect(await page.getByText('Dashed lines').count()).to.equal(0);
    });
  });

  it('tell of the first unit of a batch what is known of others of its markets', async () => {
    const owner = await stack.account();
    const units = (count: number, markets: string[]) =>
      seedUnits({ ...stack.installation, orgId: owner.orgId }, count, markets);
    const { db } = stack.installation.core;
    const seen = async (tokens: string[], ip: string) => {
      for (const token of tokens) await check(token, ip);
    };
    await seen(await units(30, ['JP']), ADDRESSES.JP);
    await seen(await units(3, ['DE']), ADDRESSES.DE);
    await eventually('the counts of all that was seen', async () => {
      const { rows } = await db.query('select units from organization_sightings where org_id = $1', [
        owner.orgId,
      ]);
      return rows[0]?.units === 33;
    });
    expect(await check((await units(1, ['DE']))[0]!, ADDRESSES.BR)).to.equal('genuine');
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans?country=BR');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByText('hardly ever sold here: this looks like a customer abroad').waitFor();
      await page
        .getByText('3 other units of the same markets were seen, 0 of them first in Brazil')
        .waitFor();
      await inspect(page, 'scan-peers');
    });
  });

  it('look a serial up within the product chosen', async () => {
    const { owner } = await ownerOfUnit();
    const { installation } = stack;
    await seedUnits({ ...installation, orgId: owner.orgId }, 1);
    const { rows } = await installation.core.db.query<{ id: string; product_id: string }>(
      `update product_units set serial = 'ALIKE-1' where org_id = $1 returning id, product_id`,
      [owner.orgId],
    );
    expect(rows).to.have.length(2);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans');
      for (const { id, product_id: productId } of rows) {
        await page.goto(`/app/scans?productId=${encodeId('prod', productId)}`);
        await page.getByLabel('Serial').fill('ALIKE-1');
        await page.keyboard.press('Enter');
        await page.waitForURL(({ searchParams }) => searchParams.get('unitId') === encodeId('unit', id));
      }
    });
  });

  it('export what the filters leave', async () => {
    const { owner, token } = await ownerOfUnit();
    for (const ip of [ADDRESSES.DE, ADDRESSES.BR, ADDRESSES.US]) await check(token, ip);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/scans?country=DE');
      await page.getByRole('row').nth(1).waitFor();
      await page.getByRole('combobox', { name: 'Product' }).click();
      await page.getByRole('option', { name: 'Oil' }).click();
      await page.getByRole('combobox', { name: 'Batch' }).fill('l1');
      await page.getByRole('option', { name: 'Oil · L1' }).click();
      await page.waitForURL(/batchId=batch_/);
      await page.getByRole('row').nth(1).waitFor();
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByText('All scans that match the filters').waitFor();
      await page.getByRole('button', { name: 'Write the file' }).click();
      await page.getByText(/^1 scan, /).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(download.suggestedFilename()).to.match(/\.csv$/);
    });
  });

  it('show what a policy would have flagged before it is saved', async () => {
    const { owner, token } = await ownerOfUnit();
    for (const ip of [ADDRESSES.DE, ADDRESSES.JP]) await check(token, ip);
    await caseOpened(owner);
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/risk-policy');
      await page.getByText('This policy is in force.').waitFor();
      expect(await page.getByRole('button', { name: 'Save this policy' }).count()).to.equal(0);
      await page.getByRole('switch', { name: 'Impossible travel' }).uncheck({ force: true });
      await page.getByRole('switch', { name: 'Copied code' }).uncheck({ force: true });
      await page.getByText('2 changes, not yet in force.').waitFor();
      await page.evaluate('scrollTo(0, 0)');
      await page.getByRole('button', { name: 'Try on the last 30 days' }).click();
      const found = page.getByText(/No longer suspicious: 1\./);
      await found.waitFor();
      const { y, height } = (await found.boundingBox())!;
      expect(y, 'what was found is in sight').to.be.within(0, page.viewportSize()!.height - height);
      await inspect(page, 'risk-policy-tried');
      await page.getByRole('button', { name: 'Save this policy' }).click();
      await page.getByText('This policy is in force.').waitFor();
      await page.reload();
      await page.getByRole('switch', { name: 'Copied code' }).waitFor();
      expect(await page.getByRole('switch', { name: 'Copied code' }).isChecked()).to.equal(false);
      expect(await page.getByRole('switch', { name: 'Outside its markets' }).isChecked()).to.equal(true);
    });
  });

  it('save no policy over one that somebody else has saved since', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(409);
      await signIn(page, owner, '/app/risk-policy');
      await page.getByText('This policy is in force.').waitFor();
      const other = await newPage();
      await other.goto('/app/risk-policy');
      for (const [tab, minutes] of [
        [other, '60'],
        [page, '90'],
      ] as const) {
        await tab.bringToFront();
        await tab.getByLabel('Pause per unit, minutes').fill(minutes);
        await tab.getByRole('button', { name: 'Save this policy' }).click();
        if (tab === other) await tab.getByText('This policy is in force.').waitFor();
      }
      await page.getByText('Somebody else has changed this policy').waitFor();
      const { rows } = await stack.installation.core.db.query(
        'select alert_cooldown_minutes as minutes from risk_policies where org_id = $1',
        [owner.orgId],
      );
      expect(rows).to.deep.equal([{ minutes: 60 }]);
      // What was typed stays until one asks for the other.
      const pause = page.getByLabel('Pause per unit, minutes');
      expect(await pause.inputValue()).to.equal('90');
      await page.getByRole('button', { name: 'Load the policy as it is now' }).click();
      await page.getByText('This policy is in force.').waitFor();
      expect(await pause.inputValue()).to.equal('60');
      // A tab where nothing was changed follows by itself.
      await pause.fill('30');
      await page.getByRole('button', { name: 'Save this policy' }).click();
      await page.getByText('This policy is in force.').waitFor();
      await other.reload();
      await other.getByText('This policy is in force.').waitFor();
      expect(await other.getByLabel('Pause per unit, minutes').inputValue()).to.equal('30');
    });
  });

  it('take an emptied number for the inherited one, and lose no change without a question', async () => {
    const { owner } = await ownerOfUnit();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/risk-policy');
      const suspicious = page.getByLabel('Suspicious from');
      const medium = page.getByLabel('Medium risk from');
      const start = page.getByRole('button', { name: 'Try on the last 30 days' });
      await suspicious.fill('85');
      await page.getByText('1 change, not yet in force.').waitFor();
      await suspicious.fill('');
      await page.getByText('This policy is in force.').waitFor();
      expect(await suspicious.inputValue()).to.equal('');
      await medium.fill('80');
      await page.getByText('Not above the points for suspicious, 60.').waitFor();
      expect(await start.isDisabled()).to.equal(true);
      const visitors = page.getByLabel('Visitors', { exact: true }).first();
      const before = await visitors.inputValue();
      await visitors.fill('');
      await medium.focus();
      expect(await visitors.inputValue()).to.equal(before);
      await page.getByRole('combobox', { name: 'Policy of' }).click();
      await page.getByRole('option', { name: 'Oil' }).click();
      await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await medium.inputValue()).to.equal('80');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('combobox', { name: 'Policy of' }).click();
      await page.getByRole('option', { name: 'Oil' }).click();
      await page.getByText('for this product only').waitFor();
    });
  });

  it('decide a case that somebody else has changed meanwhile, with what was typed', async () => {
    const { owner, token } = await ownerOfUnit();
    await check(token, ADDRESSES.DE);
    await check(token, ADDRESSES.BR);
    await caseOpened(owner);
    await visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(409);
      await signIn(page, owner, '/app/cases');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Dismiss…' }).click();
      await page.getByLabel('Note').fill('They told us so');
      await page.getByRole('dialog').getByRole('radio').first().check();
      const other = await newPage();
      await other.goto(page.url());
      const move = other.getByRole('button', { name: 'Start investigating' });
      await move.click();
      const back = other.getByRole('button', { name: 'Put back' });
      await back.waitFor();
      expect(await other.locator(':focus').innerText()).to.equal('Put back');
      const decide = page.getByRole('button', { name: 'Dismiss the case' });
      await decide.click();
      await page.getByText('Somebody else has changed it meanwhile').waitFor();
      await page.getByText('It is now: Being investigated. Press again').waitFor();
      expect(await page.getByLabel('Note').inputValue()).to.equal('They told us so');
      await decide.click();
      await page.getByText('The unit is judged afresh from now on').waitFor();
      await page.getByText('They told us so').waitFor();
    });
  });

  it('stop a trial that nobody waits for, by the button or by going on', async () => {
    const { owner } = await ownerOfUnit();
    const statuses = () => simulationStatuses(stack, owner);
    await whereCounting(stack, () =>
      visit(stack, async ({ page }) => {
        await signIn(page, owner, '/app/risk-policy');
        await page.getByRole('switch', { name: 'Copied code' }).uncheck({ force: true });
        const start = page.getByRole('button', { name: 'Try on the last 30 days' });
        const stop = page.getByRole('button', { name: 'Stop the trial' });
        await start.click();
        await inspect(page, 'risk-policy-trying');
        await stop.click();
        await stop.waitFor({ state: 'detached' });
        expect(await statuses()).to.deep.equal(['cancelled']);
        await start.click();
        await stop.waitFor();
        await page.getByRole('switch', { name: 'Impossible travel' }).uncheck({ force: true });
        await stop.waitFor({ state: 'detached' });
        await start.click();
        await stop.waitFor();
        await page.getByRole('link', { name: 'Products' }).click();
        await page.getByRole('button', { name: 'Leave' }).click();
        await eventually('both are cancelled', async () =>
          (await statuses()).every((status) => status === 'cancelled'),
        );
        expect(await statuses()).to.have.length(3);
      }),
    );
  });

  it('say what a policy would change about diversions alone', async () => {
    const owner = await stack.account();
    const { installation } = stack;
    const [token] = await seedUnits({ ...installation, orgId: owner.orgId }, 1, ['DE']);
    expect(await check(token!, ADDRESSES.BR)).to.equal('diverted');
    await eventually('a final verdict', async () => {
      const { rows } = await installation.core.db.query(
        `select 1 from scans where org_id = $1 and assessment = 'final'`,
        [owner.orgId],
      );
      return rows.length > 0;
    });
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/risk-policy');
      await page.getByRole('switch', { name: 'Outside its markets' }).uncheck({ force: true });
      await page.getByRole('button', { name: 'Try on the last 30 days' }).click();
      await page.getByText(/Newly diverted units: 0\. No longer diverted: 1\./).waitFor();
    });
  });

  it('bring a consumer’s report with its photo to whoever decides it', async () => {
    const { owner, token } = await ownerOfUnit();
    await visit(
      stack,
      async ({ page }) => {
        await page.goto(`/v/${token}`);
        await page.locator('details:has([name=photos]) > summary').click();
        await page.locator('[name=description]').fill('The seal was broken.');
        await page.locator('[name=purchasedFrom]').fill('a kiosk');
        await page.locator('[name=photos]').setInputFiles({
          name: 'seal.jpg',
          mimeType: 'image/jpeg',
          buffer: await jpegWithPosition(),
        });
        await page.locator('form:has([name=photos]) button').click();
        await page.waitForURL(/\/reports/);
      },
      { viewport: PHONE },
    );
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(500);
      await signIn(page, owner, '/app/reports');
      const image = page.getByRole('img', { name: 'Photo 1' });
      // What does not arrive is there all the same.
      const failed = await whereFails(page, '**/report-photos/**', {}, async () => {
        await page.getByRole('link', { name: 'The seal was broken.' }).click();
        await page.getByRole('alert').getByText('Photo 1 did not arrive.').waitFor();
      });
      // Its link ends; one that is asked for in another second is another.
      const [link] = [...failed];
      const begun = Date.now();
      await eventually('another second', () => Date.now() > begun + 1_000);
      const ended = new RegExp(`expires=${new URL(link!).searchParams.get('expires')}&`);
      await whereFails(page, ended, { status: 403, code: 'FORBIDDEN' }, async () => {
        await page.getByRole('button', { name: 'Try again' }).click();
        await image.waitFor();
      });
      expect(
        await image.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth),
      ).to.be.greaterThan(0);
      expect(await image.getAttribute('src')).to.match(/^blob:/);
      await page.getByRole('link', { name: 'The reporter’s own scan' }).waitFor();
      await page.getByRole('button', { name: 'Confirm…' }).click();
      await page.getByLabel('It is a counterfeit').check();
      await page.getByRole('button', { name: 'Confirm the report' }).click();
      await page.getByText('Closed: It is a counterfeit.').waitFor();
      await page.goto('/app/reports?status=confirmed');
      await page.getByRole('link', { name: 'The seal was broken.' }).waitFor();
    });
  });
});
