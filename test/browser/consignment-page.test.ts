import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CONSIGNMENT_MESSAGES } from '../../api/consignments/page/messages.ts';
import { LOCALES } from '../../api/verify/page/locales.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../support/api.ts';
import { axeViolations } from '../support/axe.ts';
import { contrastOf } from '../support/contrast.ts';
import { runAllBulkJobs } from '../support/bulk-jobs.ts';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { wrongFields } from '../support/wrong-fields.ts';
import { withWindow } from '../support/windows.ts';

const PICTURES = path.join(packageRoot, 'docs/screenshots/consignment');
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1,
  isMobile: true,
  hasTouch: true,
  locale: 'en',
};

/** Whether all of what has the focus is seen without scrolling. */
const IN_VIEW = `(() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return top > -1 && bottom < innerHeight + 1;
})()`;

describe(`the distributor’s page in a browser${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let api: TestApi;
  let org: TestOrganization;
  let browser: Browser;
  let base: string;
  let sent = 0;

  before(async function () {
    needBrowser(this);
    api = await createTestApi();
    org = await api.createOrganization();
    await api.deps.db.query(`update organizations set name = 'Frantoio Aurelia' where id = $1`, [org.uuid]);
    browser = await sharedBrowser();
    base = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await api?.close();
  });

  const dispatched = async (): Promise<{ id: string; address: string; units: TestUnit[] }> => {
    sent += 1;
    const { units } = await org.mintUnits(4, {
      product: { name: 'Olive oil, extra virgin, 0.5 l' },
      job: { serials: { source: 'sequential', prefix: `N${sent}-`, first: 1, digits: 4 } },
    });
    const { body } = await org
      .post('/consignments', {
        reference: `PO-2041${sent}`,
        origin: { name: 'Frantoio Aurelia', address: 'Via del Mulino 4, Lucca', country: 'IT' },
        destination: { name: 'Nordhandel GmbH', address: 'Kai 7, Hamburg', country: 'DE' },
        units: { unitIds: units.map(({ id }) => id) },
      })
      .expect(201);
    await runAllBulkJobs(api);
    const { receiveUrl } = (await org.post(`/consignments/${body.id}/dispatch`, {}).expect(200)).body;
    return { id: body.id, address: base + new URL(receiveUrl).pathname, units };
  };

  /** Opens a page and fails on whatever the browser complains of, but for the answer that the test expects. */
  async function visit<T>(
    address: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<T>,
    expectedStatus?: number,
  ): Promise<T> {
    return withWindow(browser, { baseURL: base, ...options }, async ({ page }) => {
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(address);
      const seen = await look(page);
      expect(complaints.filter((text) => !text.includes(`status of ${expectedStatus}`))).to.deep.equal([]);
      return seen;
    });
  }
  const picture = async (page: Page, name: string) => {
    if (process.env.UPDATE_SCREENSHOTS === undefined) return;
    const bytes = await page.screenshot({ fullPage: true });
    await mkdir(PICTURES, { recursive: true });
    await writeFile(path.join(PICTURES, `${name}.png`), bytes);
  };
  const receiptOf = async (id: string) => (await org.get(`/consignments/${id}`).expect(200)).body;

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    it(`confirms with missing and damaged serials, ${how} a script, after a mistake was shown`, async () => {
      const { id, address, units } = await dispatched();
      await visit(
        address,
        { ...PHONE, javaScriptEnabled },
        async (page) => {
          expect(await page.locator('h1').innerText()).to.equal('Consignment');
          const facts = await page.locator('main').innerText();
          for (const text of [
            `PO-2041${sent}`,
            'Nordhandel GmbH, Kai 7, Hamburg, Germany',
            'Olive oil, extra virgin',
          ])
            expect(facts).to.include(text);
          if (javaScriptEnabled) await picture(page, 'dispatched-phone');
          // As little of the page as is seen above a keyboard.
          await page.setViewportSize({ width: 390, height: 420 });
          await page.getByLabel('How many did you count?').fill('3');
          await page.getByLabel('missing').fill('WRONG-7');
          await page.getByLabel('damaged').fill(units[1]!.serial);
          await page.getByLabel('Your name').fill('Ada Lind');
          await page.getByLabel('Note').fill('Pallet wrap torn');
          await page.getByRole('button', { name: 'Confirm receipt' }).click();
          const alert = page.getByRole('alert').and(page.locator(':focus'));
          await alert.waitFor();
          await page.waitForFunction(IN_VIEW);
          expect(await alert.innerText()).to.include('WRONG-7');
          expect(await page.getByLabel('Note').inputValue()).to.equal('Pallet wrap torn');
          await page.setViewportSize(PHONE.viewport!);
          if (javaScriptEnabled) await picture(page, 'mistake-phone');
          if (javaScriptEnabled) expect(await axeViolations(page)).to.deep.equal([]);
          await page.getByLabel('missing').fill(units[0]!.serial);
          await page.getByRole('button', { name: 'Confirm receipt' }).click();
          const confirmed = page.getByRole('heading', { level: 1, name: 'Receipt confirmed' });
          await confirmed.waitFor();
          expect(await page.locator('form').count()).to.equal(0);
          // Nothing is sent again: the page is that of the link.
          expect(new URL(page.url()).pathname).to.equal(new URL(address).pathname);
          await page.reload();
          await confirmed.waitFor();
          if (javaScriptEnabled) await picture(page, 'received-phone');
        },
        422,
      );
      const { status, receipt } = await receiptOf(id);
      expect({ status, ...receipt }).to.include({
        status: 'partially_received',
        receivedCount: 3,
        missingCount: 1,
        damagedCount: 1,
        name: 'Ada Lind',
        note: 'Pallet wrap torn',
        through: 'link',
      });
    });
  }

  const LOOKS: [string, BrowserContextOptions][] = [
    ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
    ['phone-arabic', { ...PHONE, locale: 'ar' }],
    ['desktop', { viewport: { width: 1_100, height: 800 }, locale: 'en' }],
  ];
  for (const [name, options] of LOOKS) {
    it(`has nothing for axe to find: ${name}`, async () => {
      const { address } = await dispatched();
      await visit(address, options, async (page) => {
        await picture(page, `dispatched-${name}`);
        expect(await axeViolations(page)).to.deep.equal([]);
      });
    });
  }

  it('fits a screen of 320 px in every language without sideways scrolling', async function () {
    this.timeout(60_000);
    const { address } = await dispatched();
    const widths = await visit(address, { ...PHONE, viewport: { width: 320, height: 640 } }, async (page) => {
      const seen: [string, number][] = [];
      for (const locale of LOCALES) {
        await page.goto(`${address}?lang=${locale}`);
        expect(await page.locator('html').getAttribute('lang')).to.equal(locale);
        seen.push([locale, await page.evaluate<number>('document.documentElement.scrollWidth')]);
      }
      return seen;
    });
    expect(widths.filter(([, width]) => width > 320)).to.deep.equal([]);
  });

  it('marks each field that has to be changed, and tells at it what is wrong with it', async () => {
    const { address } = await dispatched();
    await visit(
      address,
      PHONE,
      async (page) => {
        await page.getByLabel('missing').fill('WRONG-7\nWRONG-8');
        await page.getByLabel('damaged').fill('x'.repeat(201));
        await page.getByLabel('Your name').fill('Ada Lind');
        await page.getByRole('button', { name: 'Confirm receipt' }).click();
        await page.getByRole('alert').waitFor();
        // Neither by the alert's order nor by its words could one tell which text is too long.
        expect(await wrongFields(page)).to.deep.equal({
          damaged: 'A text is too long: at most 200 characters.',
        });
        await page.getByLabel('damaged').fill('');
        await page.getByRole('button', { name: 'Confirm receipt' }).click();
        await page.getByText('WRONG-8 is not').waitFor();
        expect(await wrongFields(page)).to.deep.equal({
          missing: 'WRONG-7 is not in this consignment. WRONG-8 is not in this consignment.',
        });
        const borders = await page
          .locator('textarea')
          .evaluateAll((all) =>
            all.map((one) => one.ownerDocument.defaultView!.getComputedStyle(one).borderTopWidth),
          );
        expect(borders).to.deep.equal(['3px', '1px', '1px']);
        expect(await axeViolations(page)).to.deep.equal([]);
      },
      422,
    );
  });

  it('writes the count that was sent, in its field, in letters that stand out as much as others', async () => {
    const { address } = await dispatched();
    for (const colorScheme of ['light', 'dark'] as const)
      await visit(address, { ...PHONE, colorScheme }, async (page) => {
        const [letters, field] = await page.getByLabel('How many').evaluate((one) => {
          const { getComputedStyle } = one.ownerDocument.defaultView!;
          return [getComputedStyle(one, '::placeholder').color, getComputedStyle(one).backgroundColor];
        });
        expect(contrastOf(letters!, field!), colorScheme).to.be.at.least(4.5);
      });
  });

  it('says what a count has to be, where the browser refuses one before it is sent', async () => {
    const { address } = await dispatched();
    await visit(address, PHONE, async (page) => {
      await page.getByLabel('How many').fill('3 boxes');
      await page.getByLabel('Your name').fill('Ada Lind');
      await page.getByRole('button', { name: 'Confirm receipt' }).click();
      const refused = page.locator('input:invalid:focus');
      expect(await refused.getAttribute('name')).to.equal('receivedCount');
      // Browsers add it to their own "Please match the requested format".
      expect(await refused.getAttribute('title')).to.equal('Enter the counted number in digits.');
    });
  });

  it('can be had in another language after a mistake, and once the receipt is confirmed', async () => {
    const { address } = await dispatched();
    const inGerman = (page: Page) => page.getByRole('link', { name: 'Deutsch' }).click();
    await visit(
      address,
      PHONE,
      async (page) => {
        await page.getByLabel('missing').fill('WRONG-7');
        await page.getByLabel('Your name').fill('Ada Lind');
        await page.getByRole('button', { name: 'Confirm receipt' }).click();
        await page.getByRole('alert').waitFor();
        await inGerman(page);
        await page.getByLabel(CONSIGNMENT_MESSAGES.de.name).fill('Ada Lind');
        await page.getByRole('button', { name: CONSIGNMENT_MESSAGES.de.send }).click();
        const confirmed = page.getByRole('heading', { level: 1, name: CONSIGNMENT_MESSAGES.de.doneTitle });
        await confirmed.waitFor();
        await page.getByRole('link', { name: 'English' }).click();
        await page.getByRole('heading', { level: 1, name: 'Receipt confirmed' }).waitFor();
        // All that one comes back to is the receipt: nothing is sent a second time, the refused list neither.
        for (let n = 0; n < 4; n += 1) {
          await page.goBack();
          await page
            .getByRole('heading', { level: 1, name: /Receipt confirmed|Empfang bestätigt/ })
            .waitFor();
        }
      },
      422,
    );
  });

  it('says that a link is gone, and what to do', async () => {
    await visit(
      `${base}/c/nonsense`,
      PHONE,
      async (page) => {
        await page.getByRole('heading', { level: 1, name: 'This link' }).waitFor();
        expect(await axeViolations(page)).to.deep.equal([]);
        await picture(page, 'gone-phone');
      },
      404,
    );
  });
});
