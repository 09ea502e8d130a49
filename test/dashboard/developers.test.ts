import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { SNIPPETS } from '../../dashboard/src/screens/developers/snippets.ts';
import { SCOPES } from '../../shared/api-keys/scopes.ts';
import { EVENT_CATALOGUE } from '../../shared/events/catalogue.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpsReceiver, type HttpsReceiver } from '../support/https-receiver.ts';
import { seedEvents } from '../support/seed.ts';
import { whereHeld } from './support/answers.ts';
import { dashboardStack, type Account, type Stack } from './support/stack.ts';
import { inspect, signIn, visit } from './support/visit.ts';

const FAILURES = 12;
const MISSED = 4;

/** Reads a secret that is shown once, and closes it. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = await dialog.locator('pre').textContent();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret!.trim();
}

describe('the developers’ screens', function () {
  this.timeout(120_000);
  let stack: Stack;
  let owner: Account;
  let receiver: HttpsReceiver;

  before(async () => {
    stack = await dashboardStack();
    owner = await stack.account();
    receiver = await startHttpsReceiver(stack.ca.certFor('127.0.0.1'));
  });
  after(() => receiver.close());

  const statusWith = async (key: string): Promise<number> => {
    const response = await fetch(`${stack.url}/api/v1/products`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    return response.status;
  };

  it('make a key that works, rotate it so that both secrets work, and revoke both', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/developers/keys');
      await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
      await page.getByRole('link', { name: 'New API key' }).first().click();
      await page.getByLabel('Name').fill('ERP');
      await page.getByLabel('products.read').check();
      await page.getByLabel('scans.read').check();
      await page.getByLabel('Works from').fill('somewhere');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.locator('[aria-invalid="true"]').waitFor();
      await page.getByLabel('Works from').fill('127.0.0.0/8');
      await inspect(page, 'api-key-new');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('This is shown only now').waitFor();
      await inspect(page, 'api-key-secret');
      const first = await takeSecret(page);
      await page.getByRole('heading', { name: 'ERP' }).waitFor();
      expect(await statusWith(first)).to.equal(200);

      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByLabel('The old secret works for another').selectOption({ label: '3 days' });
      await inspect(page, 'api-key-rotate');
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      await page.getByText('This is shown only now').waitFor();
      const second = await takeSecret(page);
      await page.getByText('The old secret still works').waitFor();
      expect([await statusWith(first), await statusWith(second)]).to.deep.equal([200, 200]);
      await inspect(page, 'api-key');

      await page.getByRole('link', { name: 'API keys' }).first().click();
      await page.getByRole('cell', { name: 'Changing over' }).waitFor();
      await inspect(page, 'api-keys');
      await page.getByRole('link', { name: 'ERP' }).click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      // Not "Revoked" alone: that is also the name of a field, and there from the beginning.
      await page.getByText('Revoked. Its next request is refused.').waitFor();
      expect([await statusWith(first), await statusWith(second)]).to.deep.equal([401, 401]);
    }));

  it('show an endpoint that fails, opens, is mended, and recovers what it missed', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      receiver.respond = (response) => response.writeHead(500).end('the database is down');
      await signIn(page, owner, '/app/developers/webhooks');
      await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
      // From before the endpoint exists: nothing but a recovery brings these.
      await seedEvents({ ...stack.installation, orgId: owner.orgId }, MISSED);
      await page.getByRole('link', { name: 'New endpoint' }).first().click();
      await page.getByLabel('Address').fill(`https://127.0.0.1:${receiver.port}/hooks`);
      await page.getByLabel('Description').fill('ERP, warehouse');
      await page.getByLabel('Only some').check();
      await page.getByLabel('consignment.recalled').check();
      await inspect(page, 'webhook-new');
      await page.getByLabel('All events').check();
      await page.getByRole('button', { name: 'Create endpoint' }).click();
      expect(await takeSecret(page)).to.match(/^whsec_/);
      await page.getByRole('heading', { name: `127.0.0.1:${receiver.port}` }).waitFor();
      await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
      // A dash where nothing is, as beside it.
      const next = page.locator('.facts > div').filter({ hasText: 'Next attempt' });
      expect(await next.locator('dd').textContent()).to.equal('–');

      await seedEvents({ ...stack.installation, orgId: owner.orgId }, FAILURES);
      await page.getByText('Paused, because it kept failing').waitFor();
      await page
        .getByRole('row', { name: /Failed/ })
        .first()
        .waitFor();
      await inspect(page, 'webhook-open');
      await page.getByRole('button', { name: 'scan.recorded' }).first().click();
      await page.getByText('the database is down').waitFor();
      await page.getByText('x-service-signature', { exact: false }).first().waitFor();
      await inspect(page, 'delivery');

      receiver.respond = (response) => response.writeHead(204).end();
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('Sent again').waitFor();
      await page.keyboard.press('Escape');
      // The whole of a row opens it, not the name alone.
      const delivery = page.getByRole('dialog', { name: 'Delivery' });
      await delivery.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'Failed' }).first().click();
      await delivery.waitFor();
      await page.keyboard.press('Escape');
      await delivery.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Try now' }).click();
      await page.getByText('Delivering', { exact: true }).waitFor();
      await page
        .getByRole('row', { name: /Delivered.*204/ })
        .first()
        .waitFor();
      // What waits for its next attempt would be recovered as well.
      await eventually('all of them are delivered', async () => {
        const { rows } = await stack.installation.core.db.query<{ events: number }>(
          `select count(distinct d.event_id)::integer as events
             from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
            where e.org_id = $1 and d.outcome = 'delivered'`,
          [owner.orgId],
        );
        return rows[0]!.events === FAILURES;
      });
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByRole('button', { name: 'webhook.test' }).waitFor();
      await page.getByRole('tab', { name: 'Recoveries' }).click();
      const rate = page.getByLabel('Events per second');
      await rate.fill('5000');
      await page.getByRole('button', { name: 'Recover', exact: true }).click();
      await page.getByRole('alert').getByText('Events per second').waitFor();
      await rate.fill('1');
      const recover = page.getByRole('button', { name: 'Recover', exact: true });
      await recover.click();
      // One at a time; pressed all the same, it leads to no conflict.
      await page.getByText('One is under way.').waitFor();
      expect(await recover.getAttribute('aria-disabled')).to.equal('true');
      await recover.click({ force: true });
      await page.getByText('Done', { exact: true }).waitFor();
      await page.getByText(`${MISSED} sent again`).waitFor();
      await page.getByText('One is under way.').waitFor({ state: 'hidden' });
      await rate.fill('');
      await recover.click();
      await page.getByText(' 0 sent again').waitFor();
      await inspect(page, 'webhook-recovered');
      await page.goto('/app/developers/webhooks');
      await page.getByRole('cell', { name: 'Delivering' }).waitFor();
      await inspect(page, 'webhooks');
    }));

  it('make a chat channel of an endpoint, which hears what people want to hear and is tested in its language', () =>
    visit(stack, async ({ page }) => {
      const before = receiver.requests.length;
      receiver.respond = (response) => response.writeHead(200).end('ok');
      await signIn(page, await stack.account(), '/app/developers/webhooks/new');
      const sent = page.getByLabel('What is sent');
      await sent.selectOption('Messages for Microsoft Teams');
      // What people want to hear of is not what a system is left with, where nobody has chosen it.
      await sent.selectOption('Events as JSON, for a system of yours');
      expect(await page.getByLabel('All events').isChecked()).to.equal(true);
      expect(await page.getByLabel('Most per second').inputValue()).to.equal('');
      await sent.selectOption('Messages for Slack, Google Chat or Mattermost');
      await page.getByLabel('Language of the messages').selectOption('Deutsch');
      await page.getByLabel('Address').fill(`https://127.0.0.1:${receiver.port}/channel`);
      expect(await page.getByLabel('suspicious_scan.detected').isChecked()).to.equal(true);
      expect(await page.getByLabel('scan.recorded').isChecked()).to.equal(false);
      await inspect(page, 'webhook-channel');
      await page.getByRole('button', { name: 'Create endpoint' }).click();
      // Without a secret, which no channel knows what to do with.
      await page.getByText('Messages for Slack, Google Chat or Mattermost, in Deutsch').waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await eventually('a message', () => receiver.requests.length > before);
      const { text } = JSON.parse(receiver.requests.at(-1)!.body.toString());
      expect(text).to.include('*Das ist ein Test. Es ist nichts passiert.*');
      const [, href] = /<(\S+)\|Öffnen>/.exec(text) ?? [];
      expect(href).to.equal(page.url());
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      expect(await page.getByLabel('Language of the messages').inputValue()).to.equal('de');
      await page.getByLabel('What is sent').selectOption('Events as JSON, for a system of yours');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Events as JSON, for a system of yours').waitFor();
      await page.getByText(/Messages for/).waitFor({ state: 'detached' });
    }));

  it('are told of products that are found while one types, and Enter takes them', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, await stack.sample(), '/app/developers/webhooks/new');
      await page.getByLabel('Address').fill('https://127.0.0.1:9/hooks');
      await page.getByRole('combobox', { name: 'Products' }).click();
      // Too early, before anything is found: an endpoint made now would be told of all products.
      await whereHeld(page, /\/api\/v1\/products\?(?:.*&)?q=/, async () => {
        await page.keyboard.type('yuzu');
        await page.keyboard.press('Enter');
      });
      await page.locator('[role=option][data-combobox-selected]', { hasText: 'Yuzu' }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.mantine-Pill-label', { hasText: 'Yuzu Cleansing Gel' }).waitFor();
      expect(new URL(page.url()).pathname).to.equal('/app/developers/webhooks/new');
    }));

  it('rotate an endpoint’s secret, edit it, disable it and delete it', () =>
    visit(stack, async ({ page, expectStatus }) => {
      expectStatus(422);
      await signIn(page, owner, '/app/developers/webhooks');
      await page.getByRole('link', { name: /127\.0\.0\.1/ }).click();
      const act = async (name: string) => {
        await page.getByRole('button', { name: 'Actions' }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      const { core } = stack.installation;
      await act('Rotate the secret');
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
      await page.getByText('This is shown only now').waitFor();
      expect(await takeSecret(page)).to.match(/^whsec_/);
      await act('Edit');
      const more = page.getByRole('button', { name: 'Own headers, order and rate' });
      const rate = page.getByLabel('Most per second');
      await more.click();
      await page.getByLabel('Own headers', { exact: true }).fill('Authorization: Bearer of the gateway');
      await rate.fill('0');
      await more.click();
      await rate.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Save' }).click();
      // What is refused unfolds, and stays so when it is mended.
      await rate.and(page.locator('[aria-invalid=true]:focus')).waitFor();
      await page.getByText('1 or more.').waitFor();
      await page.keyboard.press('Backspace');
      await page.keyboard.type('20');
      await rate.and(page.locator('[value="20"]:not([aria-invalid])')).waitFor();
      expect(await more.getAttribute('aria-expanded')).to.equal('true');
      // Far behind the first page of products.
      await core.db.query(
        `insert into products (id, org_id, name, sku)
         select case when n = 1 then '00000000-0000-7000-8000-000000000001' else gen_random_uuid() end, $1,
                case when n = 1 then 'Rare olive' else 'Oil ' || n end, 'OIL-' || n
           from generate_series(1, 120) n`,
        [owner.orgId],
      );
      await page.getByRole('combobox', { name: 'Products' }).fill('rare');
      await page.getByRole('option', { name: 'Rare olive' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
      await inspect(page, 'webhook-edit');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Authorization', { exact: true }).waitFor();
      const failing = page.getByRole('region', { name: 'Needs attention now' }).getByRole('heading', {
        name: 'Failing endpoints',
      });
      await page.getByRole('link', { name: 'Overview' }).click();
      await page.getByText('Nothing waits').waitFor();
      await page.goBack();
      await act('Disable');
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await page.getByText('Disabled: nothing is sent').waitFor();
      await page.getByRole('link', { name: 'Overview' }).click();
      await failing.waitFor({ timeout: 5_000 });
      await page.goBack();
      await act('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    }));

  it('explain every event, how to verify, and what went wrong with requests', () =>
    visit(stack, async ({ page }) => {
      await signIn(page, owner, '/app/developers/events');
      await page.getByRole('button', { name: /suspicious_scan\.detected/ }).click();
      await page.getByText('"impossible_travel"').first().waitFor();
      await page.waitForURL(/type=suspicious_scan\.detected/);
      await inspect(page, 'event-types');

      await page.goto('/app/developers/webhooks/verify?language=Python');
      await page.getByText('def verify_webhook').waitFor();
      await inspect(page, 'verify-signatures');

      await page.goto('/app/developers/request-errors');
      await page.getByRole('cell', { name: 'POST /api/v1/api-keys' }).waitFor();
      await inspect(page, 'request-errors');
      await page.getByRole('button', { name: 'POST /api/v1/api-keys' }).first().click();
      const fields = page.getByRole('dialog').getByRole('region', { name: 'Fields that were refused' });
      await fields.getByRole('listitem').first().waitFor();
      await inspect(page, 'request-error');
      await page.keyboard.press('Escape');
      await page.getByLabel('Status').selectOption('503');
      await page.getByRole('heading', { name: 'No error matches' }).waitFor();
    }));

  it('are read-only for an analyst, and say what is missing', () =>
    visit(stack, async ({ page }) => {
      const analyst = await stack.account('analyst', owner.orgId);
      await signIn(page, analyst, '/app/developers/webhooks');
      await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
      expect(await page.getByRole('link', { name: 'New endpoint' }).count()).to.equal(0);
      expect(await page.getByRole('link', { name: 'API keys' }).count()).to.equal(0);
      await page.goto('/app/developers/keys');
      await page.getByText('api_keys.manage').waitFor();
    }));

  it('have words for every right and every event, and the verifiers of the documentation', () => {
    const texts = JSON.parse(
      readFileSync(
        new URL('../../dashboard/src/screens/developers/locales/en.json', import.meta.url),
        'utf8',
      ),
    ) as { scopes: Record<string, string>; eventTypes: Record<string, string> };
    const named = (names: string[]) => names.map((name) => name.replaceAll('.', '_')).sort();
    expect(Object.keys(texts.scopes).sort()).to.deep.equal(named(Object.keys(SCOPES)));
    expect(Object.keys(texts.eventTypes).sort()).to.deep.equal(named(Object.keys(EVENT_CATALOGUE)));
    const documentation = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
    for (const snippet of Object.values(SNIPPETS)) expect(documentation).to.include(snippet);
  });
});
