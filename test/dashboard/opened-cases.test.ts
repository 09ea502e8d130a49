import { expect } from 'chai';
import { withTransaction } from '../../shared/db.ts';
import { decodeId, encodeId } from '../../shared/ids.ts';
import { openCase } from '../../shared/risk-cases/service.ts';
import { ADDRESSES } from '../support/places.ts';
import { seedUnits } from '../support/seed.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('cases that people open in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  before(async () => {
    stack = await dashboardStack();
  });

  async function ownerOfUnit() {
    const owner = await stack.account();
    const { installation } = stack;
    const [token] = await seedUnits({ ...installation, orgId: owner.orgId }, 1);
    const { rows } = await installation.core.db.query<{ id: string }>(
      'select id from product_units where org_id = $1',
      [owner.orgId],
    );
    return { owner, token: token!, unitId: encodeId('unit', rows[0]!.id) };
  }
  const said = async (token: string): Promise<{ result: string; message: string }> => {
    const headers = { accept: 'application/json', 'x-forwarded-for': ADDRESSES.DE };
    return (await (await fetch(`${stack.url}/v/${token}`, { headers })).json()) as never;
  };

  it('begin at the unit, with what one knows, and change what its consumers are told', async () => {
    const { owner, token, unitId } = await ownerOfUnit();
    expect((await said(token)).message).to.include('nothing unusual');
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/units/${unitId}`);
      await page.getByRole('button', { name: 'Open a case…' }).click();
      await page.getByLabel('What do you know?').fill('Seized in Antwerp');
      await inspect(page, 'case-opening');
      await page.getByRole('button', { name: 'Open the case' }).click();
      await page.waitForURL(/\/app\/cases\/case_/);
      await page.getByText('No suspicious scan so far').waitFor();
      await page.getByText('Seized in Antwerp').waitFor();
      await page.getByText('A case was opened by hand').waitFor();
      await inspect(page, 'case-by-hand');
      expect(await said(token)).to.include({ result: 'genuine' });
      expect((await said(token)).message).not.to.include('nothing unusual');
      await page.goto('/app/cases');
      await page.getByRole('cell', { name: 'Opened by hand' }).waitFor();
      await page.goto('/app');
      await page.getByText('opened by hand').waitFor();
      // It has one now.
      await page.goto(`/app/units/${unitId}`);
      await page.getByRole('link', { name: 'See what speaks against it' }).click();
      await page.getByRole('button', { name: 'Confirm a copy…' }).click();
      await page.getByLabel('A fake with this code was seen').check();
      await page.getByRole('button', { name: 'Confirm a copy', exact: true }).click();
      await page.getByText('Closed: A fake with this code was seen').waitFor();
      const decided = page
        .getByRole('listitem')
        .filter({ hasText: 'Confirmed: A fake with this code was seen' });
      await decided.getByText('Ana Oliveira').waitFor();
      expect(await said(token)).to.include({ result: 'suspicious' });
      await page.goto(`/app/units/${unitId}`);
      await page.getByText('Abuse confirmed').first().waitFor();
      expect(await page.getByRole('button', { name: 'Open a case…' }).count()).to.equal(0);
    });
  });

  it('take what somebody is typing where another one is open meanwhile', async () => {
    const { owner, unitId } = await ownerOfUnit();
    const { core } = stack.installation;
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/units/${unitId}`);
      await page.getByRole('button', { name: 'Open a case…' }).click();
      await page.getByLabel('What do you know?').fill('Mine');
      const draft = { unitId: decodeId('unit', unitId)!, note: 'A colleague’s' };
      await withTransaction(core.db, ({ db }) =>
        openCase(core, db, owner.orgId, draft, encodeId('user', owner.userId)),
      );
      await page.getByText('A case of this unit is open by now').waitFor();
      await page.getByRole('button', { name: 'Open the case' }).click();
      await page.waitForURL(/\/app\/cases\/case_/);
      for (const note of ['Mine', 'A colleague’s']) await page.getByText(note, { exact: true }).waitFor();
    });
  });

  it('are taken from no colleague whom one did not see there', async () => {
    const { owner, unitId } = await ownerOfUnit();
    const colleague = await stack.account('analyst', owner.orgId);
    const { core } = stack.installation;
    const draft = { unitId: decodeId('unit', unitId)! };
    const author = encodeId('user', colleague.userId);
    const { row } = await withTransaction(core.db, ({ db }) =>
      openCase(core, db, owner.orgId, draft, author),
    );
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      await signIn(page, owner, `/app/cases/${encodeId('case', row.id)}`);
      const assignee = page.getByRole('combobox', { name: 'Assigned to' });
      await assignee.click();
      await page.getByRole('option', { name: /\(me\)$/ }).waitFor();
      await core.db.query('update risk_cases set assignee_id = $2 where id = $1', [row.id, colleague.userId]);
      await page.getByRole('option', { name: /\(me\)$/ }).click();
      await page.getByText('Somebody else has it by now').waitFor();
    });
    const { rows } = await core.db.query('select assignee_id from risk_cases where id = $1', [row.id]);
    expect(rows).to.deep.equal([{ assignee_id: colleague.userId }]);
  });

  it('say of a unit that nobody has scanned just that', async () => {
    const { owner, unitId } = await ownerOfUnit();
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/units/${unitId}`);
      await page.getByRole('button', { name: 'Open a case…' }).click();
      await page.getByRole('button', { name: 'Open the case' }).click();
      await page.waitForURL(/\/app\/cases\/case_/);
      await page.getByText('Nobody has scanned it yet.').waitFor();
      await inspect(page, 'case-unscanned');
    });
  });

  it('begin with a report that is confirmed as a counterfeit, and lead back to it', async () => {
    const { owner, token } = await ownerOfUnit();
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': ADDRESSES.DE };
    const body = JSON.stringify({ description: 'The seal is a sticker' });
    const filed = await fetch(`${stack.url}/v/${token}/reports`, { method: 'POST', headers, body });
    const { reportId } = (await filed.json()) as { reportId: string };
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, `/app/reports/${reportId}`);
      await page.getByRole('button', { name: 'Open a case…' }).waitFor();
      await page.getByRole('button', { name: 'Confirm…' }).click();
      await page.getByLabel('It is a counterfeit').check();
      await page.getByRole('button', { name: 'Confirm the report' }).click();
      await page.getByRole('link', { name: /^Case of/ }).click();
      await page.getByText('No suspicious scan so far').waitFor();
      await page.getByText('A case was opened for a report').waitFor();
      await page.getByRole('link', { name: 'for a report', exact: true }).click();
      await page.getByText('The seal is a sticker').waitFor();
      expect(await page.getByRole('button', { name: 'Open a case…' }).count()).to.equal(0);
      await page.goto('/app/cases');
      await page.getByRole('cell', { name: 'A confirmed report' }).waitFor();
    });
  });
});
