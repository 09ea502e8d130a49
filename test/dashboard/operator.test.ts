import { expect } from 'chai';
import { whereFails } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('the operator’s screen', function () {
  this.timeout(60_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('takes the operator’s own credentials, whoever is signed in, and shows how the installation is doing', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401, 503);
      await signIn(page, owner, '/app/operator');
      await page.getByLabel('Operator', { exact: true }).fill('operator');
      await page.getByLabel('Operator’s password', { exact: true }).fill('not it');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('These are not the operator’s credentials.').waitFor();
      await inspect(page, 'operator-sign-in');
      await page
        .getByLabel('Operator’s password', { exact: true })
        .fill(stack.installation.env.OPERATOR_PASSWORD!);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('row', { name: /deliver-webhooks/ }).waitFor();
      await page.getByText('On time').waitFor();
      await page.getByRole('rowheader', { name: 'web', exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Open Bull Board' }).waitFor();
      await inspect(page, 'operator');
      // Of a service that answers no more, nothing green is said.
      await whereFails(page, '**/ops/status', { status: 503, code: 'UNAVAILABLE' }, async () => {
        await page
          .getByRole('alert')
          .getByText(/The last answer came .*ago; this is what it said/)
          .waitFor();
        expect(await page.getByText('Unknown').count()).to.equal(4);
        expect(await page.getByText('On time').count()).to.equal(0);
      });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('On time').waitFor();
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('button', { name: 'Open' }).waitFor();
    }));
});
