import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, BrowserContext, Route } from 'playwright-core';
import { encodeId } from '../../shared/ids.ts';
import { needBrowser, noBrowser, sharedBrowser } from '../support/browser.ts';
import { startStand, type MintedUnit, type Stand } from '../support/verification-stand.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en-GB' };
const IN_PARIS = { latitude: 48.857, longitude: 2.352, accuracy: 20 };

describe(`a code scanned with a phone${noBrowser ? ` (pending: ${noBrowser})` : ''}`, function () {
  let stand: Stand;
  let browser: Browser;
  let context: BrowserContext;
  let unit: MintedUnit;

  before(async function () {
    needBrowser(this);
    // The browser's own forged header must count for nothing: no proxy stands before the app here.
    stand = await startStand({ TRUST_PROXY: '0' });
    browser = await sharedBrowser();
  });
  after(async () => {
    await stand?.close();
  });
  beforeEach(async () => {
    unit = await stand.mintUnit({ lot: 'L2610-A' });
    context = await browser.newContext({ ...PHONE, permissions: ['geolocation'], geolocation: IN_PARIS });
  });
  afterEach(() => context.close());

  const scans = async () =>
    (
      await stand.database.pool.query<Record<string, string | number | null>>(
        'select country, place_source, claimed_lat, claimed_lon from scans where unit_id = $1',
        [unit.unitId],
      )
    ).rows;

  async function open() {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    // A reload gives up on what the page before it still fetched; that is nobody's failure.
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}: ${reason}`);
    });
    await page.goto(`${stand.origin}/v/${unit.token}`, { waitUntil: 'networkidle' });
    return { page, complaints };
  }

  it('shows the verdict, and a reload, a step back and another language are the same scan', async () => {
    const { page, complaints } = await open();
    expect(await page.locator('h1').textContent()).to.equal('Genuine code');
    expect(await page.locator('body').innerText())
      .to.include('Checked 1 time')
      .and.to.include('L2610-A');
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    await page.goBack({ waitUntil: 'networkidle' });
    expect(await page.locator('body').innerText()).to.include('Checked 1 time');
    expect(await scans()).to.have.length(1);
    // Another visitor's look at the same code is another scan.
    const other = await browser.newContext(PHONE);
    const second = await other.newPage();
    await second.goto(`${stand.origin}/v/${unit.token}`);
    expect(await second.locator('body').innerText()).to.include('Checked 2 times');
    await other.close();
    expect(complaints).to.deep.equal([]);
  });

  it('keeps the lines in which the organization has written, of a recall and to all', async () => {
    const message = 'Stop using it.\n\n1. Screw the cap off.\n2. Take it back to the shop.';
    const unitId = encodeId('unit', unit.unitId);
    const recalled = await stand.call('POST', '/api/v1/recalls', { unitId, messages: { en: message } });
    expect(recalled.status).to.equal(201);
    await stand.database.pool.query(
      'update organizations set consumer_message = $1, consumer_messages = $2',
      ['By hand,\nat our mill.', { de: 'Von Hand,\nin unserer Mühle.' }],
    );
    const { page } = await open();
    expect(await page.locator('.recall').innerText()).to.equal(message);
    expect(await page.locator('body').innerText()).to.include('By hand,\nat our mill.');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    expect(await page.locator('p[lang=de]').innerText()).to.equal('Von Hand,\nin unserer Mühle.');
  });

  it('is no scan where another site’s page embeds it, whoever reads that', async () => {
    const address = `${stand.origin}/v/${unit.token}`;
    const page = await context.newPage();
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (request.url() === address) asked.add(request.resourceType());
    });
    const elsewhere = `<link rel="stylesheet" href="${address}"><img src="${address}"><iframe src="${address}"></iframe>
      <script>fetch('${address}'); fetch('${address}', { mode: 'no-cors' });</script>`;
    const forum = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html').end(elsewhere);
    }).listen(0, '127.0.0.1');
    await once(forum, 'listening');
    await page.goto(`http://localhost:${(forum.address() as AddressInfo).port}/`, {
      waitUntil: 'networkidle',
    });
    forum.close();
    expect([...asked]).to.include.members(['stylesheet', 'image', 'document', 'fetch']);
    expect(await scans()).to.deep.equal([]);
    await page.goto(address);
    expect(await scans()).to.have.length(1);
  });

  it('is a scan once a prefetched page is looked at', async () => {
    const page = await context.newPage();
    // As Chromium tells of a page that it took from its own prefetch, and not of one that was loaded again.
    await page.addInitScript(`if (sessionStorage.getItem('seen') === null) {
      sessionStorage.setItem('seen', 'yes');
      performance.getEntriesByType = () => [{ deliveryType: 'navigational-prefetch' }];
    }`);
    const address = `${stand.origin}/v/${unit.token}`;
    const prefetch = async (route: Route) =>
      route.continue({ headers: { ...route.request().headers(), purpose: 'prefetch' } });
    await page.route(address, prefetch, { times: 1 });
    await page.goto(address);
    await page.getByText('Checked 1 time').waitFor();
    expect(await scans()).to.have.length(1);
  });

  it('adds the position when the visitor presses the button, and not before', async () => {
    const { page, complaints } = await open();
    const nowhere = { country: null, place_source: null };
    expect(await scans()).to.deep.equal([{ ...nowhere, claimed_lat: null, claimed_lon: null }]);
    await page.getByRole('button', { name: 'Add my position' }).click();
    await page.getByText('Thank you. Your position was added.').waitFor();
    // A loopback address has no place to back it.
    expect(await scans()).to.deep.equal([{ ...nowhere, claimed_lat: 48.857, claimed_lon: 2.352 }]);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.getByRole('button', { name: 'Add my position' }).count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });
});
