import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { CATALOGUES, LOCALES } from '../../api/verify/page/locales.ts';
import { axeViolations } from '../support/axe.ts';
import { letterSizes, needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { startPageServer } from '../support/page-server.ts';
import type { PageServer } from '../support/page-server.ts';
import { withWindow } from '../support/windows.ts';
import { addressOf, isProductCode, onPhone, titleOf, VIEWS } from '../support/page-views.ts';
import { TOKEN } from '../support/verification-pages.ts';

function signal() {
  let give!: () => void;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
}

const isFocused = (element: Locator) => element.evaluate((node) => node === node.ownerDocument.activeElement);

const PICTURES = fileURLToPath(new URL('../../docs/screenshots/verify/', import.meta.url));

describe(`the verification page in a browser${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
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

  /** Opens a page and fails on whatever the browser complains of. */
  async function visit<T>(
    path: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<T>,
    expectedStatus = 200,
  ): Promise<T> {
    const own = { baseURL: server.origin, locale: 'en-GB', timezoneId: 'Europe/Paris', ...options };
    return withWindow(browser, own, async ({ page }) => {
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
      const response = await page.goto(path, { waitUntil: 'load' });
      expect(response!.status()).to.equal(expectedStatus);
      const seen = await look(page);
      // Chromium reports the 404 itself of an unknown code as a console error.
      expect(complaints.filter((text) => !(expectedStatus === 404 && text.includes('404')))).to.deep.equal(
        [],
      );
      return seen;
    });
  }

  for (const view of VIEWS) {
    const { shown, name, lang = 'en', isUnconfirmed = false, hidden, nfc, ...options } = view;
    it(`shows ${name} without a complaint of the browser or of axe`, async () => {
      await visit(
        addressOf(view),
        options,
        async (page) => {
          expect(await page.locator('h1').textContent()).to.equal(titleOf(shown, lang));
          expect(await page.locator('.verdict svg').isVisible()).to.equal(true);
          const { issuer } = CATALOGUES[lang];
          const standing = isUnconfirmed
            ? issuer.unconfirmed
            : issuer.confirmed.replace('{domain}', 'olivaia.example');
          if (shown !== 'unknown')
            expect((await page.locator('header small').innerText()).trim()).to.equal(standing);
          if (hidden !== undefined && hidden !== 'asked') {
            const told = page.locator('.told');
            expect(await told.locator('h2').innerText()).to.equal(CATALOGUES[lang].hiddenCode[hidden].title);
            expect(await isFocused(told)).to.equal(true);
            await page.evaluate('scrollTo(0, 0)');
          }
          if (nfc !== undefined && nfc !== 'asked')
            expect(await page.locator('.told h2').innerText()).to.equal(CATALOGUES[lang].nfc[nfc].title);
          if (process.env.UPDATE_SCREENSHOTS) {
            const picture = await page.screenshot({
              fullPage: shown === 'genuine' || shown === 'suspicious' || isProductCode(shown),
            });
            await mkdir(PICTURES, { recursive: true });
            await writeFile(`${PICTURES}${name}.png`, picture);
          }
          expect(await axeViolations(page)).to.deep.equal([]);
        },
        shown === 'unknown' ? 404 : 200,
      );
    });
  }

  it('has fields that an iPhone does not zoom into: letters of 16 px at least', () =>
    visit('/v/suspicious', onPhone, async (page) => {
      const sizes = await letterSizes(page.locator('input:not([type=hidden]), textarea'));
      expect(sizes).to.have.length.above(3);
      expect(Math.min(...sizes)).to.be.at.least(16);
    }));

  it('leaves room above and below a brand’s name of many lines', () =>
    visit('/v/genuine', onPhone, async (page) => {
      const room = await page.locator('header').evaluate((header) => {
        const name = header.lastElementChild ?? header;
        name.textContent = 'Società Agricola Frantoio '.repeat(6);
        const [outer, inner] = [header.getBoundingClientRect(), name.getBoundingClientRect()];
        return [outer.height > 90, inner.top - outer.top, outer.bottom - inner.bottom];
      });
      expect(room).to.deep.equal([true, 8, 8]);
    }));

  it('fits a screen of 320 px in every language without sideways scrolling', async function () {
    this.timeout(60_000);
    const narrow = { viewport: { width: 320, height: 640 }, isMobile: true };
    for (const lang of LOCALES)
      for (const path of [
        `/v/suspicious?lang=${lang}&hidden=wrong&nfc=replayed`,
        `/01/product?lang=${lang}`,
      ]) {
        const width = await visit(path, narrow, (page) =>
          page.evaluate('document.documentElement.scrollWidth'),
        );
        expect(width, path).to.be.at.most(320);
      }
  });

  it('keeps words whole on a telephone at twice the size, without sideways scrolling', async function () {
    this.timeout(60_000);
    // 390 px at 200%, as zooming and a large text size of the browser both come to.
    const zoomed = { viewport: { width: 195, height: 422 } };
    // Chinese and Japanese have no words to keep.
    for (const lang of LOCALES.filter((each) => each !== 'ja' && each !== 'zh'))
      for (const verdict of ['suspicious', 'diverted', 'inactive', 'expired']) {
        const path = `/v/${verdict}?lang=${lang}`;
        const [page, heading, room] = await visit(path, zoomed, (shown) =>
          shown.evaluate<number[]>(`(() => {
            const h1 = document.querySelector('h1');
            const { scrollWidth } = document.documentElement;
            h1.style.overflowWrap = 'normal';
            return [scrollWidth, h1.scrollWidth, h1.clientWidth];
          })()`),
        );
        expect(page, path).to.be.at.most(195);
        expect(heading, path).to.be.at.most(room!);
      }
  });

  it('tells everything and takes a report without a script', async () => {
    await visit('/v/suspicious', { ...onPhone, javaScriptEnabled: false }, async (page) => {
      const text = await page.locator('body').innerText();
      expect(text).to.include('Possibly copied').and.to.include('L2610-A').and.to.include('Checked 41 times');
      expect(text).to.include('20 Nov 2026, 16:33:06 UTC');
      expect(await page.locator('.position').isVisible()).to.equal(false);
      await page.getByLabel('What seems wrong?').fill('The label is <crooked>');
      await page.getByRole('button', { name: 'Send report' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      // In another language the thanks are asked for again, and nothing is sent.
      expect(await page.locator('nav a[hreflang=fr]').getAttribute('href')).to.equal('?filed&lang=fr');
    });
    const { path, contentType, body } = server.posts.at(-1)!;
    expect(path).to.equal(`/v/${TOKEN}/reports`);
    expect(contentType).to.match(/^multipart\/form-data; boundary=/);
    const sent = [
      ...body.matchAll(/name="(\w+)"(?:; filename="(.*)"\r\nContent-Type: .*)?\r\n\r\n(.*)\r\n/g),
    ];
    expect(sent.map(([, name, file, value]) => [name, file ?? value])).to.deep.equal([
      ['lang', 'en'],
      ['description', 'The label is <crooked>'],
      ['purchasedFrom', ''],
      ['contactEmail', ''],
      ['photos', ''],
      ['website', ''],
    ]);
  });

  const inLyon = { latitude: 45.764043, longitude: 4.835659, accuracy: 18.4 };

  it('shows moments in the visitor’s own time zone, and as they are written there', async () => {
    for (const [locale, expected] of [
      ['en-GB', '20 Nov 2026, 17:33'],
      ['en-US', 'Nov 20, 2026, 5:33 PM'],
    ] as const) {
      const text = await visit('/v/genuine', { ...onPhone, locale }, (page) =>
        page.locator('time[data-moment]').last().innerText(),
      );
      // Some versions of CLDR put a narrow space before AM and PM.
      expect(text.replaceAll('\u202f', ' ')).to.equal(expected);
    }
  });

  it('writes numbers and moments in the same digits, whatever the visitor’s country writes', async () => {
    for (const locale of ['ar-EG', 'ar-SA', 'ar-AE']) {
      const text = await visit('/v/genuine?lang=ar', { ...onPhone, locale }, (page) =>
        page.locator('dl').allInnerTexts(),
      );
      expect(text.join(' ')).to.match(/2026/).and.not.match(/[٠-٩]/);
    }
  });

  it('is printed in dark letters on light paper, also by who reads it in the dark', async () => {
    const colours = await visit('/v/genuine', { ...onPhone, colorScheme: 'dark' }, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      // Printers leave backgrounds out: letters must be dark whatever is behind them.
      const letters = 'header bdi, section h2, section p, dt, dd, footer a';
      return page.evaluate<string[]>(
        `[...document.querySelectorAll('${letters}')].map((one) => getComputedStyle(one).color)`,
      );
    });
    expect(colours).to.have.length.above(20);
    for (const colour of colours) {
      const [red, green, blue] = colour.match(/\d+/g)!.map(Number);
      expect(0.2126 * red! + 0.7152 * green! + 0.0722 * blue!, colour).to.be.below(120);
    }
  });

  it('counts years as in the rest of the page, whatever calendar the visitor’s browser would take', async () => {
    // As browsers with an older ICU take it for Saudi Arabia, and whoever has set a calendar of their own.
    for (const locale of ['ar-SA-u-ca-islamic-umalqura', 'en-TH-u-ca-buddhist']) {
      const lang = locale.slice(0, 2);
      const moments = await visit(`/v/genuine?lang=${lang}`, { ...onPhone, locale }, (page) =>
        page.locator('time[data-moment]').allInnerTexts(),
      );
      for (const moment of moments) expect(moment).to.include('2026');
    }
  });

  it('sends a position only when asked to, once, cut to 100 m', async () => {
    const before = server.posts.length;
    const options = { ...onPhone, permissions: ['geolocation'], geolocation: inLyon };
    await visit('/v/genuine', options, async (page) => {
      const button = page.getByRole('button', { name: 'Add my position' });
      expect(server.posts).to.have.length(before);
      await button.click();
      await page.getByText('Thank you. Your position was added.').waitFor();
      expect(await button.isVisible()).to.equal(false);
    });
    expect(server.posts).to.have.length(before + 1);
    const { path, contentType, body } = server.posts.at(-1)!;
    expect({ path, contentType }).to.deep.equal({
      path: `/v/${TOKEN}/position`,
      contentType: 'application/json',
    });
    expect(JSON.parse(body)).to.deep.equal({
      nonce: 'bm9uY2Utb25jZQ',
      lat: 45.764,
      lon: 4.836,
      accuracyM: 19,
    });
  });

  it('keeps the keyboard’s focus while a position is sent, once, and hands it on to the message', async () => {
    const before = server.posts.length;
    const options = { ...onPhone, permissions: ['geolocation'], geolocation: inLyon };
    await visit('/v/genuine', options, async (page) => {
      const asked = signal();
      const held = signal();
      await page.route('**/position', async (route) => {
        asked.give();
        await held.given;
        await route.continue();
      });
      const button = page.getByRole('button', { name: 'Add my position' });
      await button.focus();
      await page.keyboard.press('Enter');
      await asked.given;
      await page.keyboard.press('Enter');
      expect(await button.getAttribute('aria-disabled')).to.equal('true');
      expect(await isFocused(button)).to.equal(true);
      held.give();
      const status = page.getByText('Thank you. Your position was added.');
      await status.waitFor();
      await button.waitFor({ state: 'hidden' });
      expect(await isFocused(status)).to.equal(true);
      expect(await axeViolations(page)).to.deep.equal([]);
    });
    expect(server.posts).to.have.length(before + 1);
  });

  it('leaves the focus alone where the visitor has gone on meanwhile', async () => {
    const options = { ...onPhone, permissions: ['geolocation'], geolocation: inLyon };
    await visit('/v/suspicious', options, async (page) => {
      const held = signal();
      await page.route('**/position', async (route) => {
        await held.given;
        await route.continue();
      });
      const button = page.getByRole('button', { name: 'Add my position' });
      await button.focus();
      await page.keyboard.press('Enter');
      const report = page.getByLabel('What seems wrong?');
      await report.focus();
      held.give();
      await button.waitFor({ state: 'hidden' });
      expect(await isFocused(report)).to.equal(true);
    });
  });

  it('thanks for a position that was added before, from another tab', async () => {
    const options = { ...onPhone, permissions: ['geolocation'], geolocation: inLyon };
    await visit('/v/genuine', options, async (page) => {
      await page.route('**/position', (route) => route.fulfill({ status: 409, body: '{}' }));
      // Chromium reports the 409 itself.
      page.removeAllListeners('console');
      const button = page.getByRole('button', { name: 'Add my position' });
      await button.click();
      await page.getByText('Thank you. Your position was added.').waitFor();
      expect(await button.isVisible()).to.equal(false);
    });
  });

  it('says so when the position is refused, and offers it again', async () => {
    await visit('/v/genuine', { ...onPhone, permissions: [] }, async (page) => {
      const button = page.getByRole('button', { name: 'Add my position' });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByText('That did not work. Your check counts all the same.').waitFor();
      expect(await button.isEnabled()).to.equal(true);
      expect(await button.getAttribute('aria-disabled')).to.equal(null);
      expect(await isFocused(button)).to.equal(true);
    });
  });

  it('offers the position again after a minute in which the browser’s question stayed unanswered', async () => {
    await visit('/v/genuine', onPhone, async (page) => {
      await page.clock.install();
      await page.evaluate('navigator.geolocation.getCurrentPosition = () => {}');
      const button = page.getByRole('button', { name: 'Add my position' });
      await button.click();
      await page.clock.fastForward(59_000);
      expect(await button.getAttribute('aria-disabled')).to.equal('true');
      await page.clock.fastForward(1_000);
      await page.getByText('That did not work. Your check counts all the same.').waitFor();
      expect(await button.getAttribute('aria-disabled')).to.equal(null);
    });
  });
});
