import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { REPORT_REFUSALS } from '../../api/counterfeit-reports/refusals.ts';
import { CATALOGUES, LOCALES, type Locale } from '../../api/verify/page/locales.ts';
import { axeViolations } from '../support/axe.ts';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { smallPng } from '../support/photos.ts';
import { startStand, type MintedUnit, type Stand } from '../support/verification-stand.ts';
import { wrongFields } from '../support/wrong-fields.ts';
import { withWindow } from '../support/windows.ts';

const PICTURES = fileURLToPath(new URL('../../docs/screenshots/verify/', import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const HEIC = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(20)]);

describe(`what a phone shows instead of an answer${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let stand: Stand;
  let limited: Stand;
  let browser: Browser;
  let unit: MintedUnit;

  before(async function () {
    needBrowser(this);
    stand = await startStand();
    limited = await startStand({ RATE_LIMIT_VERIFY_PER_MINUTE: '1' });
    unit = await stand.mintUnit();
    browser = await sharedBrowser();
  });
  after(async () => {
    await stand?.close();
    await limited?.close();
  });

  const visit = (
    { origin }: Stand,
    path: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ) =>
    withWindow(browser, { baseURL: origin, ...PHONE, locale: 'en-GB', ...options }, async ({ page }) => {
      // Whoever is let look once a minute has done so.
      if (origin === limited.origin) await fetch(`${origin}/v/x`);
      await page.goto(path, { waitUntil: 'load' });
      await look(page);
    });
  const keepPicture = async (page: Page, name: string) => {
    if (!process.env.UPDATE_SCREENSHOTS) return;
    await mkdir(PICTURES, { recursive: true });
    await writeFile(`${PICTURES}${name}.png`, await page.screenshot());
  };
  const countReports = async () =>
    (await stand.deps.db.query<{ count: string }>('select count(*) from counterfeit_reports')).rows[0]!.count;
  const sendReport = async (page: Page, lang: Locale) => {
    const { heading, what, where, send } = CATALOGUES[lang].report;
    await page.getByText(heading).click();
    await page.getByLabel(what).fill('The label is <crooked>\nand blurred');
    await page.getByLabel(where).fill('Stall "7"');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: HEIC });
    await page.getByRole('button', { name: send }).click();
    await page.getByRole('alert').waitFor();
  };

  for (const [name, lang, options] of [
    ['busy-phone', 'en', {}],
    ['busy-phone-dark', 'de', { colorScheme: 'dark' }],
    ['busy-phone-arabic', 'ar', {}],
  ] as const) {
    it(`shows ${name} without a complaint of axe`, async () => {
      await visit(limited, `/v/${unit.token}?lang=${lang}`, options, async (page) => {
        const { wait, again } = CATALOGUES[lang].problems;
        expect(await page.locator('h1').textContent()).to.equal(wait.title);
        expect(await page.getByRole('link', { name: again }).isVisible()).to.equal(true);
        await keepPicture(page, name);
        expect(await axeViolations(page)).to.deep.equal([]);
      });
    });
  }

  it('tries again by the link, and shows the verdict when it is let', async () => {
    const { token } = await limited.mintUnit();
    await visit(limited, `/v/${token}`, {}, async (page) => {
      const { redis, config } = limited.deps;
      // As when the minute is over.
      await redis.del(await redis.keys(`${config.QUEUE_PREFIX}:limit:{verify}:*`));
      await page.getByRole('link', { name: CATALOGUES.en.problems.again }).click();
      await page.getByRole('heading', { name: CATALOGUES.en.verdicts.genuine.title }).waitFor();
    });
  });

  for (const [name, lang, options] of [
    ['refused-report-phone', 'en', { javaScriptEnabled: false }],
    ['refused-report-phone-japanese', 'ja', { colorScheme: 'dark' }],
  ] as const) {
    it(`shows ${name}, and sends the report when it is mended`, async () => {
      await visit(stand, `/v/${unit.token}?lang=${lang}`, options, async (page) => {
        await sendReport(page, lang);
        const { notSent, fields } = REPORT_REFUSALS[lang];
        expect(await page.locator('header bdi').textContent()).to.equal('Olivaia');
        const { what, where, send, thanksTitle } = CATALOGUES[lang].report;
        expect(await page.locator('h1').textContent()).to.equal(notSent);
        expect(await page.getByRole('alert').innerText()).to.include(fields.HEIC_PHOTO);
        expect(await wrongFields(page)).to.deep.equal({ photos: fields.HEIC_PHOTO });
        expect(await page.getByLabel(what).inputValue()).to.equal('The label is <crooked>\nand blurred');
        expect(await page.getByLabel(where).inputValue()).to.equal('Stall "7"');
        await keepPicture(page, name);
        if (!('javaScriptEnabled' in options)) expect(await axeViolations(page)).to.deep.equal([]);
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await smallPng() });
        await page.getByRole('button', { name: send }).click();
        const thanks = page.getByRole('heading', { name: thanksTitle });
        await thanks.waitFor();
        const filed = await countReports();
        // Loaded again, and come back to from elsewhere, it is a page like any other, which sends nothing.
        await page.reload();
        await thanks.waitFor();
        await page.goto('/');
        await page.goBack();
        await thanks.waitFor();
        expect(await countReports()).to.equal(filed);
        // Behind it is the code, not the report that was refused.
        if (!('javaScriptEnabled' in options)) {
          await page.goBack();
          await page.getByRole('heading', { name: CATALOGUES[lang].verdicts.genuine.title }).waitFor();
        }
      });
    });
  }

  it('fits a screen of 320 px in every language without sideways scrolling', async function () {
    this.timeout(60_000);
    const narrow = { viewport: { width: 320, height: 640 }, isMobile: true };
    for (const lang of LOCALES) {
      await visit(limited, `/v/${unit.token}?lang=${lang}`, narrow, async (page) => {
        expect(await page.evaluate('document.documentElement.scrollWidth'), lang).to.be.at.most(320);
      });
      await visit(stand, `/v/${unit.token}?lang=${lang}`, narrow, async (page) => {
        await sendReport(page, lang);
        expect(await page.evaluate('document.documentElement.scrollWidth'), lang).to.be.at.most(320);
      });
    }
  });

  it('leads from the service’s own address and a typed code to its verdict, without a script too', async () => {
    const { front, verdicts } = CATALOGUES.en;
    await visit(stand, '/', { javaScriptEnabled: false }, async (page) => {
      const field = page.getByLabel(front.typed);
      await field.fill('SN-000123');
      await field.press('Enter');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').textContent()).to.include(front.incomplete);
      expect(await field.inputValue()).to.equal('SN-000123');
      await field.fill(` ${unit.token.toLowerCase()}`);
      await page.getByRole('button', { name: front.check }).click();
      await page.getByRole('heading', { name: verdicts.genuine.title }).waitFor();
      expect(new URL(page.url()).pathname).to.equal(`/v/${unit.token}`);
    });
  });

  for (const [name, lang, options] of [
    ['front-phone', 'en', {}],
    ['front-phone-dark', 'de', { colorScheme: 'dark' }],
    ['front-phone-arabic', 'ar', {}],
  ] as const) {
    it(`shows ${name} without a complaint of axe, a refusal neither`, async () => {
      await visit(stand, `/?lang=${lang}`, options, async (page) => {
        await keepPicture(page, name);
        expect(await axeViolations(page)).to.deep.equal([]);
        await page.goto(`/?lang=${lang}&code=SN-000123`);
        expect(await page.getByRole('alert').isVisible()).to.equal(true);
        expect(await axeViolations(page)).to.deep.equal([]);
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond)).to.equal(0);
      });
    });
  }
});
