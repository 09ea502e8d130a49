import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { dashboardStack, linkIn, PASSWORD, type Stack } from './support/stack.ts';
import { whereAway } from './support/answers.ts';
import { call, switchSecondFactorOn } from './support/api.ts';
import { eventually } from '../support/eventually.ts';
import { QUIET_PAGE } from '../support/windows.ts';
import { inspect, PHONE, signIn, signInByForm, visit } from './support/visit.ts';

const NEW_PASSWORD = 'another stone that shows gold';

async function choosePassword(page: Page, button: string, done: string): Promise<void> {
  await page
    .getByLabel(/password$/i)
    .first()
    .fill(NEW_PASSWORD);
  await page.getByRole('button', { name: button }).click();
  await page.getByText(done).waitFor();
}

describe('the account pages of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await dashboardStack();
  });

  it('say whose session ends while the dialog closes', async () => {
    const account = await stack.account();
    await visit(
      stack,
      async ({ page }) => {
        await signIn(page, account, '/app/settings/account');
        const { email, password } = account;
        const answer = await fetch(`${stack.url}/api/v1/auth/sign-in`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          },
          body: JSON.stringify({ email, password }),
        });
        expect(answer.status).to.equal(200);
        await page.reload();
        await page.getByRole('button', { name: 'End', exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(/Firefox.* is signed out at once/).waitFor();
        await page.evaluate(`window.said = new Set(); new MutationObserver(() => {
          const dialog = document.querySelector('[role=dialog]');
          if (dialog !== null) window.said.add(dialog.textContent);
        }).observe(document.body, { attributes: true, childList: true, subtree: true, characterData: true })`);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        const said = (await page.evaluate('[...window.said]')) as string[];
        expect(said.join('; ')).to.match(/^[^;]*Firefox[^;]* is signed out at once[^;]*$/);
      },
      { reducedMotion: 'no-preference' },
    );
  });

  it('ask for the code of the app, and take a recovery code once', async () => {
    const account = await stack.account();
    const { recoveryCodes, nextCode } = await switchSecondFactorOn(stack, account);
    const begin = async (page: Page) => {
      await page.goto('/app/sign-in');
      await page.getByLabel('E-mail address').fill(account.email);
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'One more step' }).waitFor();
    };
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      await begin(page);
      await inspect(page, 'sign-in-code');
      await page.getByLabel('Code from the app').fill('000000');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('That code is not right').waitFor();
      await page.getByLabel('Code from the app').fill(nextCode());
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Your account' }).waitFor();
    });
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(401);
      for (const isFirst of [true, false]) {
        await begin(page);
        await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
        await page.getByLabel('Recovery code').fill(recoveryCodes[0]!);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        if (!isFirst) break;
        await page.getByRole('button', { name: 'Your account' }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      }
      // No other comes by itself, as in the app.
      await page.getByRole('alert').getByText('That recovery code is not right').waitFor();
      expect(await page.getByText('Wait for the next').count()).to.equal(0);
    });
  });

  it('take an invitation from the mail to a session with its role', async () => {
    const owner = await stack.account();
    const email = `invited.${owner.userId}@dashboard.example`;
    await call(stack, owner, '/invitations', { email, role: 'viewer' });
    await visit(stack, async ({ page }) => {
      await page.goto(linkIn(await stack.mailTo(email)));
      await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
      expect(new URL(page.url()).hash).to.equal('');
      await inspect(page, 'accept-invitation');
      await choosePassword(page, 'Accept', 'Welcome. You can sign in now.');
      await signInByForm(page, { ...owner, email, password: NEW_PASSWORD }, '/app/products/new');
      await page.getByText('This is not for your role').waitFor();
    });
  });

  it('set a new password through the mail, which ends every session', async () => {
    const account = await stack.account();
    await visit(stack, async ({ page, newPage, expectStatus }) => {
      expectStatus(401);
      const other = await newPage();
      await signInByForm(other, account, '/app/products');
      await page.bringToFront();
      await page.goto('/app/forgot-password');
      await page.getByLabel('E-mail address').fill(account.email);
      await inspect(page, 'forgot-password');
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('a link is on its way').waitFor();
      const link = linkIn(await stack.mailTo(account.email));
      await page.goto(link);
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      await inspect(page, 'reset-password');
      await choosePassword(page, 'Set the password', 'The new password holds.');
      await page.goto(QUIET_PAGE);
      await page.goto(link);
      await page.getByText('If you chose a new password before, it holds').waitFor();
      expect(await page.getByLabel('New password').count()).to.equal(0);
      await inspect(page, 'used-link');
      await page.getByRole('link', { name: 'Ask for a new link' }).click();
      await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
      await other.reload();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await signInByForm(page, { ...account, password: NEW_PASSWORD }, '/app/products');
      expect(PASSWORD).to.not.equal(NEW_PASSWORD);
    });
  });

  it('say that a link is too old before anything is typed, and how to get another', async () => {
    const owner = await stack.account();
    const email = `late.${owner.userId}@dashboard.example`;
    const { db } = stack.installation.core;
    await call(stack, owner, '/invitations', { email, role: 'viewer' });
    await db.query(
      `update invitations set created_at = now() - interval '8 days', expires_at = now() - interval '1 day' where email = $1`,
      [email],
    );
    await visit(stack, async ({ page }) => {
      const invitation = linkIn(await stack.mailTo(email));
      await page.goto(invitation);
      await page.getByText('ask whoever invited you to do it again').waitFor();
      expect(await page.getByLabel('Password').count()).to.equal(0);
      await inspect(page, 'late-invitation');

      await page.goto('/app/sign-up');
      await page.getByLabel('Organization').fill('Late');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
      await eventually('the mail', async () => linkIn(await stack.mailTo(email)) !== invitation);
      await db.query(
        `update sign_ups set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where email = $1`,
        [email],
      );
      await page.goto(linkIn(await stack.mailTo(email)));
      await page.getByText('This link was used already, or its time is over.').waitFor();
      expect(await page.getByRole('button', { name: 'Confirm' }).count()).to.equal(0);
      await page.getByRole('link', { name: 'Sign up again' }).waitFor();
    });
  });

  it('say of an invitation that its address has an account, and not to try again', async () => {
    const owner = await stack.account();
    const { email } = await stack.account();
    await call(stack, owner, '/invitations', { email, role: 'viewer' });
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(409);
      await page.goto(linkIn(await stack.mailTo(email)));
      await choosePassword(page, 'Accept', 'Your address has an account already.');
      expect(await page.locator('body').innerText()).not.to.match(/try again|belongs to a user/i);
      await inspect(page, 'taken-invitation');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  it('take a form behind a link for what it is where nobody says whether the link works', async () => {
    const account = await stack.account();
    await visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503);
      await page.goto('/app/forgot-password');
      await page.getByLabel('E-mail address').fill(account.email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('a link is on its way').waitFor();
      const link = linkIn(await stack.mailTo(account.email));
      await whereAway(page, '**/auth/check-link', 503, Infinity, async () => {
        await page.goto(link);
        await choosePassword(page, 'Set the password', 'The new password holds.');
      });
    });
  });

  it('say within the dashboard that an address leads nowhere, and before it that the service is away', async () => {
    const account = await stack.account();
    await visit(stack, async ({ page }) => {
      await signIn(page, account, '/app/no/such/place');
      await page.getByRole('heading', { name: 'There is nothing here', level: 1 }).waitFor();
      expect(await page.title()).to.equal('There is nothing here – Touchstone');
      await inspect(page, 'not-found');
      // What was followed is gone, and the focus goes on in the new screen.
      await page.getByRole('link', { name: 'Back to the start' }).click();
      await page.locator('#content:focus').waitFor();
      // No single key opens anything: somebody may hit it by chance.
      await page.keyboard.press('/');
      expect(await page.getByRole('dialog').count()).to.equal(0);
      await page.getByRole('link', { name: 'Products' }).click();
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();

      await page.route('**/api/v1/auth/sign-out', (route) => route.abort('aborted'));
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText('Check your connection, then try again. Nothing was lost.').waitFor();
      await page.route('**/api/v1/auth/refresh', (route) => route.abort('aborted'));
      await page.reload();
      await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
      expect(await page.locator('body').innerText()).not.to.match(/number of the request|HTTP/);
      await inspect(page, 'service-away');
      await page.unroute('**/api/v1/auth/refresh');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();

      // A connection that broke once stops nobody.
      await page.unroute('**/api/v1/auth/sign-out');
      await page.route('**/api/v1/auth/sign-out', (route) => route.abort('aborted'), { times: 1 });
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  it('speak Arabic from the right on a phone, as do the screens behind them', async () => {
    const account = await stack.account();
    const stored = (language: string) =>
      eventually(`${language} of the mails`, async () => {
        const { db } = stack.installation.core;
        const { rows } = await db.query('select language from users where id = $1', [account.userId]);
        return rows[0]!.language === language;
      });
    await visit(
      stack,
      async ({ page, expectStatus }) => {
        await page.goto('/app/sign-in');
        await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
        await page.getByLabel('البريد الإلكتروني').fill(account.email);
        await inspect(page, 'sign-in-arabic');
        await page.getByLabel('كلمة المرور', { exact: true }).fill(account.password);
        await page.getByRole('button', { name: 'تسجيل الدخول', exact: true }).click();
        await page.setViewportSize(PHONE);
        await page.getByRole('heading', { name: 'أهلاً بك في Touchstone' }).waitFor();
        expect(await page.evaluate('document.documentElement.dir')).to.equal('rtl');
        await page.getByRole('button', { name: 'التنقل' }).click();
        await page.getByRole('link', { name: 'المنتجات' }).click();
        await page.getByRole('heading', { name: 'المنتجات', level: 1 }).waitFor();
        await inspect(page, 'products-arabic');
        await page.goto('/app/products/new');
        await page.getByLabel('رمز الصنف').waitFor();
        await inspect(page, 'product-new-arabic');
        // What is seen is what mails are written in: after the sign-in, and where another is chosen.
        await stored('ar');
        const choose = async (label: string, name: string) => {
          await page.getByRole('button', { name: label, exact: true }).click();
          await page.getByRole('menuitem', { name }).click();
        };
        await choose('اللغة', 'Français');
        await stored('fr');
        // Unless that fails, of which nothing is seen.
        expectStatus(503);
        await page.route('**/auth/me', (route) =>
          route.request().method() === 'PATCH' ? route.fulfill({ status: 503 }) : route.continue(),
        );
        const refused = page.waitForResponse((answer) => answer.status() === 503);
        await choose('Langue', 'English');
        await refused;
        await page.getByRole('button', { name: 'Language', exact: true }).waitFor();
        expect(await page.getByRole('alert').count()).to.equal(0);
        await stored('fr');
      },
      { locale: 'ar' },
    );
  });
});
