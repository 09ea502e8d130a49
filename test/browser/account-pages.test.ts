import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { createPeopleApi, PASSWORD, type PeopleApi } from '../support/people-api.ts';

describe(`the account pages in a browser${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let api: PeopleApi;
  let browser: Browser;
  let base: string;

  before(async function () {
    if (noBrowser) this.skip();
    api = await createPeopleApi();
    browser = await launchBrowser();
    base = `http://localhost:${(api.server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser?.close();
    await api?.close();
  });

  /** Opens a page and fails on whatever the browser complains of (a violation of the policy, say). */
  async function visit(path: string, look: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 422'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    try {
      await page.goto(`${base}${path}`);
      await look(page);
      expect(complaints).to.deep.equal([]);
    } finally {
      await page.close();
    }
  }

  const pathIn = async (): Promise<string> => {
    const [mail] = await api.mails();
    const link = /https:\/\/verify\.example\.com(\/account\/\S+)/.exec(mail!.text);
    return link![1]!;
  };
  const statusOf = async (page: Page): Promise<string> => {
    await page.locator('#status:not(:empty)').waitFor();
    return (await page.locator('#status').textContent())!;
  };

  it('confirm an address only when the button is pressed, and take the token out of the address bar', async () => {
    const email = 'browser@example.com';
    const body = { organizationName: 'Browser', email, password: PASSWORD };
    await api.http().post('/sign-up').send(body).expect(202);
    await visit(await pathIn(), async (page) => {
      await api.signIn(email).expect(401);
      await page.click('button');
      expect(await statusOf(page)).to.equal('Thank you. You can sign in now.');
      expect(page.url()).to.equal(`${base}/account/verify-email`);
    });
    await api.signIn(email).expect(200);
  });

  it('set a new password, and say what is wrong with one', async () => {
    const person = await api.person();
    await visit('/account/forgot-password', async (page) => {
      await page.fill('input[name=email]', person.email);
      await page.click('button');
      expect(await statusOf(page)).to.equal('Look into your mail.');
    });
    await visit(await pathIn(), async (page) => {
      await page.fill('input[name=password]', 'password1234');
      await page.click('button');
      expect(await statusOf(page)).to.include('guesser');
      await page.fill('input[name=password]', 'the second stone of gold');
      await page.click('button');
      await page.locator('#status', { hasText: 'You can sign in now' }).waitFor();
    });
    await api.signIn(person.email, 'the second stone of gold').expect(200);
  });

  it('keep the __Host- cookie on http://localhost and renew the session with it', async () => {
    const person = await api.person();
    await visit('/account/forgot-password', async (page) => {
      const statuses = await page.evaluate(`(async () => {
        const post = (path, body) => fetch(path, {
          method: 'POST',
          ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
        });
        const signIn = await post('/api/v1/auth/sign-in', ${JSON.stringify({ email: person.email, password: PASSWORD })});
        const refresh = await post('/api/v1/auth/refresh');
        const tabs = await Promise.all([1, 2, 3].map(() => post('/api/v1/auth/refresh')));
        const again = await post('/api/v1/auth/refresh');
        return [signIn, refresh, ...tabs, again].map(({ status }) => status);
      })()`);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200]);
      expect(await page.evaluate('document.cookie')).to.equal('');
    });
  });
});
