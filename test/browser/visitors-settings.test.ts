import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { startPageServer, type PageServer } from '../support/page-server.ts';
import { withWindow } from '../support/windows.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, locale: 'en-GB' };

describe(`the consumer’s pages as their visitors set the browser${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let server: PageServer;
  let browser: Browser;

  before(async function () {
    needBrowser(this);
    server = await startPageServer();
    browser = await sharedBrowser();
  });
  after(async () => {
    await server?.close();
  });

  const visit = <T>(options: BrowserContextOptions, look: (page: Page) => Promise<T>) =>
    withWindow(browser, { baseURL: server.origin, ...PHONE, ...options }, ({ page }) => look(page));

  it('tells the verdict on the first screen without a style sheet, below pictures of the usual size', () =>
    visit({}, async (page) => {
      await page.route('**/*.css', (route) => route.abort());
      for (const path of ['/v/genuine', '/v/recalled?logo', '/01/product']) {
        await page.goto(path);
        const { y, height } = (await page.locator('h1').boundingBox())!;
        expect(y + height, path).to.be.below(PHONE.viewport.height / 2);
        const sizes = await page
          .locator('svg:not(.stripe), img')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
        expect(Math.max(...sizes), path).to.be.at.most(80);
      }
      await page.unrouteAll();
    }));
});
