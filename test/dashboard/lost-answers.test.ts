import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { totpCode, totpStep } from '../../shared/accounts/totp.ts';
import { seedEndpoint } from '../support/seed.ts';
import { LOST, whereHeld, whereLost } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

const HOOK = 'https://127.0.0.1:8443/hooks';

/** What is done at the service, whose answer is then lost on its way: it is told as a network that is away. */
describe('a change in the dashboard whose answer is lost', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  const pressAndRepeat = async (page: Page, press: () => Promise<void>) => {
    await press();
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await press();
  };
  /** Loses answers from the beginning: a press right after it may be quicker than the browser. */
  const whereAnswersAreLost = (pattern: RegExp, story: (page: Page) => Promise<void>) =>
    visit(stack, ({ page, expectComplaints }) => {
      expectComplaints(LOST);
      return whereLost(page, pattern, 'POST', () => story(page)).then(() => undefined);
    });
  const notice = (page: Page, text: string) => page.locator('.mantine-Notification-root').getByText(text);
  /** Opens the second factor's dialog and fills in what the app would show. */
  const setFactorUp = async (page: Page) => {
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the second factor up' });
    const secret = (await dialog.locator('pre').innerText()).replaceAll(/\s/g, '');
    await dialog.getByLabel('Six digits').fill(totpCode(secret, totpStep(new Date())));
    return dialog;
  };
  /** Sends that and closes the dialog; the answer comes once a part of the story is told. */
  const whereFactorIsAwaited = async (page: Page, story?: () => Promise<void>) => {
    const confirmation = '**/totp/confirm';
    await whereHeld(page, confirmation, async () => {
      // Before the digits are filled in: the request may go at once.
      const asked = page.waitForRequest(confirmation);
      const dialog = await setFactorUp(page);
      await page.keyboard.press('Enter');
      await asked;
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await story?.();
    });
  };
  /** Where somebody is asked before they leave a secret. */
  const stay = async (page: Page) => {
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByText('The secret is shown here, only now').waitFor();
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    await leaving.waitFor({ state: 'detached' });
  };
  const count = async (
    table: 'api_keys' | 'api_key_secrets' | 'webhook_secrets',
    column: string,
    id: string,
  ) => {
    const { rows } = await stack.installation.core.db.query<{ number: number }>(
      `select count(*)::integer as number from ${table} where ${column} = $1`,
      [id],
    );
    return rows[0]!.number;
  };
  const secretOf = async (page: Page) => {
    await page.getByText('This is shown only now').waitFor();
    const dialog = page.getByRole('dialog');
    const secret = (await dialog.locator('pre').innerText()).trim();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    return secret;
  };

  it('makes one key, and shows its secret, where a person repeats it; rotates it once, and again when asked', () =>
    whereAnswersAreLost(/\/api-keys(\/[^/]+\/rotate)?$/, async (page) => {
      await signIn(page, owner, '/app/developers/keys/new');
      await page.getByLabel('Name').fill('ERP');
      await page.getByLabel('products.read').check();
      await pressAndRepeat(page, () => page.getByRole('button', { name: 'Create key' }).click());
      await secretOf(page);
      expect(await count('api_keys', 'org_id', owner.orgId)).to.equal(1);

      const { rows } = await stack.installation.core.db.query<{ id: string }>(
        'select id from api_keys where org_id = $1',
        [owner.orgId],
      );
      const secrets = () => count('api_key_secrets', 'key_id', rows[0]!.id);
      const press = () => page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate' }).click();
      await pressAndRepeat(page, press);
      const first = await secretOf(page);
      expect(await secrets()).to.equal(2);
      await page.getByRole('button', { name: 'Rotate' }).click();
      await press();
      expect(await secretOf(page)).not.to.equal(first);
      expect(await secrets()).to.equal(3);
    }));

  it('gives an endpoint one new secret where a person repeats it', () =>
    whereAnswersAreLost(/\/rotate-secret$/, async (page) => {
      const endpointId = await seedEndpoint({ ...stack.installation, orgId: owner.orgId }, HOOK);
      await signIn(page, owner, '/app/developers/webhooks');
      await page.locator('tbody a').first().click();
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
      await pressAndRepeat(page, () =>
        page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click(),
      );
      await secretOf(page);
      expect(await count('webhook_secrets', 'endpoint_id', endpointId)).to.equal(2);
    }));

  it('takes somebody for removed who is not there when it is repeated, and nobody whom another has removed', () =>
    visit(stack, async ({ page, expectStatus, expectComplaints }) => {
      expectStatus(404);
      expectComplaints(LOST);
      const account = await stack.account();
      const people = [
        await stack.account('viewer', account.orgId),
        await stack.account('viewer', account.orgId),
      ];
      await signIn(page, account, '/app/settings/people');
      const press = () => page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      const row = ({ email }: Account) => page.getByRole('row').filter({ hasText: email });
      const ask = async (person: Account) => {
        await row(person)
          .getByRole('button', { name: /Actions/ })
          .click();
        await page.getByRole('menuitem', { name: 'Remove' }).click();
      };
      await whereLost(page, /\/users\/[^/]+$/, 'DELETE', async () => {
        await ask(people[0]!);
        await pressAndRepeat(page, press);
        await row(people[0]!).waitFor({ state: 'detached' });
      });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await ask(people[1]!);
      await stack.installation.core.db.query('delete from users where id = $1', [people[1]!.userId]);
      await press();
      await page.getByRole('alert').getByText('This does not exist').waitFor();
    }));

  it('asks before somebody leaves whose secret is on its way, or was not kept yet', () =>
    visit(stack, async ({ page }) => {
      const account = await stack.account();
      await seedEndpoint({ ...stack.installation, orgId: account.orgId }, HOOK);
      await signIn(page, account, '/app/developers/webhooks');
      await page.locator('tbody a').first().click();
      const rotation = '**/rotate-secret';
      await whereHeld(page, rotation, async () => {
        await page.getByRole('button', { name: 'Actions' }).click();
        await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
        const asked = page.waitForRequest(rotation);
        await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
        await asked;
        await page.keyboard.press('Escape');
        await page.getByRole('link', { name: 'Products' }).click();
        await stay(page);
      });
      await page.getByText('This is shown only now').waitFor();
      await page.goBack();
      await stay(page);
      await inspect(page, 'secret-kept');
      await secretOf(page);
      await page.getByRole('link', { name: 'Products' }).click();
      await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
    }));

  it('asks as well where recovery codes are on their way', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.account(), '/app/settings/account');
      await whereFactorIsAwaited(page, async () => {
        await page.getByRole('link', { name: 'Products' }).click();
        await stay(page);
      });
      expect(
        (await page.getByRole('dialog', { name: 'recovery codes' }).locator('pre').innerText()).split('\n'),
      ).to.have.length(10);
    }));

  it('switches the second factor on, says that its recovery codes were lost, and how to get others', () =>
    whereAnswersAreLost(/\/totp\/confirm$/, async (page) => {
      await signIn(page, await stack.account(), '/app/settings/account');
      const dialog = await setFactorUp(page);
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').getByText('The second factor is on').waitFor();
      await dialog.getByText('Switch it off with a code from the app, then on again').waitFor();
      await inspect(page, 'second-factor-lost');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Switch off' }).waitFor();
    }));

  it('shows that the second factor is on where its dialog was closed before the answer was lost', () =>
    whereAnswersAreLost(/\/totp\/confirm$/, async (page) => {
      await signIn(page, await stack.account(), '/app/settings/account');
      await whereFactorIsAwaited(page);
      await notice(page, 'The service cannot be reached').waitFor();
      await page.getByRole('button', { name: 'Switch off' }).waitFor();
    }));
});
