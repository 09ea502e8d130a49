import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { switchSecondFactorOn } from './support/api.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

describe('a screen of the dashboard whose session has ended', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  const begin = async (page: Page, account: Account) => {
    await signIn(page, account, '/app/products/new');
    await page.getByLabel('Name').fill('Olive oil');
    await page.getByLabel('SKU').fill('OIL-7');
  };
  /** Ends it at the service, and presses a button that finds out. */
  const end = async (page: Page, { userId }: Account) => {
    await stack.installation.core.db.query('delete from sessions where user_id = $1', [userId]);
    await page.evaluate(
      `[...document.querySelectorAll('button')].find((b) => b.textContent === 'Create')?.click()`,
    );
    await again(page).waitFor();
    await again(page).getByText('Your session has ended.').waitFor();
  };
  const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
  const name = (page: Page) => page.getByLabel('Name');

  it('is kept out of sight with what was typed until the same person has signed in again', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      await begin(page, owner);
      await end(page, owner);
      expect(await name(page).isVisible()).to.equal(false);
      expect(await page.title()).to.equal('Sign in – Touchstone');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      const email = again(page).getByLabel('E-mail address');
      expect(await email.inputValue()).to.equal(owner.email);
      expect(await email.getAttribute('readonly')).to.equal('');
      await inspect(page, 'session-ended');
      const password = again(page).getByLabel('Password', { exact: true });
      await password.fill('not the right one');
      await page.keyboard.press('Enter');
      await again(page).getByText('do not belong together').waitFor();
      await password.fill(owner.password);
      await page.keyboard.press('Enter');
      await again(page).waitFor({ state: 'detached' });
      expect(await name(page).inputValue()).to.equal('Olive oil');
      expect(await page.title()).to.equal('New product – Touchstone');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil', level: 1 }).waitFor();
    });
  });

  it('asks for the second factor as well, and keeps what was typed meanwhile', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401, 422);
      await begin(page, owner);
      const { nextCode } = await switchSecondFactorOn(stack, owner);
      await end(page, owner);
      await again(page).getByLabel('Password', { exact: true }).fill(owner.password);
      await page.keyboard.press('Enter');
      const code = again(page).getByLabel('Code from the app');
      await code.press('Enter');
      await code.and(page.locator('[aria-invalid=true]:focus')).waitFor();
      expect(await again(page).getByText('That code is not right').count()).to.equal(0);
      await code.fill('000000');
      await inspect(page, 'session-ended-code');
      await page.keyboard.press('Enter');
      await again(page).getByText('That code is not right').waitFor();
      expect(await name(page).isVisible()).to.equal(false);
      await code.fill(nextCode());
      await page.keyboard.press('Enter');
      await again(page).waitFor({ state: 'detached' });
      expect(await name(page).inputValue()).to.equal('Olive oil');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Olive oil', level: 1 }).waitFor();
    });
  });

  it('keeps what is open over it too, whatever key is pressed', async () => {
    const owner = await stack.account();
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      await signIn(page, owner, '/app/settings/people');
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      const invitation = page.getByRole('dialog', { name: 'Invite somebody' });
      await invitation.getByLabel('E-mail address').fill('rui@example.com');
      await stack.installation.core.db.query('delete from sessions where user_id = $1', [owner.userId]);
      await invitation.getByRole('button', { name: 'Send the invitation' }).click();
      await again(page).waitFor();
      for (const key of ['Escape', 'Control+k', 'Escape']) await page.keyboard.press(key);
      await again(page).getByLabel('Password', { exact: true }).fill(owner.password);
      await page.keyboard.press('Enter');
      await again(page).waitFor({ state: 'detached' });
      expect(await invitation.getByLabel('E-mail address').inputValue()).to.equal('rui@example.com');
      await invitation.getByText('You had been signed out').waitFor();
      expect(await page.getByPlaceholder('Where to, or what to do?').count()).to.equal(0);
    });
  });

  it('goes, in every tab, where somebody else signs in instead', async () => {
    const owner = await stack.account();
    const other = await stack.account();
    await visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(401);
      await begin(page, owner);
      const tab = await newPage();
      await tab.goto('/app/products/new');
      await name(tab).fill('Fig jam');
      await page.bringToFront();
      await end(page, owner);
      await again(tab).waitFor();
      await again(page).getByRole('button', { name: 'Sign in as somebody else' }).click();
      await page.waitForURL('**/app/sign-in');
      expect(await page.getByText('Olive oil').count()).to.equal(0);
      await page.getByLabel('E-mail address').fill(other.email);
      await page.getByLabel('Password', { exact: true }).fill(other.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Your account' }).waitFor();
      await tab.bringToFront();
      await again(tab).waitFor({ state: 'detached' });
      await name(tab).waitFor();
      expect(await name(tab).inputValue()).to.equal('');
    });
  });

  it('sends nothing of one person as another, who signs in elsewhere meanwhile', async () => {
    const owner = await stack.account();
    const other = await stack.account();
    await visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(401);
      await begin(page, owner);
      const tab = await newPage();
      await tab.goto('/app');
      await tab.getByRole('button', { name: 'Your account' }).waitFor();
      let refuse!: () => Promise<void>;
      const sent: string[] = [];
      await page.route('**/api/v1/products', async (route) => {
        if (route.request().method() !== 'POST') {
          await route.continue();
          return;
        }
        sent.push(route.request().postData()!);
        refuse = () => route.fulfill({ status: 401, contentType: 'application/json', body: '{}' });
      });
      await page.getByRole('button', { name: 'Create' }).click();
      await eventually('it is under way', () => sent.length === 1);
      await signIn(tab, other);
      await refuse();
      await page.bringToFront();
      await page.getByRole('heading', { name: 'New product' }).waitFor();
      await page.unroute('**/api/v1/products');
      expect(sent).to.have.length(1);
      const { rows } = await stack.installation.core.db.query('select 1 from products where org_id = $1', [
        other.orgId,
      ]);
      expect(rows).to.deep.equal([]);
    });
  });
});
