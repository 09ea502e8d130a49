import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { applyRetention } from '../../../shared/scans/retention.ts';
import { newCookie, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;
const [HOME, STREET, SHOP] = ['198.51.100.7', '198.51.0.7', '203.0.113.5'];

describe('the visitors who enter a hidden code', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit({ hiddenCode: true });
  });

  const enter = async (
    ip: string,
    cookie: string | null = null,
    { hiddenCode = unit.hiddenCode, thenMs = DAY } = {},
  ) => {
    const response = await fetch(`${stand.origin}/v/${unit.token}/hidden-code`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': ip,
        ...(cookie === null ? {} : { cookie }),
      },
      body: JSON.stringify({ hiddenCode }),
    });
    stand.advance(thenMs);
    return (await response.json()) as {
      scanId: string;
      outcome: string;
      visitors: number;
      firstEnteredAt: string | null;
    };
  };
  const reusedAt = async (): Promise<Date | null> =>
    (
      await stand.database.pool.query(
        'select hidden_code_reused_at from unit_risk_profiles where unit_id = $1',
        [unit.unitId],
      )
    ).rows[0].hidden_code_reused_at;
  /** As far as it goes: everything that was scanned is old. */
  const forget = (pseudonymDays: number) =>
    applyRetention(
      { db: stand.database.pool, clock: { now: () => new Date(stand.now().getTime() + 400 * DAY) } },
      { addressDays: 30, pseudonymDays },
    );

  it('are as many when their sessions are forgotten, and their networks: one with two networks brands no unit a copy', async () => {
    for (const pseudonymDays of [100_000, 30]) {
      unit = await stand.mintUnit({ hiddenCode: true });
      const cookie = newCookie();
      await enter(HOME, cookie);
      expect(await enter(STREET, cookie)).to.deep.include({ outcome: 'first', visitors: 1 });
      await enter(HOME, cookie);
      await forget(pseudonymDays);
      expect(await enter(SHOP)).to.deep.include({ outcome: 'repeated', visitors: 2 });
      expect(await reusedAt()).to.equal(null);
    }
  });

  it('are told apart also behind one who entered it without end', async () => {
    await enter(HOME);
    await enter(STREET);
    for (let n = 0; n < 101; n += 1) await enter(HOME);
    expect(await enter(STREET)).to.deep.include({ outcome: 'repeated', visitors: 2 });
    expect(await enter(SHOP)).to.deep.include({ outcome: 'repeated', visitors: 3 });
    expect(await reusedAt()).to.equal(null);
    expect(await enter('192.0.2.9')).to.deep.include({ outcome: 'repeated', visitors: 4 });
    expect(await reusedAt()).to.be.an.instanceOf(Date);
  });

  it('are one where a session was in two networks: who is known by the second alone was first, too', async () => {
    const cookie = newCookie();
    await enter(HOME, cookie);
    await enter(STREET, cookie);
    expect(await enter(STREET)).to.deep.include({ outcome: 'first', visitors: 1 });
  });

  it('are known from the moment the unit is sold, though they looked at it a moment before', async () => {
    unit = await stand.mintUnit({ hiddenCode: true, status: 'minted' });
    const cookie = newCookie();
    const headers = { 'x-forwarded-for': SHOP, cookie };
    const looked: any = await (await fetch(`${stand.origin}/v/${unit.token}`, { headers })).json();
    expect(looked.result).to.equal('inactive');
    await stand.call('POST', `/api/v1/product-units/${encodeId('unit', unit.unitId)}/activate`);
    expect(await enter(SHOP, cookie)).to.deep.include({
      outcome: 'first',
      visitors: 1,
      scanId: looked.scanId,
    });
    expect(await enter(HOME)).to.deep.include({ outcome: 'repeated', visitors: 2 });
  });

  it('are the first of a network’s where one comes without a session', async () => {
    const guest = newCookie();
    await enter(HOME, newCookie());
    await enter(SHOP, guest);
    expect(await enter(HOME, guest)).to.deep.include({ outcome: 'repeated', visitors: 2 });
    expect(await enter(HOME)).to.deep.include({ outcome: 'first', visitors: 2 });
  });

  it('are one who mistyped it before, and was first when it was right', async () => {
    const cookie = newCookie();
    for (const own of [null, cookie]) {
      const wrong = await enter(HOME, own, { hiddenCode: '0000-0000', thenMs: 60_000 });
      expect(wrong).to.deep.include({ outcome: 'wrong', visitors: 0 });
    }
    const first = { outcome: 'first', visitors: 1, firstEnteredAt: stand.now().toISOString() };
    for (const thenMs of [60_000, DAY, DAY])
      expect(await enter(HOME, cookie, { thenMs })).to.deep.include(first);
    expect(await enter(HOME)).to.deep.include(first);
  });

  it('are in the order in which they entered it, also within one moment and of two who had looked the other way round', async () => {
    const [early, late] = [newCookie(), newCookie()];
    const at = { hiddenCode: '0000-0000', thenMs: 0 };
    const scanIds = [(await enter(HOME, early, at)).scanId, (await enter(SHOP, late, at)).scanId];
    expect(await enter(SHOP, late, { thenMs: 0 })).to.deep.include({ outcome: 'first' });
    expect(await enter(HOME, early, { thenMs: 0 })).to.deep.include({ outcome: 'repeated' });
    const path = `/api/v1/product-units/${encodeId('unit', unit.unitId)}/timeline?type=hidden_code_entered`;
    const { body } = await stand.call('GET', path);
    expect(body.data.map(({ scanId }: { scanId: string }) => scanId)).to.deep.equal(scanIds);
  });

  it('are too many with the scan of the last, also where that was made a while before the code was typed', async () => {
    for (const ip of [HOME, STREET, '198.51.1.7']) await enter(ip, null, { thenMs: 0 });
    const cookie = newCookie();
    const last = '198.51.2.7';
    const { scanId } = await enter(last, cookie, { hiddenCode: '0000-0000', thenMs: 60_000 });
    await stand.score();
    expect(await enter(last, cookie)).to.deep.include({ scanId, visitors: 4 });
    await stand.score();
    const { body: scan } = await stand.call('GET', `/api/v1/scans/${scanId}`);
    expect(scan).to.include({ result: 'suspicious' });
    expect(scan.risk.signals.map(({ reason }: { reason: string }) => reason)).to.include('hidden-code');
    // Counted as what it is by now, and no longer as what it was.
    const { rows } = await stand.database.pool.query(
      `select result, sum(amount)::integer as scans from analytics_deltas
        where product_id = $1 and kind = 'scan' group by result order by result`,
      [unit.productId],
    );
    expect(rows).to.deep.equal([
      { result: 'genuine', scans: 3 },
      { result: 'suspicious', scans: 1 },
    ]);
  });

  it('are noted while the unit is suspended, too', async () => {
    const path = `/api/v1/product-units/${encodeId('unit', unit.unitId)}/suspend`;
    expect((await stand.call('POST', path)).status).to.equal(200);
    expect(await enter(HOME)).to.deep.include({ outcome: 'first', visitors: 1 });
    expect(await enter(SHOP)).to.deep.include({ outcome: 'repeated', visitors: 2 });
  });

  it('are told nothing of a code that no key tells any more: its unit is still found by a GS1 Digital Link', async () => {
    unit = await stand.mintUnit({ hiddenCode: true, gtin: '09506000134352' });
    await stand.database.pool.query("update product_units set token_key = 'gone' where id = $1", [
      unit.unitId,
    ]);
    const response = await fetch(`${stand.origin}/01/09506000134352/21/${unit.serial}/hidden-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hiddenCode: unit.hiddenCode }),
    });
    expect(response.status).to.equal(409);
  });

  it('are nobody while the unit was never on sale, recalled as it may be', async () => {
    unit = await stand.mintUnit({ hiddenCode: true, status: 'minted' });
    const recall = await stand.call('POST', `/api/v1/product-units/${encodeId('unit', unit.unitId)}/recall`, {
      reason: 'Glass in it',
    });
    expect(recall.status).to.equal(200);
    expect(await enter(SHOP)).to.deep.include({ outcome: 'first', visitors: 0 });
  });
});
