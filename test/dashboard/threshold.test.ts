import { expect } from 'chai';
import { changeCase } from '../../shared/risk-cases/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { setPolicy } from '../../shared/risk-policies/service.ts';
import { eventually } from '../support/eventually.ts';
import { ADDRESSES } from '../support/places.ts';
import { seedUnits } from '../support/seed.ts';
import { whereAnswered, whereFails, whereHeld } from './support/answers.ts';
import { simulationStatuses, whereCounting } from './support/simulations.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, PHONE, signIn, visit } from './support/visit.ts';

describe('a threshold from decisions, in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  /** An owner whose units were all seen on two continents within seconds, the first ones on three, and the cases of that, gravest first. */
  async function ownerWithCases(units: number, farther = 0): Promise<{ owner: Account; cases: string[] }> {
    const owner = await stack.account();
    const { installation } = stack;
    const tokens = await seedUnits({ ...installation, orgId: owner.orgId }, units);
    const { DE, JP, US, BR } = ADDRESSES;
    for (const [index, token] of tokens.entries())
      for (const ip of index < farther ? [DE, JP, US, BR] : [DE, JP])
        await (await fetch(`${stack.url}/v/${token}`, { headers: { 'x-forwarded-for': ip } })).text();
    let cases: string[] = [];
    await eventually('a case of each unit', async () => {
      const { rows } = await installation.core.db.query<{ id: string }>(
        'select id from risk_cases where org_id = $1 order by max_score desc',
        [owner.orgId],
      );
      cases = rows.map(({ id }) => id);
      return cases.length === units && (await unscored(owner)) === 0;
    });
    return { owner, cases };
  }

  const unscored = async ({ orgId }: Account): Promise<number> => {
    const { rows } = await stack.installation.core.db.query<{ n: number }>(
      `select count(*) as n from scans where org_id = $1 and assessment = 'preliminary'`,
      [orgId],
    );
    return rows[0]!.n;
  };

  const decide = async ({ orgId }: Account, id: string, isCopy: boolean) => {
    const { db, clock } = stack.installation.core;
    await withTransaction(db, (uow) =>
      changeCase(
        { clock },
        uow.db,
        orgId,
        id,
        isCopy
          ? { status: 'confirmed', closingReason: 'copied_code' }
          : { status: 'dismissed', closingReason: 'resold' },
        'key_1',
      ),
    );
  };

  it('is suggested, taken over and tried before it is saved', async () => {
    const { owner, cases } = await ownerWithCases(32, 8);
    for (const [index, id] of cases.entries()) await decide(owner, id, index < 8);
    await visit(stack, async ({ page, expectStatus }) => {
      await signIn(page, owner, '/app/risk-policy');
      const section = page.getByRole('region', { name: 'What your decisions say' });
      const ask = section.getByRole('button', { name: 'Compare with a year of decisions' });
      expectStatus(422);
      await whereFails(
        page,
        '**/api/v1/risk-policies/simulate',
        { status: 422, method: 'POST' },
        async () => {
          await ask.click();
          await section.getByRole('alert').waitFor();
        },
      );
      await ask.click();
      await section.getByText('Units that people have decided: 8 confirmed, 24 dismissed.').waitFor();
      await section
        .getByText(/From \d+ points on, .*; of 8 confirmed units that are told now, 8 still would be\./)
        .waitFor();
      expect(await section.getByRole('row', { name: /^60 in force/i }).count()).to.equal(1);
      const use = section.getByRole('button', { name: /^Use \d+ points$/ });
      const points = /\d+/.exec((await use.textContent())!)![0];
      const row = section.getByRole('row', { name: new RegExp(`^${points} suggested`, 'i') });
      expect(await row.getByRole('cell').allTextContents()).to.deep.equal(['8', '8', '0']);
      await inspect(page, 'risk-policy-decisions');
      await use.click();
      await page.getByText('1 change, not yet in force.').waitFor();
      expect(await page.getByLabel('Suspicious from').inputValue()).to.equal(points);
      await page.getByRole('button', { name: 'Try on the last 30 days' }).click();
      await page.getByRole('button', { name: 'Save this policy' }).click();
      await page.getByText('This policy is in force.').waitFor();
      // What was asked of another policy is not shown any more.
      await ask.waitFor();
      expect(await section.getByRole('table').count()).to.equal(0);
    });
  });

  it('waits for enough decisions, on a phone too', async () => {
    const { owner, cases } = await ownerWithCases(2);
    await visit(
      stack,
      async ({ page }) => {
        await signIn(page, owner, '/app/risk-policy');
        const ask = page.getByRole('button', { name: 'Compare with a year of decisions' });
        await ask.click();
        await page.getByText('Nobody has decided a case about these scans yet.').waitFor();
        await decide(owner, cases[0]!, true);
        await page.reload();
        await ask.click();
        await page.getByText(/1 confirmed, 0 dismissed\. A suggestion takes 30/).waitFor();
        expect(await page.getByRole('button', { name: /^Use/ }).count()).to.equal(0);
        await inspect(page, 'risk-policy-few-decisions-phone');
      },
      { viewport: PHONE },
    );
  });

  it('is not waited for where a worker of another release counted, and not offered where it is in force', async () => {
    const owner = await stack.account();
    const { db, clock } = stack.installation.core;
    await withTransaction(db, (uow) =>
      setPolicy({ clock }, uow.db, owner.orgId, null, {
        policy: { thresholds: { suspicious: 60.5 } },
        alertCooldownMinutes: null,
      }),
    );
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/risk-policy');
      const section = page.getByRole('region', { name: 'What your decisions say' });
      const ask = section.getByRole('button', { name: 'Compare with a year of decisions' });
      const whereFound = (fromDecisions: object | null, story: () => Promise<void>) =>
        whereAnswered(
          page,
          '**/api/v1/risk-simulations/*',
          { status: 'completed', finishedAt: clock.now().toISOString(), result: { fromDecisions } },
          story,
        );
      await whereFound(null, async () => {
        await ask.click();
        await section.getByText('The decisions could not be compared. Try again later.').waitFor();
        expect(await section.getByRole('progressbar').count()).to.equal(0);
      });
      await page.reload();
      const of30 = Array.from({ length: 100 }, (_, index) => ({
        suspicious: index + 1,
        suspiciousUnits: 30,
        confirmedUnits: 30,
        dismissedUnits: 0,
      }));
      const found = { confirmedUnits: 30, dismissedUnits: 0, suggested: 61, byThreshold: of30 };
      await whereFound(found, async () => {
        await ask.click();
        // Scores are whole: from 60.5 on and from 61 on are the same.
        await section.getByText(/60\.5 points, as now, fit\./).waitFor();
        expect(await section.getByRole('button', { name: /^Use/ }).count()).to.equal(0);
      });
    });
  });

  it('is not counted any further once nobody waits for it, from the first moment on', async () => {
    const owner = await stack.account();
    const statuses = () => simulationStatuses(stack, owner);
    await whereCounting(stack, () =>
      visit(stack, async ({ page }) => {
        await signIn(page, owner, '/app/risk-policy');
        const ask = page.getByRole('button', { name: 'Compare with a year of decisions' });
        const leave = () => page.getByRole('link', { name: 'Products' }).click();
        await ask.click();
        await page.getByRole('button', { name: 'Stop the trial' }).waitFor();
        await leave();
        await eventually('it is cancelled', async () => (await statuses())[0] === 'cancelled');
        await page.goBack();
        await whereHeld(page, '**/api/v1/risk-simulations/*', async () => {
          const asked = page.waitForRequest('**/api/v1/risk-simulations/*');
          await ask.click();
          await asked;
          await leave();
          await eventually('both are', async () => (await statuses())[1] === 'cancelled');
        });
        await page.goBack();
        // Gone, or about to try something else, before one knows of it.
        const begun = '**/api/v1/risk-policies/simulate';
        await whereHeld(page, begun, async () => {
          const asked = page.waitForRequest(begun);
          await ask.click();
          await asked;
          await leave();
          await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
        });
        await eventually('so is the third', async () => (await statuses())[2] === 'cancelled');
        await page.goBack();
        const from = page.getByLabel('Suspicious from');
        await from.fill('85');
        await whereHeld(page, begun, async () => {
          const asked = page.waitForRequest(begun);
          await page.getByRole('button', { name: 'Try on the last 30 days' }).click();
          await asked;
          await from.fill('86');
        });
        await eventually('and the fourth', async () => (await statuses())[3] === 'cancelled');
      }),
    );
  });

  it('is asked again where it was stopped, by keyboard, as is a trial', async () => {
    const owner = await stack.account();
    await whereCounting(stack, () =>
      visit(stack, async ({ page }) => {
        await signIn(page, owner, '/app/risk-policy');
        const ask = page.getByRole('button', { name: 'Compare with a year of decisions' });
        const attempt = page.getByRole('button', { name: 'Try on the last 30 days' });
        const stop = page.getByRole('button', { name: 'Stop the trial' });
        await ask.press('Enter');
        for (let times = 0; times < 2; times += 1) {
          await stop.press('Enter');
          await ask.and(page.locator(':focus')).waitFor();
          await page.keyboard.press('Enter');
        }
        await page.getByLabel('Suspicious from').fill('85');
        await stop.press('Enter');
        await stop.waitFor({ state: 'detached' });
        await attempt.press('Enter');
        await stop.press('Enter');
        await attempt.and(page.locator(':focus:enabled')).waitFor();
        // Whoever is elsewhere by then is left there.
        await page.keyboard.press('Enter');
        await stop.waitFor();
        const from = page.getByLabel('Medium risk from');
        await whereHeld(page, '**/api/v1/risk-simulations/*/cancel', async () => {
          await stop.press('Enter');
          await from.focus();
        });
        await stop.waitFor({ state: 'detached' });
        await from.and(page.locator(':focus')).waitFor();
      }),
    );
  });
});
