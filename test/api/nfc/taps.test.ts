import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { createTag } from '../../support/nfc-tag.ts';
import { openAddress } from '../../support/open-address.ts';
import { newCookie, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const [BERLIN, STREET, TOKYO, OSAKA] = ['198.51.100.7', '198.51.0.7', '203.0.113.5', '203.0.1.5'];

describe('a tap of a package’s NFC tag', () => {
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

  const open = async (
    query: string,
    ip = BERLIN,
    headers: Record<string, string> = {},
    path = `/v/${unit.token}`,
  ) => {
    const { status, text } = await openAddress(`${stand.origin}${path}?${query}`, ip, headers);
    const body: any = JSON.parse(text);
    return { status, body, tap: body.nfcTap, scanId: body.scanId as string };
  };
  const scanOf = async (scanId: string) => (await stand.call('GET', `/api/v1/scans/${scanId}`)).body;
  const setNetworks = (networks: string[] | null) =>
    stand.database.pool.query('update organizations set internal_networks = $2 where id = $1', [
      stand.orgId,
      networks,
    ]);
  const replayedAt = async (): Promise<Date | null> =>
    (
      await stand.database.pool.query(
        'select nfc_tap_replayed_at from unit_risk_profiles where unit_id = $1',
        [unit.unitId],
      )
    ).rows[0].nfc_tap_replayed_at;
  const fresh = (counter: number) => ({ outcome: 'fresh', counter, staleSince: null });
  const invalid = { outcome: 'invalid', counter: null, staleSince: null };

  it('is asked for by the verification of a unit whose package has a tag, and of no other', async () => {
    expect((await open('')).body).to.include({ hasNfcTag: true, nfcTap: null });
    const other = await stand.mintUnit();
    const told = await open(other.tag.tap(), BERLIN, {}, `/v/${other.token}`);
    expect(told.body).to.include({ hasNfcTag: false, nfcTap: null, result: 'genuine' });
    expect((await open(unit.tag.tap(), BERLIN, {}, '/v/NOSUCHCODE')).body).to.include({
      result: 'unknown',
      hasNfcTag: false,
      nfcTap: null,
    });
  });

  it('is fresh as often as the tag is tapped, encrypted or in plain, and stays the scan’s', async () => {
    const first = await open(unit.tag.tap());
    expect(first.status).to.equal(200);
    expect(first.tap).to.deep.equal(fresh(1));
    expect((await open(unit.tag.tapInPlain(), TOKYO)).tap).to.deep.equal(fresh(2));
    expect((await open(`lang=de&${unit.tag.tap()}&utm_source=x`)).tap).to.deep.equal(fresh(3));
    expect(await scanOf(first.scanId)).to.include({ nfcTap: 'fresh', result: 'genuine' });
  });

  it('is replayed where somebody else comes with it, and says since when', async () => {
    const tap = unit.tag.tap();
    await open(tap);
    const usedAt = stand.now().toISOString();
    stand.advance(DAY);
    await open(unit.tag.tap());
    stand.advance(DAY);
    const again = await open(tap, TOKYO);
    expect(again.tap).to.deep.equal({ outcome: 'replayed', counter: 1, staleSince: usedAt });
    expect(await scanOf(again.scanId)).to.include({ nfcTap: 'replayed', result: 'genuine' });
  });

  it('is replayed where a later one was seen, though nobody came with it itself', async () => {
    const kept = unit.tag.tap();
    await open(unit.tag.tap());
    const overtakenAt = stand.now().toISOString();
    stand.advance(DAY);
    const told = { outcome: 'replayed', counter: 1, staleSince: overtakenAt };
    expect((await open(kept, TOKYO)).tap).to.deep.equal(told);
    expect((await open(kept, OSAKA)).tap).to.deep.equal(told);
  });

  it('stays the visitor’s own: by the cookie for ever, without one for some minutes', async () => {
    const [tap, cookie] = [unit.tag.tap(), newCookie()];
    await open(tap, BERLIN, { cookie });
    await open(unit.tag.tap(), TOKYO);
    stand.advance(DAY);
    expect((await open(tap, OSAKA, { cookie })).tap).to.deep.equal(fresh(1));
    const bare = unit.tag.tap();
    await open(bare, BERLIN, { 'user-agent': 'one' });
    stand.advance(9 * MINUTE);
    expect((await open(bare, BERLIN, { 'user-agent': 'one' })).tap).to.deep.equal(fresh(3));
    expect((await open(bare, BERLIN, { 'user-agent': 'two' })).tap).to.include({ outcome: 'replayed' });
    stand.advance(20 * MINUTE);
    expect((await open(bare, BERLIN, { 'user-agent': 'one' })).tap).to.include({ outcome: 'replayed' });
  });

  it('is no replay where the same visitor’s later tap came first', async () => {
    const cookie = newCookie();
    const [early, late] = [unit.tag.tap(), unit.tag.tap()];
    expect((await open(late, BERLIN, { cookie })).tap).to.deep.equal(fresh(2));
    expect((await open(early, BERLIN, { cookie })).tap).to.deep.equal(fresh(1));
  });

  it('is replayed where a later one came from the same network, but a moment ago from the same browser', async () => {
    const [kept, early, late] = [unit.tag.tap(), unit.tag.tap(), unit.tag.tap()];
    const phone = { 'user-agent': 'one' };
    await open(late, BERLIN, phone);
    const overtakenAt = stand.now().toISOString();
    stand.advance(MINUTE);
    expect((await open(early, BERLIN, phone)).tap).to.deep.equal(fresh(2));
    stand.advance(DAY);
    for (const cookie of [newCookie(), newCookie()])
      expect((await open(kept, BERLIN, { ...phone, cookie })).tap).to.deep.equal({
        outcome: 'replayed',
        counter: 1,
        staleSince: overtakenAt,
      });
  });

  it('is one visitor’s of two who come with it at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tap = unit.tag.tap();
      const told = await Promise.all([BERLIN, TOKYO].map((ip) => open(tap, ip)));
      expect(new Set(told.map((each) => each.tap.outcome))).to.deep.equal(new Set(['fresh', 'replayed']));
      stand.advance(DAY);
    }
  });

  it('is invalid where another tag signed it, nobody did, or it is no tap at all; that moves nothing', async () => {
    const stranger = createTag(Buffer.alloc(16, 9));
    const other = await stand.mintUnit({ nfcTag: true });
    for (const [n, query] of [
      stranger.tap(),
      other.tag.tap(),
      `picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`,
      'cmac=1',
      'cmac=1&cmac=2',
      'cmac=',
    ].entries()) {
      const told = await open(query, `203.0.${n}.9`);
      expect(told.tap, query).to.deep.equal(invalid);
      expect(await scanOf(told.scanId)).to.include({ nfcTap: 'invalid' });
    }
    await stand.score();
    expect((await open(unit.tag.tap())).body).to.deep.include({ result: 'genuine', nfcTap: fresh(1) });
    expect(await replayedAt()).to.equal(null);
  });

  it('is told of the best of a visit’s taps', async () => {
    const cookie = newCookie();
    const { scanId } = await open('cmac=0', BERLIN, { cookie });
    const copied = unit.tag.tap();
    await open(copied, TOKYO);
    for (const [query, best] of [
      [copied, 'replayed'],
      [unit.tag.tap(), 'fresh'],
      [copied, 'fresh'],
      ['cmac=0', 'fresh'],
    ] as const) {
      expect((await open(query, BERLIN, { cookie })).scanId).to.equal(scanId);
      expect(await scanOf(scanId)).to.include({ nfcTap: best });
    }
  });

  it('is checked and not noted before the unit is on sale, and from the organization’s own networks', async () => {
    unit = await stand.mintUnit({ nfcTag: true, status: 'minted' });
    const tap = unit.tag.tap();
    for (const ip of [BERLIN, TOKYO])
      expect((await open(tap, ip)).body).to.deep.include({ result: 'inactive', nfcTap: fresh(1) });
    await stand.call('POST', `/api/v1/product-units/${encodeId('unit', unit.unitId)}/activate`);
    await setNetworks(['198.51.100.0/24']);
    for (let n = 0; n < 2; n += 1) {
      const told = await open(tap, BERLIN);
      expect(told.tap).to.deep.equal(fresh(1));
      expect(await scanOf(told.scanId)).to.include({ isInternal: true, nfcTap: null });
      const wrong = await open('cmac=0', BERLIN);
      expect(wrong.tap).to.deep.equal(invalid);
      expect(await scanOf(wrong.scanId)).to.include({ nfcTap: null });
    }
    await setNetworks(null);
    expect((await open(tap, BERLIN)).tap).to.deep.equal(fresh(1));
    expect((await open(tap, TOKYO)).tap).to.include({ outcome: 'replayed' });
  });

  it('is nothing for whoever looks at nothing: previews and prefetches use none up', async () => {
    const tap = unit.tag.tap();
    const preview = await open(tap, TOKYO, { 'user-agent': 'WhatsApp/2.2' });
    expect(preview.body).to.include({ hasNfcTag: true, nfcTap: null, scanId: null });
    expect((await open(tap, OSAKA, { 'sec-purpose': 'prefetch' })).tap).to.equal(null);
    expect((await open(tap)).tap).to.deep.equal(fresh(1));
  });

  it('is told at the GS1 Digital Link of the unit as well', async () => {
    unit = await stand.mintUnit({ nfcTag: true, gtin: '09506000134352', lot: 'L1' });
    const cookie = newCookie();
    for (const [path, counter] of [
      [`/01/09506000134352/21/${unit.serial}`, 1],
      [`/01/09506000134352/10/L1/21/${unit.serial}`, 2],
    ] as const)
      expect((await open(unit.tag.tap(), BERLIN, { cookie }, path)).tap).to.deep.equal(fresh(counter));
    // Of an address without a tap programs are told none, whatever came before.
    const plain = await open('', BERLIN, { cookie }, `/01/09506000134352/21/${unit.serial}`);
    expect(plain.body).to.include({ hasNfcTag: true, nfcTap: null });
    await stand.database.pool.query("update product_units set token_key = 'gone' where id = $1", [
      unit.unitId,
    ]);
    const orphan = await open(unit.tag.tap(), BERLIN, {}, `/01/09506000134352/21/${unit.serial}`);
    expect(orphan.body).to.include({ nfcTap: null, result: 'genuine' });
  });

  describe('that visitor after visitor replays', () => {
    const replay = async (tap: string, ips: string[], headers = {}) => {
      let scanId = '';
      for (const ip of ips) {
        stand.advance(3 * DAY);
        ({ scanId } = await open(tap, ip, headers));
      }
      await stand.score();
      return scanId;
    };
    const THREE = ['203.0.2.5', '203.0.3.5', '203.0.4.5'];
    const reasonsOf = async (scanId: string) =>
      (await scanOf(scanId)).risk.signals.map(({ reason }: { reason?: string }) => reason);

    it('makes the unit suspicious from the fourth on, with a case', async () => {
      const tap = unit.tag.tap();
      await open(tap);
      const third = await replay(tap, THREE, tapped);
      expect(await replayedAt()).to.equal(null);
      expect(await reasonsOf(third)).not.to.include('nfc-tap');
      const fourth = await replay(tap, ['203.0.5.5'], tapped);
      expect(await replayedAt()).to.deep.equal(stand.now());
      expect(await scanOf(fourth)).to.include({ result: 'suspicious', nfcTap: 'replayed' });
      expect(await reasonsOf(fourth)).to.include('nfc-tap');
      // The original is told so beside it.
      const owner = await open(unit.tag.tap(), STREET);
      expect(owner.body).to.deep.include({ result: 'suspicious', nfcTap: fresh(2) });
      const { body } = await stand.call('GET', '/api/v1/risk-cases');
      expect(body.data.map((each: any) => each.productUnitId)).to.include(encodeId('unit', unit.unitId));
    });

    it('is forgiven by a person who finds no copy, until as many have come again', async () => {
      const tap = unit.tag.tap();
      await open(tap);
      await replay(tap, [...THREE, '203.0.5.5']);
      const { body } = await stand.call('GET', '/api/v1/risk-cases');
      const found = body.data.find((each: any) => each.productUnitId === encodeId('unit', unit.unitId));
      stand.advance(MINUTE);
      const dismissed = { status: 'dismissed', closingReason: 'shop_display' };
      expect((await stand.call('PATCH', `/api/v1/risk-cases/${found.id}`, dismissed)).status).to.equal(200);
      stand.advance(MINUTE);
      expect((await open(unit.tag.tap(), STREET)).body.result).to.equal('genuine');
      const third = await replay(tap, ['192.0.2.5', '192.0.3.5', '192.0.4.5']);
      expect(await reasonsOf(third)).not.to.include('nfc-tap');
      const fourth = await replay(tap, ['192.0.5.5']);
      expect(await reasonsOf(fourth)).to.include('nfc-tap');
    });

    const linked = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const tapped = { ...linked, 'sec-fetch-site': 'none' };

    it('is nobody’s fault where they came by a link of another site', async () => {
      const tap = unit.tag.tap();
      await open(tap);
      // Also of those who load the page again.
      for (const ip of THREE) {
        const cookie = newCookie();
        await open(tap, ip, { ...linked, cookie });
        await open(tap, ip, { cookie });
      }
      const last = await replay(tap, [...THREE, '203.0.5.5', '203.0.6.5'], linked);
      expect(await scanOf(last)).to.include({ nfcTap: 'replayed' });
      expect(await replayedAt()).to.equal(null);
      await replay(tap, ['203.0.7.5', '203.0.8.5', '203.0.9.5'], {
        ...linked,
        'sec-fetch-site': 'same-site',
      });
      await replay(tap, ['203.0.10.5']);
      expect(await replayedAt()).to.equal(null);
    });

    it('is one visitor who does so without end, or a whole network', async () => {
      const tap = unit.tag.tap();
      await open(tap);
      await replay(
        tap,
        Array.from({ length: 5 }, (_, n) => `203.0.113.${n + 1}`),
      );
      expect(await replayedAt()).to.equal(null);
    });

    it('is one visitor also between the many who tap a display, and those who come by a link', async () => {
      let counter = 1000;
      const manyTap = async () => {
        await stand.database.pool.query(
          `insert into nfc_taps (scan_id, counter, org_id, unit_id, at, visitor, stale_since, is_linked)
           select uuidv7(), $4 + n, $1, $2, $3::timestamptz, $4 + n, case when is_linked then $3::timestamptz end, is_linked
             from generate_series(1, 150) n, (values (false), (true)) as kinds (is_linked)`,
          [stand.orgId, unit.unitId, stand.now(), counter],
        );
        counter += 150;
      };
      const tap = unit.tag.tap();
      for (let n = 0; n < 6; n += 1) {
        await manyTap();
        await replay(tap, [TOKYO]);
      }
      expect(await replayedAt()).to.equal(null);
    });

    it('is one visitor also behind another who did so without end', async () => {
      const tap = unit.tag.tap();
      await open(tap);
      await stand.database.pool.query(
        `insert into nfc_taps (scan_id, counter, org_id, unit_id, at, visitor, stale_since, is_linked)
         select uuidv7(), 1, $1, $2, $3, 2, $3, false from generate_series(1, 150)`,
        [stand.orgId, unit.unitId, stand.now()],
      );
      for (let n = 0; n < 4; n += 1) await replay(tap, [TOKYO]);
      expect(await replayedAt()).to.equal(null);
    });

    it('takes as many as the policy says', async () => {
      await stand.call('PUT', `/api/v1/risk-policies?productId=${encodeId('prod', unit.productId)}`, {
        policy: { clone: { nfcReplayVisitors: 2 } },
      });
      const tap = unit.tag.tap();
      await open(tap);
      await replay(tap, ['203.0.2.5']);
      expect(await replayedAt()).to.equal(null);
      await replay(tap, ['203.0.3.5']);
      expect(await replayedAt()).to.be.an.instanceOf(Date);
    });

    it('is told with the next used tap where the policy takes fewer than have come', async () => {
      const tap = unit.tag.tap();
      await open(tap);
      await replay(tap, THREE);
      await stand.call('PUT', `/api/v1/risk-policies?productId=${encodeId('prod', unit.productId)}`, {
        policy: { clone: { nfcReplayVisitors: 2 } },
      });
      await replay(unit.tag.tap(), [STREET]);
      await replay(tap, [OSAKA], linked);
      expect(await replayedAt()).to.equal(null);
      await replay(tap, [THREE[0]!]);
      expect(await replayedAt()).to.deep.equal(stand.now());
    });
  });

  it('finds scans in lists by what it was', async () => {
    const tap = unit.tag.tap();
    const ids = [await open(tap), await open(tap, TOKYO), await open('cmac=0', OSAKA), await open('', OSAKA)];
    for (const [n, outcome] of ['fresh', 'replayed', 'invalid'].entries()) {
      const query = `unitId=${encodeId('unit', unit.unitId)}&nfcTap=${outcome}`;
      const { body } = await stand.call('GET', `/api/v1/scans?${query}`);
      expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([ids[n]!.scanId]);
    }
    expect((await stand.call('GET', '/api/v1/scans?nfcTap=old')).status).to.equal(422);
    const life = await stand.call(
      'GET',
      `/api/v1/product-units/${encodeId('unit', unit.unitId)}/timeline?type=scanned`,
    );
    expect(life.body.data.map(({ nfcTap }: { nfcTap: string | null }) => nfcTap)).to.have.members([
      'fresh',
      'replayed',
      'invalid',
      null,
    ]);
  });
});
