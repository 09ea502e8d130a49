import { expect } from 'chai';
import { whereFails } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, remember, signIn, visit } from './support/visit.ts';

describe('the operator’s screen', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('takes the operator’s own credentials and nothing of an organization, and shows how the installation is doing', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401, 503);
      // Whoever is signed in beside it: nobody is asked who that is.
      await remember(page, owner);
      const asked: { path: string; cookie: string | undefined }[] = [];
      page.on('request', async (request) => {
        const path = new URL(request.url()).pathname;
        if (path.startsWith('/app')) return;
        asked.push({ path, cookie: (await request.allHeaders())['cookie'] });
      });
      await page.goto('/app/operator');
      await page.getByRole('button', { name: 'Language' }).waitFor();
      await page
        .locator(':focus')
        .and(page.getByLabel('Operator', { exact: true }))
        .waitFor();
      await page.keyboard.type('operator');
      await page.getByLabel('Operator’s password', { exact: true }).fill('not it');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('These are not the operator’s credentials.').waitFor();
      await page
        .locator(':focus')
        .and(page.getByRole('button', { name: 'Open' }))
        .waitFor();
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
      expect([...new Set(asked.map(({ path }) => path))]).to.deep.equal(['/ops/status']);
      expect(asked.filter(({ cookie }) => cookie !== undefined)).to.deep.equal([]);
    }));

  it('asks again, and says why, once its credentials are refused', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401, 404);
      await page.goto('/app/operator');
      const enter = async () => {
        await page.getByLabel('Operator', { exact: true }).fill('operator');
        await page
          .getByLabel('Operator’s password', { exact: true })
          .fill(stack.installation.env.OPERATOR_PASSWORD!);
        await page.getByRole('button', { name: 'Open' }).click();
      };
      await enter();
      await page.getByRole('row', { name: /deliver-webhooks/ }).waitFor();
      await whereFails(page, '**/ops/status', { status: 401, code: 'UNAUTHENTICATED' }, () =>
        page.getByRole('alert').getByText('These are not the operator’s credentials.').waitFor(),
      );
      await whereFails(page, '**/ops/status', { status: 404, code: 'NOT_FOUND' }, async () => {
        await enter();
        await page.getByText('This address has no operator’s pages.').waitFor();
      });
    }));

  it('is a link away for who manages an organization, and the way back knows who they are', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner);
      await page.getByRole('link', { name: 'Operator' }).click();
      await page.getByLabel('Operator’s password', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Your account' }).count()).to.equal(0);
      await page.reload();
      await page.getByRole('link', { name: 'Touchstone' }).click();
      await page.getByRole('button', { name: 'Your account' }).waitFor();
    }));
});
