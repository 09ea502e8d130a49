import { expect } from 'chai';
import { hiddenCodeOf } from '../../shared/hidden-codes/hidden-code.ts';
import { ADDRESSES } from '../support/places.ts';
import { oneUnit } from './support/one-unit.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('hidden codes in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('are of a batch’s packages, and what was entered is told in the unit’s life, with what speaks against it', async () => {
    const owner = await stack.account();
    const { token, code, keys, paths } = await oneUnit(stack, owner);
    const right = hiddenCodeOf(keys, code, keys[0].id);
    const enter = async (ip: string, hiddenCode: string) => {
      const response = await fetch(`${stack.url}/v/${token}/hidden-code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
        body: JSON.stringify({ hiddenCode }),
      });
      expect(response.status).to.equal(200);
      return (await response.json()) as { scanId: string };
    };
    await visit(stack, async ({ page }) => {
      await signIn(page, owner, paths.batch);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Each package has a second code').check();
      await inspect(page, 'batch-hidden-codes');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('On each package').waitFor();
      await enter(ADDRESSES.DE, '0000-0000');
      await enter(ADDRESSES.DE, right);
      await enter(ADDRESSES.US, right);
      await enter(ADDRESSES.BR, right);
      const { scanId } = await enter(ADDRESSES.JP, right);
      await page.goto(paths.unit);
      await page.getByText('Hidden code entered: correct').nth(3).waitFor();
      await page.getByText('Hidden code entered: not correct').waitFor();
      await page.getByText('1 wrong attempt').waitFor();
      await inspect(page, 'unit-hidden-codes');
      await page.goto(`/app/scans/${scanId}`);
      await page.getByText('Its hidden code was entered by visitor after visitor').waitFor();
      await inspect(page, 'scan-hidden-code');
      await page.goto('/app/scans');
      const listed = page.getByRole('row').filter({ has: page.getByRole('cell') });
      await listed.nth(4).waitFor();
      await page.getByRole('combobox', { name: 'Hidden code' }).click();
      await page.getByRole('option', { name: 'Not correct' }).click();
      await listed.nth(1).waitFor({ state: 'detached' });
      await listed.getByText('Hidden code wrong').waitFor();
      await inspect(page, 'scans-hidden-code');
    });
  });
});
