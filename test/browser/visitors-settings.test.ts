import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { contrastOf } from '../support/contrast.ts';
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

  for (const colorScheme of ['light', 'dark'] as const)
    it(`draws its lines and its small print in full contrast for who asks for more (${colorScheme})`, () =>
      visit({ colorScheme, contrast: 'more' }, async (page) => {
        await page.goto('/v/suspicious');
        const colors = await page.evaluate<string[][]>(`(() => {
          const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
          const section = styleOf('.column section');
          return [
            [section.borderTopColor, styleOf('body').backgroundColor],
            [styleOf('dl div:last-child').borderTopColor, section.backgroundColor],
            [styleOf('dt').color, section.backgroundColor],
            [styleOf('textarea').borderTopColor, styleOf('textarea').backgroundColor],
          ];
        })()`);
        for (const [one, other] of colors) expect(contrastOf(one!, other!)).to.be.at.least(12);
      }));
});
