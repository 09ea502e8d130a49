import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { encodeId, newUuid } from '../../shared/ids.ts';
import { seedEndpoint, seedEvents } from '../support/seed.ts';
import { whereAway, whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { signIn, visit } from './support/visit.ts';

describe('a dialog of the dashboard that is closed while it waits for an answer', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  /** Closes the dialog that waits, and goes on; the answer comes afterwards. */
  const closeAndGoOn = async (
    page: Page,
    pattern: RegExp,
    press: () => Promise<unknown>,
    goOn: () => Promise<unknown>,
    method = 'POST',
  ) => {
    const isIt = (request: { url(): string; method(): string }) =>
      request.method() === method && pattern.test(request.url());
    await whereHeld(page, pattern, async () => {
      const asked = page.waitForRequest(isIt);
      await press();
      await asked;
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await goOn();
    });
  };
  const notice = (page: Page, text: string) => page.locator('.mantine-Notification-root').getByText(text);

  it('leaves the next one open, with what is typed there', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/settings/people');
      const open = () => page.getByRole('button', { name: 'Invite somebody' }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
      const email = dialog.getByLabel('E-mail address');
      const send = () => dialog.getByRole('button', { name: 'Send the invitation' }).click();
      await open();
      await email.fill('first@example.com');
      await closeAndGoOn(page, /invitations$/, send, async () => {
        await open();
        await email.fill('second@example.com');
      });
      await notice(page, 'An invitation is on its way to first@example.com.').waitFor();
      await page.getByRole('cell', { name: 'first@example.com', exact: true }).waitFor();
      expect(await email.inputValue()).to.equal('second@example.com');
      await send();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'second@example.com', exact: true }).waitFor();

      const ask = (who: string) =>
        page.getByRole('button', { name: new RegExp(`${who}@example.com`) }).click();
      const question = page.getByRole('dialog', { name: 'Take the invitation back?' });
      const confirm = question.getByRole('button', { name: 'Take back' });
      await ask('first');
      await closeAndGoOn(
        page,
        /revoke$/,
        () => confirm.click(),
        () => ask('second'),
      );
      await page.getByRole('row', { name: /first@example.com.*Taken back/ }).waitFor({ state: 'attached' });
      await notice(page, 'Taken back.').waitFor();
      await question.getByText('second@example.com').waitFor();
      await confirm.click();
      await question.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /second@example.com.*Taken back/ }).waitFor();
    }));

  it('has its failure told in the corner, and shows none of it to the next one', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(503);
      const own = { ...stack.installation, orgId: owner.orgId };
      await seedEndpoint(own, 'https://127.0.0.1:8443/hooks');
      await seedEvents(own, 1);
      await signIn(page, owner, '/app/developers/webhooks');
      await page.locator('tbody a').first().click();
      const delivery = page.getByRole('button', { name: 'scan.recorded' }).first();
      const again = page.getByRole('button', { name: 'Send again' });
      await delivery.click();
      await again.waitFor();
      await whereAway(page, /replay$/, 503, 1, () =>
        closeAndGoOn(
          page,
          /replay$/,
          () => again.click(),
          () => delivery.click(),
        ),
      );
      await notice(page, 'The service is busy or restarting').waitFor();
      expect(await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'busy' }).count()).to.equal(
        0,
      );
    }));

  it('leads nobody away who has gone elsewhere meanwhile', () =>
    visit(stack, async ({ page }) => {
      const person = await stack.account();
      await seedEndpoint({ ...stack.installation, orgId: person.orgId }, 'https://127.0.0.1:8443/hooks');
      await signIn(page, person, '/app/developers/webhooks');
      await page.locator('tbody a').first().click();
      const deletion = /webhook-endpoints\/[^/]+$/;
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await closeAndGoOn(
        page,
        deletion,
        () => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click(),
        async () => {
          await page.getByRole('link', { name: 'Products' }).click();
          await page.getByRole('link', { name: 'New product' }).first().click();
          await page.getByLabel('SKU').fill('OIL-70');
        },
        'DELETE',
      );
      await notice(page, 'Deleted.').waitFor();
      expect(await page.getByLabel('SKU').inputValue()).to.equal('OIL-70');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).to.equal('/app/products/new');

      await page.getByRole('link', { name: 'Units' }).click();
      await page
        .getByRole('dialog', { name: 'Leave without saving?' })
        .getByRole('button', { name: 'Leave' })
        .click();
      await page.getByRole('button', { name: 'Change a list…' }).click();
      const list = page.getByRole('dialog');
      await list.getByLabel('Ids of the units').fill(encodeId('unit', newUuid()));
      const answered = page.waitForResponse(/product-units\/bulk$/);
      await closeAndGoOn(
        page,
        /product-units\/bulk$/,
        () => list.getByRole('button', { name: 'Activate 1 unit' }).click(),
        () => page.getByRole('link', { name: 'Batches' }).click(),
      );
      await answered;
      await page.getByRole('heading', { name: 'Batches', level: 1 }).waitFor();
      expect(page.url()).to.equal(`${stack.url}/app/batches`);
    }));
});
