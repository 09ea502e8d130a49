import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { encodeId } from '../../shared/ids.ts';
import { startIdentityProvider, type IdentityProvider } from '../support/identity-provider.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit, type Visit } from './support/visit.ts';

/** Of everybody whom the stack makes. */
const DOMAIN = 'dashboard.example';

describe('single sign-on in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let provider: IdentityProvider;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    provider = await startIdentityProvider({ redirectUrl: `${stack.url}/sso/callback`, ca: stack.ca });
    owner = await stack.account();
    await stack.installation.core.db.query(
      `insert into organization_domains (org_id, name, record, confirmed_at, confirmed_by, requested_at, created_at)
       values ($1, $2, 'touchstone=1', now(), 'operator', now(), now())`,
      [owner.orgId, DOMAIN],
    );
  });
  after(() => provider.close());

  /** A story in a browser that takes the provider's certificate, and is led there. */
  const tell = (story: (visit: Visit) => Promise<void>) =>
    visit(
      stack,
      async (visited) => {
        visited.expectComplaints(/a request to another host: https:\/\/localhost:/);
        await story(visited);
      },
      { ignoreHTTPSErrors: true },
    );
  /** Whoever comes to the provider next signs in there as somebody with this address. */
  const nextIs = async (email: string) => {
    provider.accounts.set(email, { email });
    // It leads nowhere from here, and keeps who it is.
    await provider.visit(stack.url, email);
  };
  const holds = (domain: string) =>
    stack.installation.core.db.query('update organization_domains set name = $2 where org_id = $1', [
      owner.orgId,
      domain,
    ]);
  const card = (page: Page) => page.getByRole('region', { name: 'Single sign-on' });
  const leave = async (page: Page, email: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  };

  it('is set up by an owner, who signs in by it and lands where they wanted to go', () =>
    tell(async ({ page, expectStatus }) => {
      expectStatus(409, 422);
      await signIn(page, owner, '/app/settings/people');
      await card(page).getByRole('button', { name: 'Set it up' }).click();
      await card(page).getByText(`${stack.url}/sso/callback`, { exact: true }).waitFor();
      await card(page).getByRole('button', { name: 'Save' }).click();
      await card(page).getByText('Fill this in.').nth(1).waitFor();
      await card(page).getByLabel('Issuer').and(page.locator('[aria-invalid=true]:focus')).waitFor();
      await card(page).getByLabel('Issuer').fill(provider.issuer);
      await card(page).getByLabel('Client ID').fill(provider.client.clientId);
      await card(page).getByRole('button', { name: 'Save' }).click();
      await card(page).getByText('Fill this in.').waitFor();
      await card(page).getByLabel('Client secret').fill(provider.client.clientSecret);
      await card(page).getByRole('switch', { name: 'Everybody but owners' }).click();
      await card(page).getByText('sessions that others than owners began with a password').waitFor();
      await inspect(page, 'settings-single-sign-on-form');
      await card(page).getByRole('button', { name: 'Save' }).click();
      await card(page).getByText('Ready', { exact: true }).waitFor();
      const lookAgain = card(page).getByRole('button', { name: 'Look again' });
      const asked = page.waitForResponse('**/single-sign-on/check');
      await lookAgain.click();
      await asked;
      await lookAgain.and(page.locator(':not([data-loading])')).waitFor();
      await card(page).getByText('Last looked').waitFor();
      await page.mouse.move(0, 0);
      await inspect(page, 'settings-single-sign-on');

      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto('/app/products?status=archived');
      await nextIs(owner.email);
      // The address is asked for where there is none.
      await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
      await page.locator('[aria-invalid=true]:focus').waitFor();
      await leave(page, owner.email);
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
      expect(page.url()).to.equal(`${stack.url}/app/products?status=archived`);
      // Whom the browser's own button leads back there is signed in already.
      await page.goto('/sso/callback?code=used');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

      const rui = await stack.account('viewer', owner.orgId);
      await page.goto('/app/settings/people');
      await page.getByRole('row', { name: rui.email }).getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Forget identity' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`with the address ${rui.email}`).waitFor();
      await dialog.getByRole('button', { name: 'Forget' }).click();
      await page.getByText('can sign in with another account.').waitFor();

      await card(page).getByRole('button', { name: 'Change' }).click();
      await card(page).getByLabel('Client ID').fill('another');
      await card(page).getByText('all sessions that began by single sign-on end').waitFor();
      await card(page).getByLabel('Client ID').fill(provider.client.clientId);
      // Another owner decides meanwhile: what they made of it is shown before it is saved over.
      await stack.installation.core.db.query(
        `update sign_in_providers set newcomer_role = 'analyst', updated_at = now() where org_id = $1`,
        [owner.orgId],
      );
      await card(page).getByRole('button', { name: 'Save' }).click();
      await card(page).getByText('Somebody else has changed this meanwhile.').waitFor();
      const newcomers = card(page).getByLabel('Role of newcomers');
      expect(await newcomers.inputValue()).to.equal('analyst');
      await newcomers.selectOption('');
      await card(page).getByRole('button', { name: 'Save' }).click();
      await card(page).getByRole('button', { name: 'Change' }).waitFor();
    }));

  // By the provider that the story before has set up.
  it('is what a member has to use, who goes on in the tab that was kept; others are told why they are refused', () =>
    tell(async ({ page, context, expectStatus }) => {
      expectStatus(401, 403, 404);
      const member = await stack.account('administrator', owner.orgId);
      await page.goto('/app/settings/people');
      await page.getByLabel('E-mail address').fill(member.email);
      await page.getByLabel('Password', { exact: true }).fill(member.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('sign in with single sign-on, not with a password').waitFor();
      await inspect(page, 'sign-in-single-sign-on');
      await leave(page, 'somebody@nowhere.example');
      await page.getByText('No organization signs this address in that way.').waitFor();

      // Whose domain nobody knows here: the refused password has said whose provider it is.
      await nextIs(`stranger@${DOMAIN}`);
      await holds('elsewhere.example');
      await leave(page, member.email);
      const refusal = page.getByText('You do not belong to your organization here yet.');
      await refusal.waitFor();
      await page.reload();
      await refusal.waitFor();
      await inspect(page, 'single-sign-on-refused');
      await page.getByRole('link', { name: 'Back to the sign-in' }).click();
      // Still to the provider that the refused password had named.
      await page.getByText('has its people sign in with single sign-on').waitFor();

      await holds(DOMAIN);
      await context.clearCookies();
      await nextIs(member.email);
      // By the link of the organization, which leads away only where somebody wants to go.
      await page.goto(`/sso/${encodeId('org', owner.orgId)}`);
      await page.getByText('has its people sign in with single sign-on').waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/sign-in');
      await page.locator('button:focus', { hasText: 'single sign-on' }).press('Enter');
      await page.getByRole('button', { name: 'Your account' }).waitFor();
      await page.goto('/app/settings/people');
      await card(page).getByText('Ready', { exact: true }).waitFor();
      // For owners alone.
      expect(await card(page).getByRole('button', { name: 'Change' }).count()).to.equal(0);
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByRole('dialog').getByLabel('E-mail address').fill('rui@example.com');
      await stack.installation.core.db.query('delete from sessions where user_id = $1', [member.userId]);
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      const again = page.getByRole('dialog', { name: 'Sign in again' });
      // To their own organization's provider, whoever holds the address's domain.
      await holds('elsewhere.example');
      const opened = context.waitForEvent('page');
      await again.getByRole('button', { name: 'Sign in with single sign-on' }).click();
      const other = await opened;
      await other.getByRole('button', { name: 'Your account' }).waitFor();
      await page.bringToFront();
      await again.waitFor({ state: 'detached' });
      expect(await page.getByRole('dialog').getByLabel('E-mail address').inputValue()).to.equal(
        'rui@example.com',
      );
    }));
});
