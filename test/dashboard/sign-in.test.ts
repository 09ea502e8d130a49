import { expect } from 'chai';
import { blockOrganization } from '../../shared/organizations/service.ts';
import { dashboardStack, type Stack } from './support/stack.ts';
import { signIn, signInByForm, visit } from './support/visit.ts';

describe('signing in to the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('begins a session that survives a reload and ends in every tab', () =>
    visit(stack, async ({ page, newPage }) => {
      await signInByForm(page, await stack.account(), '/app/products');
      await page.waitForURL('**/app/products');
      await page.reload();
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();

      const other = await newPage();
      await other.goto('/app/products');
      await other.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
      await page.bringToFront();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.goto('/app/products');
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    }));

  it('says to whom the operator has blocked the organization of that it is so', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      expectStatus(403);
      const account = await stack.account();
      await signIn(page, account, '/app/products');
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
      await blockOrganization(
        stack.installation.core,
        stack.installation.core.db,
        account.orgId,
        'an imitator',
      );
      await page.getByRole('link', { name: 'Batches' }).click();
      await page.getByText('Your session has ended.').waitFor();
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Whoever runs this service has blocked your organization.').waitFor();
    }));

  it('works on http://localhost too: the browser takes the Secure cookie there, and no script reads it', () => {
    const local = { ...stack, url: stack.url.replace('127.0.0.1', 'localhost') };
    return visit(local, async ({ page }) => {
      await signInByForm(page, await stack.account(), '/app/products');
      await page.reload();
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
      expect(await page.evaluate('document.cookie')).to.equal('');
    });
  });

  it('says in every tab that a session has ended, and goes on in each where it was', () =>
    visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(401);
      const account = await stack.account();
      await signIn(page, account, '/app/products');
      const other = await newPage();
      await other.goto('/app/units');
      await other.getByRole('heading', { name: 'Units', level: 1 }).waitFor();
      await page.bringToFront();
      await stack.installation.core.db.query('delete from sessions where user_id = $1', [account.userId]);
      // A tab that comes to the front asks again, and may know before it is pressed; then there is nothing left to press.
      await page.evaluate(`document.querySelector('a[href="/app/batches"]')?.click()`);
      await page.getByText('Your session has ended.').waitFor();
      await other.bringToFront();
      await other.getByText('Your session has ended.').waitFor();
      expect(new URL(other.url()).pathname).to.equal('/app/units');
      expect(await other.getByRole('heading', { name: 'Units', level: 1 }).isVisible()).to.equal(false);
      await other.getByLabel('Password', { exact: true }).fill(account.password);
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.getByRole('heading', { name: 'Units', level: 1 }).waitFor();
      await page.bringToFront();
      await page.getByRole('button', { name: 'Your account' }).waitFor();
    }));

  it('says that a password is wrong, without saying whether the address is known', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      const { email } = await stack.account();
      await page.goto('/app/sign-in');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password', { exact: true }).fill('not the right one');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('do not belong together').waitFor();
    }));
});
