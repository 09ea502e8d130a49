import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { OPERATIONS } from '../../api/operations.ts';
import { createTestApi, type TestApi } from '../support/api.ts';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';

describe(`the reference in a browser${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let api: TestApi;
  let browser: Browser;

  before(async function () {
    needBrowser(this);
    api = await createTestApi();
    browser = await sharedBrowser();
  });
  after(async () => {
    await api?.close();
  });

  it('shows every operation under a strict policy, without a violation or a call elsewhere', async () => {
    const origin = `http://localhost:${(api.server.address() as AddressInfo).port}`;
    const page = await browser.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
    await page.addInitScript(`
      window.violations = [];
      addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
    `);
    const response = await page.goto(`${origin}/docs`);
    expect(response!.headers()['content-security-policy'])
      .to.include("default-src 'none'")
      .and.not.include('unsafe');
    await page.locator('.opblock').first().waitFor();
    expect(await page.evaluate('ui.specSelectors.operations().size')).to.equal(OPERATIONS.length);
    // One of them opened, with its examples and its errors; further chapters are made when they are scrolled to.
    const operation = page.locator('#operations-Verification-verify');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByText('Azeite Virgem Extra').first().waitFor();
    await operation.getByText('RATE_LIMITED').first().waitFor();
    expect(await page.evaluate('window.violations')).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    const elsewhere = asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'));
    expect(elsewhere).to.deep.equal([]);
  }).timeout(60_000);
});
