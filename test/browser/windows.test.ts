import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { needBrowser, sharedBrowser } from '../support/browser.ts';
import { startPageServer, type PageServer } from '../support/page-server.ts';
import { withWindow } from '../support/windows.ts';

describe('a browser window that tests share', () => {
  let server: PageServer;
  let browser: Browser;

  before(async function () {
    needBrowser(this);
    browser = await sharedBrowser();
    server = await startPageServer();
  });
  after(() => server?.close());

  it('comes to the next test without anything of the one before, and not at all after a failure', async () => {
    const lend = <T>(use: (page: Page) => Promise<T>) =>
      withWindow(browser, { baseURL: server.origin, viewport: { width: 640, height: 480 } }, ({ page }) =>
        use(page),
      );
    const seen = `[document.cookie, localStorage.length, sessionStorage.length, innerWidth]`;
    let heard = 0;
    const first = await lend(async (page) => {
      page.on('request', () => (heard += 1));
      await page.evaluate(`document.cookie = 'a=1'; localStorage.b = sessionStorage.c = '1'`);
      await page.setViewportSize({ width: 320, height: 480 });
      await page.context().newPage();
      return page;
    });
    await lend(async (page) => {
      expect(page).to.equal(first);
      expect(await page.evaluate(seen)).to.deep.equal(['', 0, 0, 640]);
      expect(page.context().pages()).to.deep.equal([page]);
      const before = heard;
      await page.reload();
      expect(heard).to.equal(before);
    });
    await lend(() => Promise.reject(new Error('a story that fails'))).catch(() => undefined);
    await lend(async (page) => expect(page).not.to.equal(first));
  });
});
