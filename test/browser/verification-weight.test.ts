import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { PAGE_ASSETS } from '../../api/verify/page/assets.ts';
import { LOCALES, type Locale } from '../../api/verify/page/locales.ts';
import { renderVerificationPage } from '../../api/verify/page/render.ts';
import type { VerificationResult } from '../../shared/scans/verdict.ts';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { startPageServer, type PageServer } from '../support/page-server.ts';
import { pageContext, VERDICTS, verification } from '../support/verification-pages.ts';
import { startStand, type Stand } from '../support/verification-stand.ts';

const LIMIT_BYTES = 30_000;
/** The brand's logo and the product's picture come from the organization's own addresses, and weigh what it lets them. */
const ITS_PICTURES = ['/logo.svg', '/bottle.svg'];

describe(`the weight of a verification page${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let server: PageServer;
  let stand: Stand;
  let browser: Browser;

  before(async function () {
    needBrowser(this);
    server = await startPageServer();
    stand = await startStand();
    browser = await sharedBrowser();
  });
  after(async () => {
    await server?.close();
    await stand?.close();
  });

  /** Opens an address as a first visit. @returns the bytes that came over the wire for each path, headers included. */
  async function transferred(address: string): Promise<Map<string, number>> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true });
    try {
      const page = await context.newPage();
      const wire = await context.newCDPSession(page);
      const paths = new Map<string, string>();
      const bytes = new Map<string, number>();
      await wire.send('Network.enable');
      wire.on('Network.requestWillBeSent', ({ requestId, request }) => {
        paths.set(requestId, new URL(request.url).pathname);
      });
      wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        bytes.set(paths.get(requestId)!, encodedDataLength);
      });
      await page.goto(address, { waitUntil: 'networkidle' });
      // A browser without windows draws no icons.
      const icon = PAGE_ASSETS.icon.path;
      if (!bytes.has(icon)) {
        const answer = await page.request.get(new URL(icon, address).href);
        bytes.set(icon, (await answer.body()).length);
      }
      return bytes;
    } finally {
      await context.close();
    }
  }

  const ours = (bytes: ReadonlyMap<string, number>) =>
    [...bytes].reduce((sum, [path, size]) => sum + (ITS_PICTURES.includes(path) ? 0 : size), 0);

  const sizeIn = (verdict: VerificationResult, locale: Locale) =>
    Buffer.byteLength(renderVerificationPage(verification(verdict), pageContext(verdict, { locale })));

  for (const verdict of VERDICTS) {
    it(`is at most 30 kB for ${verdict} in its longest language: page, style, script, icon and headers`, async () => {
      const longest = LOCALES.toSorted((a, b) => sizeIn(verdict, b) - sizeIn(verdict, a))[0]!;
      const bytes = await transferred(`${server.origin}/v/${verdict}?lang=${longest}&logo`);
      const { style, script, icon } = PAGE_ASSETS;
      const files = [`/v/${verdict}`, style.path, script.path, icon.path, '/logo.svg'];
      expect([...bytes.keys()]).to.include.members(files);
      expect(ours(bytes), `${longest}: ${JSON.stringify([...bytes])}`).to.be.within(5_000, LIMIT_BYTES);
    });
  }

  it('is so with all headers of the app, too', async () => {
    const { token } = await stand.mintUnit({ lot: 'L2610-A' });
    const bytes = await transferred(`${stand.origin}/v/${token}?lang=ar`);
    expect(bytes.size).to.equal(4);
    expect(ours(bytes), JSON.stringify([...bytes])).to.be.within(5_000, LIMIT_BYTES);
  });

  it('is so for a product’s code, which needs no script', async () => {
    await stand.mintUnit({ gtin: '09506000134352' });
    const bytes = await transferred(`${stand.origin}/01/09506000134352?lang=ar`);
    expect(bytes.size).to.equal(3);
    expect(ours(bytes), JSON.stringify([...bytes])).to.be.within(5_000, LIMIT_BYTES);
  });
});
