import { expect } from 'chai';
import { addCodeHost, parseCodeAddress, useCodeHost } from '../../shared/code-hosts/service.ts';
import type { Page } from 'playwright-core';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, PHONE, signIn, visit } from './support/visit.ts';

describe('the domain of an organization in the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let names = 0;

  before(async () => {
    stack = await dashboardStack();
  });

  const newName = () => `brand-${++names}.example`;
  const card = (page: Page) => page.getByRole('region', { name: 'Your domain' });
  const open = async (page: Page, someone: Account) => {
    await signIn(page, someone, '/app/settings/brand');
    await card(page).waitFor();
  };
  const named = async (someone: Account, columns: string) => {
    const name = newName();
    await stack.installation.core.db.query(
      `insert into organization_domains (org_id, name, record, requested_at, created_at, checked_at, seen_at, ${columns.replace(/=.*?(?:,|$)/g, ',').slice(0, -1)})
       values ($1, $2, 'touchstone=1', now(), now(), now(), now(), ${columns
         .split(',')
         .map((column) => column.split('=')[1])
         .join()})`,
      [someone.orgId, name],
    );
    return name;
  };

  it('is broken where it is longer than a phone is wide', () =>
    visit(
      stack,
      async ({ page }) => {
        const owner = await stack.account();
        const name = `${'d'.repeat(60)}.${newName()}`;
        await stack.installation.core.db.query(
          `insert into organization_domains (org_id, name, record, requested_at, created_at)
           values ($1, $2, 'touchstone=1', now(), now())`,
          [owner.orgId, name],
        );
        await open(page, owner);
        await card(page).getByText(name, { exact: true }).waitFor();
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond)).to.be.at.most(0);
      },
      { viewport: PHONE },
    ));

  it('keeps the focus of the keyboard in its card once the form is left', () =>
    visit(stack, async ({ page }) => {
      const owner = await stack.account();
      await named(owner, "confirmed_at=now(),confirmed_by='dns'");
      await open(page, owner);
      await card(page).getByRole('button', { name: 'Change' }).press('Enter');
      await card(page).getByRole('button', { name: 'Cancel' }).press('Enter');
      await card(page).locator('h2:focus').waitFor();
      // From there the next is what stands in the card.
      await page.keyboard.press('Tab');
      await card(page).locator(':focus').and(page.locator('a, button')).waitFor();
    }));

  it('is named, looked for and confirmed, and the page of each code names it', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      const owner = await stack.account();
      const name = newName();
      await open(page, owner);
      const frame = page.frameLocator('iframe');
      await frame.getByText('Name not confirmed').waitFor();
      await card(page).getByLabel('Domain').fill(`https://${name}/`);
      await card(page).getByRole('button', { name: 'Show what to set' }).click();
      await card(page).getByText('This is not the name of a domain').waitFor();
      await card(page).getByLabel('Domain').fill(name);
      await card(page).getByRole('button', { name: 'Show what to set' }).click();
      await card(page).getByText('There was no record of this name.').waitFor();
      const value = await card(page)
        .getByText(/^touchstone=/)
        .innerText();
      const challenge = await card(page)
        .getByText(/^_touchstone-challenge/)
        .innerText();
      expect(challenge).to.equal(`_touchstone-challenge.${name}`);
      // Away from what came under it, and would tell its time in full.
      await page.mouse.move(0, 0);
      await inspect(page, 'settings-domain');

      stack.nameServer.zone.set(challenge, ['another']);
      await card(page).getByRole('button', { name: 'Look now' }).click();
      await card(page).getByText('with another value').waitFor();
      stack.nameServer.zone.set(challenge, [value]);
      await card(page).getByRole('button', { name: 'Look now' }).click();
      await card(page).getByText('Confirmed', { exact: true }).waitFor();
      await frame.getByText(`Confirmed: ${name}`).waitFor();

      await card(page).getByRole('button', { name: 'Change' }).click();
      await card(page).getByText(`stops naming ${name}, until the record of the other`).waitFor();
      await card(page).getByRole('button', { name: 'Cancel' }).click();
      await card(page).getByRole('button', { name: 'Remove' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`stops naming ${name} at once`).waitFor();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await card(page).getByRole('button', { name: 'Show what to set' }).waitFor();
      await frame.getByText('Name not confirmed').waitFor();
      await page.goto(`${stack.url}/app/settings/audit-log`);
      for (const words of ['Domain named', 'Domain confirmed', 'Domain removed'])
        await page.getByRole('cell', { name: words }).first().waitFor();
    }));

  it('is said to be in danger where its record is gone, and to count no longer after that', () =>
    visit(stack, async ({ page }) => {
      const owner = await stack.account();
      const gone = await stack.account();
      const lapsing = await named(
        owner,
        "confirmed_at=now(),confirmed_by='dns',missing_since=now(),problem='NO_RECORD'",
      );
      await named(gone, "problem='OTHER_RECORD'");
      await open(page, owner);
      await card(page).getByText('Unless it comes back').waitFor();
      await card(page).getByText(lapsing, { exact: true }).waitFor();
      await page.mouse.move(0, 0);
      await inspect(page, 'settings-domain-gone');
      await signIn(page, gone, '/app/settings/brand');
      await card(page).getByText('No longer confirmed').waitFor();
      await card(page).getByRole('button', { name: 'Change' }).click();
      await card(page).getByLabel('Domain').fill(newName());
      await card(page).getByRole('button', { name: 'Cancel' }).click();
      await card(page).getByText('No longer confirmed').waitFor();
    }));

  it('is read by whoever may not change it', () =>
    visit(stack, async ({ page }) => {
      const owner = await stack.account();
      const viewer = await stack.account('viewer', owner.orgId);
      await signIn(page, viewer, '/app/settings/brand');
      await card(page).getByText('No domain has been named.').waitFor();
      const name = await named(owner, "confirmed_at=now(),confirmed_by='operator'");
      await page.reload();
      await card(page).getByText(name, { exact: true }).waitFor();
      await card(page).getByText('answers for it, without a record').waitFor();
      expect(await card(page).getByRole('button').count()).to.equal(0);
    }));

  it('is beside the address that codes lead to, the service’s own or one of the organization’s', () =>
    visit(stack, async ({ page }) => {
      const owner = await stack.account();
      const { db, config, clock } = stack.installation.core;
      const address = page.getByRole('region', { name: 'Where your codes lead' });
      await open(page, owner);
      await address.getByText(config.PUBLIC_URL, { exact: true }).waitFor();
      const own = parseCodeAddress('https://id.brand.example');
      await addCodeHost({ clock }, db, owner.orgId, own);
      await useCodeHost({ clock }, db, owner.orgId, own);
      await page.reload();
      await address.getByText('https://id.brand.example', { exact: true }).waitFor();
      const preview = page.frameLocator('iframe');
      await preview.getByText('https://id.brand.example/').waitFor();
      await inspect(page, 'settings-codes-url');
    }));
});
