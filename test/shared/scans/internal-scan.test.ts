import { expect } from 'chai';
import { rollUp } from '../../../shared/analytics/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { encodeId } from '../../../shared/ids.ts';
import { lockProfile } from '../../../shared/scans/decisions.ts';
import { MAX_FOLDED } from '../../../shared/scans/known-units.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [OFFICE, HOME, ABROAD] = ['203.0.113.7', '198.51.100.7', '192.0.2.9'] as const;
const HTML = 'text/html';

describe('scans from an organization’s own networks', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
    await ownNetworks(['203.0.113.0/24', '2001:db8:4::/48']);
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    await stand.score();
    unit = await stand.mintUnit();
  });

  const query = async <Row>(text: string, values: unknown[] = [unit.unitId]): Promise<Row[]> =>
    (await stand.database.pool.query(text, values)).rows as Row[];
  const ownNetworks = (networks: string[] | null, orgId = stand.orgId) =>
    query('update organizations set internal_networks = $2 where id = $1', [orgId, networks]);
  const visit = (ip: string, headers: Record<string, string> = {}) =>
    fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': ip, ...headers } });
  const verify = async (ip: string, headers: Record<string, string> = {}) => {
    const response = await visit(ip, headers);
    expect(response.status).to.equal(200);
    return (await response.json()) as any;
  };
  const scansOf = () =>
    query<Record<string, unknown>>(
      `select is_internal, assessment, scorings, result, risk_level, country, jsonb_array_length(signals) as signals
         from scans where unit_id = $1 order by id`,
    );
  const events = async (type = 'scan.recorded') =>
    (
      await query<{ data: Record<string, unknown> }>(
        `select data from events where type = $1 and data->>'serial' = $2 order by id`,
        [type, unit.serial],
      )
    ).map(({ data }) => data);
  const figures = async () => {
    await rollUp(stand.database.pool);
    const [from, to] = [-HOUR, HOUR].map((ms) => new Date(stand.now().getTime() + ms).toISOString());
    const product = encodeId('prod', unit.productId);
    const { body } = await stand.call(
      'GET',
      `/api/v1/analytics/summary?productId=${product}&from=${from}&to=${to}`,
    );
    return [body.scans, body.units.firstScanned];
  };

  it('are recorded and told of at once, and neither counted nor judged', async () => {
    stand.woken.length = 0;
    const answer = await verify(OFFICE);
    expect(answer).to.include({ result: 'genuine', assessment: 'final' });
    expect(answer.scan).to.include({
      count: 0,
      visitors: 0,
      firstScannedAt: null,
      country: 'JP',
      isInternal: true,
    });
    expect(await scansOf()).to.deep.equal([
      {
        is_internal: true,
        assessment: 'final',
        scorings: 1,
        result: 'genuine',
        risk_level: 'none',
        country: 'JP',
        signals: 0,
      },
    ]);
    const [told, ...others] = await events();
    expect(others).to.deep.equal([]);
    expect(told).to.include({ scanId: answer.scanId, result: 'genuine', country: 'JP', isInternal: true });
    expect(stand.woken).to.deep.equal(['fanOutEvents']);
    expect(await query('select from unit_risk_profiles where unit_id = $1')).to.deep.equal([]);
    expect(await stand.score()).to.equal(0);
    expect(await figures()).to.deep.equal([0, 0]);
    await verify(HOME);
    await stand.score();
    // The one from outside alone.
    expect(await figures()).to.deep.equal([1, 1]);
    expect((await events()).map(({ isInternal }) => isInternal)).to.deep.equal([true, false]);
  });

  it('leave what others find as it is: their count, their first check and their verdicts', async () => {
    const first = await verify(HOME);
    await stand.score();
    stand.advance(MINUTE);
    // Nobody goes from Berlin to Tokyo in a minute.
    for (let i = 0; i < 3; i += 1) await verify(OFFICE);
    expect((await verify(OFFICE)).scan).to.include({ count: 1, firstScannedAt: first.scan.at });
    stand.advance(MINUTE);
    const again = await verify('198.51.100.8');
    expect(again).to.deep.include({ result: 'genuine', risk: { level: 'none', signals: [] } });
    expect(again.scan).to.include({ count: 2, isInternal: false });
    await stand.score();
    expect(await events('suspicious_scan.detected')).to.deep.equal([]);
    expect((await scansOf()).map(({ risk_level: level }) => level)).to.deep.equal(Array(6).fill('none'));
    const [stored] = await query<{ state: string; visitors: number }>(
      `select state, (profile->>'visitors')::int as visitors from unit_risk_profiles where unit_id = $1`,
    );
    expect(stored).to.deep.equal({ state: 'clear', visitors: 1 });
  });

  it('are no part of the history by which a scan that comes late is judged', async () => {
    await verify(HOME);
    await stand.score();
    stand.advance(MINUTE);
    await verify(OFFICE);
    stand.advance(MINUTE);
    await verify('198.51.200.7');
    await stand.score();
    // As where a visitor's position came.
    await query(`update scans set assessment = 'preliminary' where unit_id = $1 and not is_internal`);
    await query(
      `update unit_risk_profiles set unscored_since = now(),
              unscored_from = (select min(id::text)::uuid from scans where unit_id = $1) where unit_id = $1`,
    );
    expect(await stand.score()).to.equal(2);
    expect((await scansOf()).map(({ scorings, risk_level: level }) => [scorings, level])).to.deep.equal([
      [2, 'none'],
      [1, 'none'],
      [2, 'none'],
    ]);
    const [stored] = await query<{ visitors: number }>(
      `select (profile->>'visitors')::int as visitors from unit_risk_profiles where unit_id = $1`,
    );
    expect(stored!.visitors).to.equal(2);
  });

  it('are no part of what waits to be scored', async () => {
    await verify(HOME);
    stand.advance(MINUTE);
    await verify(OFFICE);
    stand.advance(MINUTE);
    // Judged with the first, which waits, and without the second.
    const third = await verify('198.51.200.7');
    expect(third).to.deep.include({ result: 'genuine', risk: { level: 'none', signals: [] } });
    expect(third.scan).to.include({ count: 2, visitors: 2 });
  });

  it('take no place of those that wait to be scored, however many they are', async () => {
    await verify(HOME);
    for (let made = 0; made < MAX_FOLDED; made += 1) await verify(OFFICE);
    expect((await verify('198.51.200.7')).scan).to.include({ count: 2, visitors: 2 });
  });

  it('are told what everybody is told of the unit', async () => {
    await query(`update product_units set status = 'suspended' where id = $1`);
    expect(await verify(OFFICE)).to.include({ result: 'suspended' });
    expect((await scansOf())[0]).to.include({ result: 'suspended', is_internal: true });
    const recalled = await stand.call(
      'POST',
      `/api/v1/product-units/${encodeId('unit', unit.unitId)}/recall`,
      {
        reason: 'Test',
      },
    );
    expect(recalled.status).to.equal(200);
    expect(await verify(OFFICE)).to.include({ result: 'recalled' });
  });

  it('do not wait for scoring that holds the unit', async () => {
    await verify(HOME);
    await withTransaction(stand.database.pool, async ({ db }) => {
      await lockProfile(db, unit.unitId);
      expect((await verify(OFFICE)).scan.isInternal).to.equal(true);
    });
    expect(await stand.score()).to.equal(1);
  });

  it('are one while the visitor looks again, and take no position', async () => {
    const page = await visit(OFFICE, { accept: HTML });
    const text = await page.text();
    expect(text).to.include('This check was made from a network of the brand’s own and is not counted.');
    expect(text).not.to.include('Checked');
    expect(text).not.to.include('data-nonce');
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
    const again = await verify(OFFICE, { cookie });
    expect(again.scan).to.include({ isInternal: true, count: 0, visitors: 0 });
    expect(await (await visit(OFFICE, { accept: HTML, cookie })).text()).not.to.include('data-nonce');
    expect(await scansOf()).to.have.length(1);
    await verify(HOME);
    const counted = await (await visit(OFFICE, { accept: HTML })).text();
    expect(counted).to.include('Checked 1 time').and.include('First check').and.include('is not counted');
    expect(await (await visit(HOME, { accept: HTML })).text()).not.to.include('is not counted');
  });

  it('come from networks of IPv6, too, and from IPv4 within it', async () => {
    for (const [ip, inside] of [
      ['2001:db8:4:1::9', true],
      ['2001:db8:5::9', false],
      ['::ffff:203.0.113.9', true],
      ['203.0.114.1', false],
    ] as const) {
      expect((await verify(ip)).scan.isInternal, ip).to.equal(inside);
    }
  });

  it('come from the networks of the unit’s organization, not of another', async () => {
    const other = '0190a000-0000-7000-8000-000000000001';
    await query(`insert into organizations (id, name) values ($1, 'Other')`, [other]);
    await ownNetworks(['192.0.2.0/24'], other);
    expect((await verify(ABROAD)).scan.isInternal).to.equal(false);
  });

  it('stay what they were when the networks change', async () => {
    await verify(OFFICE);
    await ownNetworks(null);
    try {
      expect((await verify(OFFICE)).scan).to.include({ isInternal: false, count: 1 });
    } finally {
      await ownNetworks(['203.0.113.0/24', '2001:db8:4::/48']);
    }
    expect((await scansOf()).map(({ is_internal: internal }) => internal)).to.deep.equal([true, false]);
  });

  it('are listed with the others, or without, or alone', async () => {
    await verify(OFFICE);
    await verify(HOME);
    await stand.score();
    const list = async (narrowed: string) => {
      const { body } = await stand.call(
        'GET',
        `/api/v1/scans?unitId=${encodeId('unit', unit.unitId)}${narrowed}`,
      );
      return body.data.map((scan: { isInternal: boolean }) => scan.isInternal);
    };
    expect(await list('')).to.deep.equal([false, true]);
    expect(await list('&isInternal=true')).to.deep.equal([true]);
    expect(await list('&isInternal=false')).to.deep.equal([false]);
    const timeline = await stand.call(
      'GET',
      `/api/v1/product-units/${encodeId('unit', unit.unitId)}/timeline?type=scanned`,
    );
    expect(timeline.body.data.map((entry: any) => entry.isInternal)).to.deep.equal([false, true]);
  });
});
