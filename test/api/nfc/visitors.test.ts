import { expect } from 'chai';
import { decodeId, encodeId } from '../../../shared/ids.ts';
import { openAddress } from '../../support/open-address.ts';
import { newCookie, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const [BERLIN, TOKYO, OSAKA] = ['198.51.100.7', '203.0.113.5', '203.0.1.5'];
const [PHONE, OTHER_PHONE] = [{ 'user-agent': 'one' }, { 'user-agent': 'two' }];

describe('who comes with a tap of an NFC tag', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit({ nfcTag: true });
  });

  const get = (query: string, ip: string, headers: Record<string, string> = {}) =>
    openAddress(`${stand.origin}/v/${unit.token}?${query}`, ip, headers);
  const open = async (query: string, ip: string, headers: Record<string, string> = {}) => {
    const { nfcTap: tap, scanId } = JSON.parse((await get(query, ip, headers)).text);
    return { tap, scanId: scanId as string };
  };
  /** What the page says of the tap. */
  const toldOnPage = async (query: string, cookie: string) => {
    const { text } = await get(query, BERLIN, { cookie, accept: 'text/html' });
    return /<section class="told (\w+)"/.exec(text)?.[1];
  };
  const deleteScan = (scanId: string) =>
    stand.database.pool.query('delete from scans where id = $1', [decodeId('scan', scanId)]);
  const fresh = (counter: number) => ({ outcome: 'fresh', counter, staleSince: null });

  it('is noted while the unit is suspended, too', async () => {
    const tap = unit.tag.tap();
    const path = `/api/v1/product-units/${encodeId('unit', unit.unitId)}/suspend`;
    expect((await stand.call('POST', path)).status).to.equal(200);
    expect((await open(tap, BERLIN)).tap).to.deep.equal(fresh(1));
    expect((await open(tap, TOKYO)).tap).to.include({ outcome: 'replayed' });
  });

  it('is the first of those who came within one moment', async () => {
    const tap = unit.tag.tap();
    await open(tap, BERLIN, PHONE);
    expect((await open(tap, TOKYO)).tap).to.include({ outcome: 'replayed' });
    expect((await open(tap, BERLIN, PHONE)).tap).to.deep.equal(fresh(1));
  });

  it('is somebody else where the scan of who came before is gone', async () => {
    const [early, late] = [unit.tag.tap(), unit.tag.tap()];
    await deleteScan((await open(late, BERLIN)).scanId);
    const staleSince = stand.now().toISOString();
    stand.advance(DAY);
    expect((await open(late, TOKYO)).tap).to.deep.equal({ outcome: 'replayed', counter: 2, staleSince });
    expect((await open(early, TOKYO)).tap).to.deep.equal({ outcome: 'replayed', counter: 1, staleSince });
  });

  it('is known by the cookie also by a later tap, on another day and in another network', async () => {
    const [early, late, cookie] = [unit.tag.tap(), unit.tag.tap(), newCookie()];
    await open(late, BERLIN, { cookie });
    stand.advance(DAY);
    expect((await open(early, OSAKA, { cookie })).tap).to.deep.equal(fresh(1));
  });

  it('is overtaken by another’s tap behind many of their own', async () => {
    const cookie = newCookie();
    const kept = unit.tag.tap();
    for (let n = 0; n < 20; n += 1) await open(unit.tag.tap(), BERLIN, { cookie });
    await open(unit.tag.tap(), TOKYO);
    const staleSince = stand.now().toISOString();
    stand.advance(3 * MINUTE);
    expect((await open(kept, BERLIN, { cookie })).tap).to.deep.equal({
      outcome: 'replayed',
      counter: 1,
      staleSince,
    });
  });

  it('is one too many with the scan that they had made a while before they came with a used tap', async () => {
    const [tap, cookie] = [unit.tag.tap(), newCookie()];
    await open(tap, BERLIN);
    for (const ip of ['203.0.2.5', '203.0.3.5', '203.0.4.5']) await open(tap, ip);
    const { scanId } = await open('', '203.0.5.5', { cookie });
    await stand.score();
    stand.advance(MINUTE);
    expect((await open(tap, '203.0.5.5', { cookie })).scanId).to.equal(scanId);
    await stand.score();
    const { body } = await stand.call('GET', `/api/v1/scans/${scanId}`);
    expect(body).to.include({ result: 'suspicious', nfcTap: 'replayed' });
    expect(body.risk.signals.map(({ reason }: { reason?: string }) => reason)).to.include('nfc-tap');
  });

  it('is known by network and browser also by a later tap, up to ten minutes', async () => {
    const taps = Array.from({ length: 5 }, () => unit.tag.tap());
    const [early, again, tooLate, others, late] = taps as [string, string, string, string, string];
    await open(late, BERLIN, PHONE);
    stand.advance(10 * MINUTE - 1);
    expect((await open(early, BERLIN, PHONE)).tap).to.deep.equal(fresh(1));
    expect((await open(late, BERLIN, PHONE)).tap).to.deep.equal(fresh(5));
    expect((await open(others, BERLIN, OTHER_PHONE)).tap).to.include({ outcome: 'replayed', counter: 4 });
    expect((await open(again, TOKYO, PHONE)).tap).to.include({ outcome: 'replayed', counter: 2 });
    stand.advance(1);
    expect((await open(tooLate, BERLIN, PHONE)).tap).to.include({ outcome: 'replayed', counter: 3 });
    expect((await open(late, BERLIN, PHONE)).tap).to.include({ outcome: 'replayed', counter: 5 });
  });

  it('hands no tap on within a network, from one who keeps no cookies to the next with the same browser', async () => {
    const tap = unit.tag.tap();
    expect((await open(tap, BERLIN, PHONE)).tap).to.deep.equal(fresh(1));
    stand.advance(9 * MINUTE);
    expect((await open(tap, BERLIN, PHONE)).tap).to.deep.equal(fresh(1));
    stand.advance(9 * MINUTE);
    expect((await open(tap, BERLIN, PHONE)).tap).to.include({ outcome: 'replayed' });
  });

  it('replays nothing where somebody tapped behind and was sooner on the air', async () => {
    const [slow, slower, quick] = [unit.tag.tap(), unit.tag.tap(), unit.tag.tap()];
    expect((await open(quick, TOKYO)).tap).to.deep.equal(fresh(3));
    stand.advance(MINUTE);
    expect((await open(slow, BERLIN)).tap).to.deep.equal(fresh(1));
    stand.advance(MINUTE);
    expect((await open(slower, BERLIN)).tap).to.include({ outcome: 'replayed', counter: 2 });
  });

  it('is told in another language, too, that a tap is not the tag’s, whatever came before', async () => {
    const cookie = newCookie();
    expect(await toldOnPage(unit.tag.tap(), cookie)).to.equal('fresh');
    const wrong = `picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`;
    for (const [query, kept] of [
      [`utm_source=box&${wrong}`, wrong],
      ['cmac=%22%3E&uid[]=1', 'cmac=%22%3E'],
    ] as const) {
      expect(await toldOnPage(query, cookie)).to.equal('invalid');
      const { text } = await get(query, BERLIN, { cookie, accept: 'text/html' });
      expect(text).to.include(`href="?${kept.replace('&', '&amp;')}&amp;lang=de"`);
      expect(await toldOnPage(`${kept}&lang=de`, cookie)).to.equal('invalid');
    }
    const { text } = await get(unit.tag.tap(), BERLIN, { cookie, accept: 'text/html' });
    expect(text).to.include('href="?lang=de"');
  });

  it('is told on the page without a tap what the last one said, be it an older of the tag’s', async () => {
    const [copied, cookie] = [unit.tag.tap(), newCookie()];
    await open(copied, TOKYO);
    stand.advance(1000);
    expect(await toldOnPage(unit.tag.tap(), cookie)).to.equal('fresh');
    expect(await toldOnPage('', cookie)).to.equal('fresh');
    stand.advance(1000);
    expect(await toldOnPage(copied, cookie)).to.equal('replayed');
    expect(await toldOnPage('', cookie)).to.equal('replayed');
    stand.advance(1000);
    expect(await toldOnPage(unit.tag.tap(), cookie)).to.equal('fresh');
    expect(await toldOnPage('lang=de', cookie)).to.equal('fresh');
  });
});
