import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { createPeopleApi, PASSWORD, type PeopleApi } from '../support/people-api.ts';

describe(`the cookie of a sign-in in a browser${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
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

  it('is kept on http://localhost, __Host- and Secure as it is, and renews the session', async () => {
    const person = await api.person();
    await visit('/docs', async (page) => {
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
