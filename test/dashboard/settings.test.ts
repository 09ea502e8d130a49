import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { readSymbol } from '../support/read-symbol.ts';
import { dashboardStack, linkIn, PASSWORD, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, signInByForm, visit } from './support/visit.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows (RFC 6238). */
function totp(secret: string, now = Date.now()): string {
  const bits = secret
    .split('')
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const code = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff;
  return String(code % 1_000_000).padStart(6, '0');
}

describe('the settings of the dashboard', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
  });

  it('change the organization, and the audit log has how it was before', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/settings');
      await page.getByLabel('Name').fill('Olivaia Lda');
      await page.getByLabel('Security contact').fill('nobody');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
      await page.getByLabel('Security contact').fill('security@olivaia.example');
      // What was typed is refused, and not turned into what is allowed.
      await page.getByLabel('Keep scans for (days)').fill('7');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('30 or more.', { exact: true }).waitFor();
      const kept = page.getByLabel('Keep scans for (days)');
      await kept.and(page.locator('[aria-invalid=true]:focus')).waitFor();
      await page.getByLabel('Keep scans for (days)').fill('365');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.locator('.rail-org', { hasText: 'Olivaia Lda' }).waitFor();
      const networks = page.getByRole('region', { name: 'Your own networks' });
      const field = networks.getByRole('textbox');
      await field.fill('203.0.113.0/24\nhere');
      await networks.getByRole('button', { name: 'Update networks' }).click();
      await page.getByText('Give an IP address, or a network such as 203.0.113.0/24.').waitFor();
      await field.fill('203.0.113.0/24');
      // Where the browser is, as the service sees it.
      await networks.getByText('You are at 127.0.0.1 now.', { exact: true }).waitFor();
      await networks.getByRole('button', { name: 'Add it' }).click();
      expect(await field.inputValue()).to.equal('203.0.113.0/24\n127.0.0.1');
      await networks.getByRole('button', { name: 'Update networks' }).click();
      await networks.getByText('You are at 127.0.0.1 now, which is in them.', { exact: true }).waitFor();
      await inspect(page, 'settings-organization');

      await page.getByRole('link', { name: 'Audit log' }).click();
      const entry = page.getByRole('button', { name: 'Organization’s settings changed' }).first();
      await entry.waitFor();
      await inspect(page, 'settings-audit-log');
      await entry.click();
      await page.getByRole('cell', { name: 'Olivaia', exact: true }).waitFor();
      await page.getByRole('cell', { name: 'Olivaia Lda', exact: true }).waitFor();
      await inspect(page, 'settings-audit-entry');
      await page.keyboard.press('Escape');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal('audit-log.csv');
      await page.getByLabel('Action').selectOption('rotateApiKey');
      await page.getByRole('heading', { name: 'No entries' }).waitFor();
      await page.getByLabel('Action').selectOption('updateOrganization');
      await page.getByRole('combobox', { name: 'Who' }).fill('Ana');
      await page.getByRole('option', { name: 'Ana Oliveira' }).click();
      await entry.waitFor();
      // Lisbon's days: in summer they begin an hour before those of UTC.
      const asked = page.waitForRequest(/from=2020-06-30T23%3A00.*to=2020-07-02T23%3A00/);
      await page.getByLabel('From day').fill('2020-07-01');
      await page.getByLabel('To day').fill('2020-07-02');
      await asked;
      await page.getByRole('heading', { name: 'No entries' }).waitFor();
      expect(page.url()).to.include('from=2020-07-01');
      await page.evaluate(`localStorage.setItem('touchstone-language', 'de')`);
      await page.goto('/app/settings/audit-log');
      await page.getByRole('button', { name: 'Einstellungen der Organisation geändert' }).first().waitFor();
    }));

  it('offer each time zone by its name of today, and UTC, which browsers do not list', () =>
    visit(stack, async ({ page }) => {
      const account = await stack.account();
      await signIn(page, account, '/app/settings');
      const stored = async () => {
        const { db } = stack.installation.core;
        const { rows } = await db.query('select time_zone from organizations where id = $1', [account.orgId]);
        return rows[0]!.time_zone as string;
      };
      const field = page.getByRole('combobox', { name: 'Time zone' });
      for (const zone of ['Asia/Kolkata', 'Europe/Kyiv', 'UTC', 'Europe/Lisbon']) {
        await field.fill(zone.split('/').at(-1)!);
        await page.getByRole('option', { name: zone, exact: true }).click();
        const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
        const save = page.getByRole('button', { name: 'Save' });
        await save.click();
        expect((await saved).ok()).to.equal(true);
        expect(await stored()).to.equal(zone);
        await save.and(page.locator(':not([data-loading])')).waitFor();
      }
    }));

  it('preview the consumers’ page while one types, under every verdict, before anything is saved', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/settings/brand');
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { level: 1 }).waitFor();
      await page.getByLabel('Support').fill('care@olivaia.example');
      await page.getByLabel('Message').fill('Pressed in Alentejo since 1912.');
      await page.getByLabel('Colour', { exact: true }).fill('#1f6f4a');
      await frame.getByText('Pressed in Alentejo since 1912.').waitFor();
      await frame.locator('rect[fill="#1f6f4a"]').waitFor({ state: 'attached' });
      await frame.locator('a[href="mailto:care@olivaia.example"]').waitFor({ state: 'attached' });
      const verdicts = [
        'genuine',
        'suspicious',
        'diverted',
        'suspended',
        'recalled',
        'expired',
        'inactive',
        'unknown',
      ];
      for (const verdict of verdicts) {
        await page.getByLabel('Result', { exact: true }).selectOption(verdict);
        await frame.locator(`section.verdict.${verdict}`).waitFor();
      }
      await page.getByLabel('Result', { exact: true }).selectOption('genuine');
      await frame.locator('section.verdict.genuine').waitFor();
      await inspect(page, 'settings-brand');
      const { rows } = await stack.installation.core.db.query(
        'select consumer_message from organizations where id = $1',
        [owner.orgId],
      );
      expect(rows).to.deep.equal([{ consumer_message: null }]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
    }));

  it('take a message for those who read another language, and say at the field which of it is refused', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      const someone = await stack.account();
      await signIn(page, someone, '/app/settings/brand');
      await page.getByLabel('Message').fill('Thank you for checking.');
      await page.getByRole('combobox', { name: 'Add a language' }).click();
      await page.getByRole('listbox').getByRole('option', { name: 'German' }).click();
      await page.getByRole('textbox', { name: 'Message in German' }).fill('Danke fürs Prüfen.');
      // The page is shown in the language that is written.
      await page.frameLocator('iframe').locator('p[lang=de]', { hasText: 'Danke fürs Prüfen.' }).waitFor();
      await page.getByLabel('Colour', { exact: true }).fill('green');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await page.getByLabel('Colour', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
      await page.getByLabel('Colour', { exact: true }).fill('#1f6f4a');
      const { db } = stack.installation.core;
      await db.query(`update organizations set support = 'care@olivaia.example' where id = $1`, [
        someone.orgId,
      ]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.reload();
      // What somebody else changed meanwhile is left alone.
      expect(await page.getByLabel('Support').inputValue()).to.equal('care@olivaia.example');
      expect(await page.getByRole('textbox', { name: 'Message in German' }).inputValue()).to.equal(
        'Danke fürs Prüfen.',
      );
      await page.getByRole('button', { name: 'Remove the message in German' }).click();
      expect(await page.getByRole('textbox', { name: 'Message in German' }).count()).to.equal(0);
    }));

  it('say in the audit log what an entry is while it closes', () =>
    visit(
      stack,
      async ({ page }) => {
        await signIn(page, await stack.account(), '/app/settings');
        await page.getByLabel('Security contact').fill('care@olivaia.example');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved.').waitFor();
        await page.getByRole('link', { name: 'Audit log' }).click();
        await page.getByRole('button', { name: 'Organization’s settings changed' }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('care@olivaia.example').waitFor();
        await page.evaluate(`window.emptied = false; new MutationObserver(() => {
          const dialog = document.querySelector('[role=dialog]');
          if (dialog !== null && dialog.textContent === '') window.emptied = true;
        }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        expect(await page.evaluate('window.emptied')).to.equal(false);
      },
      { reducedMotion: 'no-preference' },
    ));

  it('invite somebody, who comes in with the role given, and change, disable and remove them', () =>
    visit(stack, async ({ page, context, expectStatus }) => {
      expectStatus(409);
      const email = 'tom@olivaia.example';
      await signIn(page, owner, '/app/settings/people');
      await page.getByRole('heading', { name: 'No invitations' }).waitFor();
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Role', { exact: true }).selectOption('viewer');
      await page.getByLabel('Language of the mail').selectOption('Deutsch');
      await inspect(page, 'settings-invite');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await page.getByRole('cell', { name: 'Open' }).waitFor();
      await inspect(page, 'settings-people');

      // The last owner stays one.
      await page.getByRole('button', { name: 'Actions for Ana Oliveira' }).click();
      await page.getByRole('menuitem', { name: 'Change the role' }).click();
      await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
      await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click();
      await page
        .getByRole('alert')
        .getByText('This is the last owner. Make somebody else an owner first.')
        .waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

      const mail = await stack.mailTo(email);
      expect(mail).to.include('Einladung');
      const link = linkIn(mail);
      const theirs = await context.browser()!.newContext({ baseURL: stack.url, locale: 'en-GB' });
      const other = await theirs.newPage();
      await other.goto(link);
      await other.getByLabel('Your name').fill('Tom');
      await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await other.getByRole('button').last().click();
      await other.getByRole('link', { name: /sign in/i }).waitFor();
      await signInByForm(other, { email, password: PASSWORD }, '/app/settings');
      await other.getByRole('heading', { name: 'Organization', level: 1 }).waitFor();
      expect(await other.getByRole('button', { name: 'Save' }).count()).to.equal(0);
      expect(await other.getByRole('link', { name: 'People' }).count()).to.equal(0);
      expect(await other.getByRole('link', { name: 'Webhooks' }).count()).to.equal(0);
      expect(await other.getByRole('link', { name: 'Operator' }).count()).to.equal(0);
      await other.goto('/app/settings/people');
      await other.getByText('users.read').waitFor();

      await page.reload();
      await page.getByRole('cell', { name: 'Accepted' }).waitFor();
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await page.getByText('This person is here already.').waitFor();
      await page.keyboard.press('Escape');
      const act = async (item: string, button: string) => {
        await page.getByRole('button', { name: 'Actions for Tom' }).click();
        await page.getByRole('menuitem', { name: item, exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      };
      await page.getByRole('button', { name: 'Actions for Tom' }).click();
      await page.getByRole('menuitem', { name: 'Change the role' }).click();
      await page.getByRole('dialog').getByLabel('Role').selectOption('administrator');
      await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click();
      await page
        .getByRole('row', { name: /tom@olivaia.*Administrator/ })
        .first()
        .waitFor();
      await other.goto('/app/settings/people');
      await other.getByRole('button', { name: 'Invite somebody' }).waitFor();
      // An administrator decides about nobody above them.
      await other.getByRole('row', { name: /Ana Oliveira/ }).waitFor();
      expect(await other.getByRole('button', { name: 'Actions for Ana Oliveira' }).count()).to.equal(0);
      await act('Disable', 'Disable');
      await page.getByRole('cell', { name: 'Disabled' }).waitFor();
      await other.reload();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await act('Remove', 'Remove');
      await page.getByRole('button', { name: 'Actions for Tom' }).waitFor({ state: 'hidden' });
      await theirs.close();
    }));

  it('say what one is mailed, and keep it', () =>
    visit(stack, async ({ page }) => {
      const person = await stack.account('viewer');
      await signIn(page, person, '/app/settings/account');
      const summary = page.getByRole('combobox', { name: 'Summary by mail' });
      await summary.click();
      await page.getByRole('option', { name: 'On Mondays' }).click();
      await page.getByRole('combobox', { name: 'Alerts by mail' }).click();
      await page.getByRole('option', { name: 'At most once an hour' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      await page.reload();
      await summary.waitFor();
      expect(await summary.inputValue()).to.equal('On Mondays');
      const { rows } = await stack.installation.core.db.query(
        'select alert_mails, summary_mails from users where email = $1',
        [person.email],
      );
      expect(rows).to.deep.equal([{ alert_mails: 'hourly', summary_mails: 'weekly' }]);
    }));

  it('switch the second factor on by the QR code’s secret and off again, and end another session', () =>
    visit(stack, async ({ page, context, expectStatus }) => {
      const person = await stack.account('viewer');
      const focused = (button: string) =>
        page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
      const typesInto = (label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor();
      await signIn(page, person, '/app/settings/account');
      await page.getByRole('button', { name: 'Switch on' }).press('Enter');
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await page.keyboard.press('Escape');
      await focused('Switch on');
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await typesInto('Six digits');
      await inspect(page, 'settings-second-factor');
      const secret = (await page.getByRole('dialog').locator('pre').textContent())!.replaceAll(' ', '');
      const qrCode = page.getByRole('img', { name: 'QR code for the authenticator app' });
      const [symbol] = await readSymbol(await qrCode.screenshot());
      expect(new URL(symbol!.text).searchParams.get('secret')).to.equal(secret);
      await page.getByLabel('Six digits').fill(totp(secret));
      await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
      await page.getByText('Your recovery codes').waitFor();
      // They are a person's, not a program's.
      await page.getByText('Keep them where only you can read them.').waitFor();
      const codes = (await page.getByRole('dialog').locator('pre').textContent())!.trim().split('\n');
      expect(codes).to.have.length(10);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('10 recovery codes are left').waitFor();
      await focused('Switch off');

      const elsewhere = await context.browser()!.newContext({ baseURL: stack.url, locale: 'en-GB' });
      const other = await elsewhere.newPage();
      await other.goto('/app/sign-in');
      await other.getByLabel('E-mail address').fill(person.email);
      await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.getByRole('button', { name: /recovery/i }).click();
      await other.getByLabel(/recovery/i).fill(codes[0]!);
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.getByRole('button', { name: 'Your account' }).waitFor();

      await page.reload();
      await page.getByText('9 recovery codes are left').waitFor();
      await page.getByRole('button', { name: 'End', exact: true }).waitFor();
      await inspect(page, 'settings-account');
      await page.getByRole('button', { name: 'End', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'hidden' });
      await other.reload();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await elsewhere.close();

      await page.getByRole('button', { name: 'Switch off' }).click();
      await typesInto('Present password');
      expectStatus(403);
      const present = page.getByLabel('Present password').first();
      await present.fill('a stone that shows nothing');
      await page.getByLabel('Six digits, or a recovery code').fill(codes[1]!);
      await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
      await present.and(page.locator('[aria-invalid=true]:focus')).waitFor();
      await page.getByText('This is not your present password.').waitFor();
      await present.fill(PASSWORD);
      await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
      await focused('Switch on');

      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByLabel('Present password').fill(PASSWORD);
      await page.getByLabel('New password').fill('another stone that shows gold');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('Changed. Your other sessions have ended.').waitFor();
      // Whoever comes to the screen next reads neither.
      await page.getByRole('button', { name: 'Change the password' }).click();
      for (const name of ['Present password', 'New password'])
        expect(await page.getByLabel(name).inputValue()).to.equal('');
    }));
});
