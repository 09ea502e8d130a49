import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { addPosition, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DE = '198.51.100.7';
const JP = '203.0.113.7';

interface Answer {
  scanId: string | null;
  result: string;
  scan: { count: number; visitors: number; at: string; country: string | null };
  risk: { level: string; signals: { type: string }[] };
}

describe('a look at a code', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    await stand.score();
    unit = await stand.mintUnit();
  });

  const look = (ip: string, headers: Record<string, string> = {}, token = unit.token) =>
    fetch(`${stand.origin}/v/${token}`, { headers: { 'x-forwarded-for': ip, ...headers } });
  const answer = async (...args: Parameters<typeof look>) => (await (await look(...args)).json()) as Answer;
  /** A page's visitor, whose further looks bring its cookie. */
  const cookieFrom = async (ip: string, token = unit.token) => {
    const response = await look(ip, { accept: 'text/html' }, token);
    await response.text();
    return response.headers.get('set-cookie')!.split(';')[0]!;
  };
  const scansOf = async ({ unitId }: MintedUnit) =>
    (await stand.database.pool.query('select id from scans where unit_id = $1', [unitId])).rows.length;

  it('by who previews its link says what is known of the unit, whatever is between that data centre and the shop', async () => {
    unit = await stand.mintUnit({ markets: ['DE'] });
    const first = await answer(JP, { 'user-agent': 'facebookexternalhit/1.1' });
    expect(first.scan).to.include({ count: 0, visitors: 0, firstScannedAt: null, country: null });
    await look(DE);
    await stand.score();
    stand.advance(1_000);
    const preview = await answer(JP, { 'user-agent': 'facebookexternalhit/1.1' });
    expect(preview).to.include({ result: 'genuine', scanId: null });
    expect(preview.risk).to.deep.equal({ level: 'none', signals: [] });
    expect(preview.scan).to.include({ count: 1, visitors: 1, country: null });

    for (const network of ['203.0.1', '192.0.1', '198.51.1', '203.0.2', '192.0.3']) {
      stand.advance(20 * 60_000);
      await look(`${network}.7`);
    }
    await stand.score();
    const page = await look(DE, { 'user-agent': 'facebookexternalhit/1.1', accept: 'text/html' });
    expect(await page.text()).to.match(/<title>Possibly copied/);
  });

  it('in a session that is known counts for its organization as one by somebody known, one from the same network alone does not', async () => {
    const counted = async () => {
      await stand.score();
      const { rows } = await stand.database.pool.query<{ looks: number; known: number }>(
        'select looks::integer, known::integer from organization_audiences where org_id = $1',
        [stand.orgId],
      );
      return rows[0] ?? { looks: 0, known: 0 };
    };
    const before = await counted();
    const cookie = await cookieFrom(DE);
    stand.advance(3_600_000);
    await look(DE);
    const byNetwork = await counted();
    expect(byNetwork).to.deep.equal({ looks: before.looks + 1, known: before.known });
    stand.advance(3_600_000);
    await look(JP, { cookie });
    expect(await counted()).to.deep.equal({ looks: byNetwork.looks, known: byNetwork.known + 1 });
  });

  it('by who previews its link is no new visitor of a package that was used up', async () => {
    await look(DE);
    await stand.score();
    const { status } = await stand.call(
      'POST',
      `/api/v1/product-units/${encodeId('unit', unit.unitId)}/consume`,
      {},
    );
    expect(status).to.equal(200);
    stand.advance(60_000);
    const preview = await answer(DE, { 'user-agent': 'WhatsApp/2.23' });
    expect(preview).to.include({ result: 'genuine', scanId: null });
    expect(preview.risk).to.deep.equal({ level: 'none', signals: [] });
  });

  it('again after the visit is a scan of the same visitor, wherever the browser is by then', async () => {
    const cookie = await cookieFrom(DE);
    stand.advance(30 * 60_000);
    const again = await answer(JP, { cookie });
    expect(again.scan).to.include({ count: 2, visitors: 1 });
    expect(again.risk).to.deep.equal({ level: 'none', signals: [] });
    await stand.score();
    // Whoever comes without it is somebody else.
    expect((await answer('192.0.2.7')).scan).to.include({ count: 3, visitors: 2 });
  });

  it('is kept under another pseudonym for each unit', async () => {
    const cookie = await cookieFrom(DE);
    const other = await stand.mintUnit();
    await look(DE, { cookie }, other.token);
    stand.advance(30 * 60_000);
    await look(DE, { cookie });
    const { rows } = await stand.database.pool.query<{ sessions: number }>(
      'select count(distinct session_id)::integer as sessions from scans where unit_id = any($1)',
      [[unit.unitId, other.unitId]],
    );
    expect(rows[0]!.sessions).to.equal(2);
  });

  it('again within the visit is the scan of before, with its time and place', async () => {
    const at = stand.now().toISOString();
    const cookie = await cookieFrom(DE);
    stand.advance(60_000);
    const again = await answer(JP, { cookie });
    expect(again.scan).to.include({ count: 1, visitors: 1, at, country: 'DE' });
  });

  it('again within the visit says no more than the first time of a unit that was seen at home before', async () => {
    unit = await stand.mintUnit({ markets: ['DE'] });
    stand.advance(-86_400_000);
    await look(DE);
    stand.resetClock();
    const cookie = await cookieFrom(JP);
    await stand.score();
    const { rows } = await stand.database.pool.query(
      'select signals[0] as signal from scans where unit_id = $1 order by id desc limit 1',
      [unit.unitId],
    );
    expect(rows[0].signal).to.include({ type: 'diversion', counted: false, reason: 'seen-inside' });
    expect(await answer(JP, { cookie })).to.include({ result: 'genuine' });
  });

  it('again within the visit is still of a diverted unit where a person found no copy', async () => {
    unit = await stand.mintUnit({ markets: ['JP'] });
    const cookie = await cookieFrom(DE);
    await stand.score();
    const { body: opened } = await stand.call('POST', '/api/v1/risk-cases', {
      productUnitId: encodeId('unit', unit.unitId),
    });
    stand.advance(1_000);
    const closed = await stand.call('PATCH', `/api/v1/risk-cases/${opened.id}`, {
      status: 'dismissed',
      closingReason: 'owner_scans',
    });
    expect(closed.status).to.equal(200);
    const again = await answer(DE, { cookie });
    expect(again).to.include({ result: 'diverted' });
    expect(again.risk.signals).to.have.length(1);
  });

  it('again within the visit tells of a diverted unit no sign of a copy once a person found none', async () => {
    // The visit is now, as the ids of scans are of the machine's time.
    stand.advance(-2 * 86_400_000);
    unit = await stand.mintUnit({ markets: ['JP'] });
    await look(DE);
    await stand.score();
    stand.resetClock();
    const cookie = await cookieFrom(DE.replace(/\d+\.\d+$/, '77.1'));
    await stand.score();
    const typesOf = async () => {
      const { result, risk } = await answer(DE, { cookie });
      return [result, ...risk.signals.map(({ type }: { type: string }) => type)];
    };
    expect(await typesOf()).to.deep.equal(['diverted', 'clone', 'diversion']);
    const { body: opened } = await stand.call('POST', '/api/v1/risk-cases', {
      productUnitId: encodeId('unit', unit.unitId),
    });
    stand.advance(1_000);
    await stand.call('PATCH', `/api/v1/risk-cases/${opened.id}`, {
      status: 'dismissed',
      closingReason: 'owner_scans',
    });
    expect(await typesOf()).to.deep.equal(['diverted', 'diversion']);
  });

  it('again within the visit says what a person decided since', async () => {
    await look(DE);
    stand.advance(30_000);
    const cookie = await cookieFrom(JP);
    await stand.score();
    const suspicious = await answer(JP, { cookie });
    expect(suspicious).to.include({ result: 'suspicious' });
    const { body } = await stand.call('GET', `/api/v1/risk-cases?unitId=${encodeId('unit', unit.unitId)}`);
    stand.advance(1_000);
    await stand.call('PATCH', `/api/v1/risk-cases/${body.data[0].id}`, {
      status: 'dismissed',
      closingReason: 'owner_scans',
    });
    const dismissed = await answer(JP, { cookie });
    expect(dismissed).to.include({ result: 'genuine', scanId: suspicious.scanId });
    expect(dismissed.risk).to.deep.equal({ level: 'none', signals: [] });
  });

  it('again within the visit gives a person’s finding as the reason, where its scans tell of none', async () => {
    const cookie = await cookieFrom(DE);
    await stand.score();
    const { body: opened } = await stand.call('POST', '/api/v1/risk-cases', {
      productUnitId: encodeId('unit', unit.unitId),
    });
    stand.advance(1_000);
    await stand.call('PATCH', `/api/v1/risk-cases/${opened.id}`, {
      status: 'confirmed',
      closingReason: 'stolen_code',
    });
    const confirmed = await answer(DE, { cookie });
    expect(confirmed).to.include({ result: 'suspicious' });
    expect(confirmed.scan).to.include({ count: 1, visitors: 1 });
    expect(confirmed.risk.level).to.equal('high');
    expect(confirmed.risk.signals).to.have.length(1);
    expect(confirmed.risk.signals[0]).to.include({ type: 'clone', reason: 'confirmed' });
    const page = await look(DE, { cookie, accept: 'text/html' });
    expect(await page.text())
      .to.include('The brand has looked into this code')
      .and.not.include('the way it has been scanned');
  });

  it('waits to be scored again since its visitor’s position came, not since it was made', async () => {
    const page = await (await look(DE, { accept: 'text/html' })).text();
    await stand.score();
    stand.advance(9 * 60_000);
    const added = await addPosition(stand, unit.token, page, { lat: 52.5, lon: 13.4, accuracyM: 20 });
    expect(added).to.equal(204);
    const { rows } = await stand.database.pool.query(
      'select unscored_since from unit_risk_profiles where unit_id = $1',
      [unit.unitId],
    );
    expect(rows).to.deep.equal([{ unscored_since: stand.now() }]);
  });

  it('is one scan, however many looks of a visit come at once', async () => {
    const cookie = await cookieFrom(DE);
    const next = await stand.mintUnit();
    await look(JP, {}, next.token);
    const answers = await Promise.all(Array.from({ length: 12 }, () => answer(DE, { cookie }, next.token)));
    expect(new Set(answers.map(({ scanId }) => scanId)).size).to.equal(1);
    expect(answers.map(({ scan }) => scan.count)).to.deep.equal(Array(12).fill(2));
    expect(await scansOf(next)).to.equal(2);
    // Without a cookie nobody knows that they are one visitor's.
    await Promise.all([answer(DE, {}, next.token), answer(DE, {}, next.token)]);
    expect(await scansOf(next)).to.equal(4);
  });

  it('is one scan wherever its looks are answered, and without Redis as well one for each process', async () => {
    const beside = await stand.serveBeside();
    const [cookie, another] = [await cookieFrom(DE), await cookieFrom(DE)];
    const lookAt = async (origin: string, { token }: MintedUnit, headers: Record<string, string>) => {
      const response = await fetch(`${origin}/v/${token}`, {
        headers: { 'x-forwarded-for': DE, ...headers },
      });
      return (await response.json()) as Answer;
    };
    const together = (next: MintedUnit, headers: Record<string, string>) =>
      Promise.all(
        Array.from({ length: 12 }, (_, i) => lookAt(i % 2 === 0 ? stand.origin : beside, next, headers)),
      );
    for (let round = 0; round < 5; round += 1) {
      const next = await stand.mintUnit();
      const answers = await together(next, { cookie });
      expect(new Set(answers.map(({ scanId }) => scanId)).size).to.equal(1);
      expect(answers.map(({ scan }) => scan.count)).to.deep.equal(Array(12).fill(1));
      expect(await scansOf(next)).to.equal(1);
    }
    // Two visitors wait for each other nowhere.
    const shared = await stand.mintUnit();
    await Promise.all([together(shared, { cookie }), together(shared, { cookie: another })]);
    expect(await scansOf(shared)).to.equal(2);
    expect(await stand.deps.redis.keys(`${stand.deps.config.QUEUE_PREFIX}:look:*`)).to.deep.equal([]);
    const set = stand.deps.redis.set;
    Object.assign(stand.deps.redis, { set: () => Promise.reject(new Error('Redis is away')) });
    try {
      const next = await stand.mintUnit();
      const answers = await together(next, { cookie });
      expect(answers.every(({ result }) => result === 'genuine')).to.equal(true);
      expect(await scansOf(next)).to.be.within(1, 2);
    } finally {
      Object.assign(stand.deps.redis, { set });
    }
  });

  it('again within the visit counts the scan that was stored after it was looked up', async () => {
    const cookie = await cookieFrom(DE);
    const next = await stand.mintUnit();
    await look(JP, {}, next.token);
    const { db: pool } = stand.deps;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    let [tellLookedUp, goOn] = [() => {}, () => {}];
    const isLookedUp = new Promise<void>((resolve) => (tellLookedUp = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    let lookUps = 0;
    Object.assign(pool, {
      query: async (...args: unknown[]) => {
        const rows = await query(...args);
        if ((args[0] as { name?: string }).name === 'find-units-by-codes' && ++lookUps === 1) {
          tellLookedUp();
          await mayGoOn;
        }
        return rows;
      },
    });
    try {
      const slow = answer(DE, { cookie }, next.token);
      await isLookedUp;
      const quick = await answer(DE, { cookie }, next.token);
      goOn();
      const { scanId, scan } = await slow;
      expect({ scanId, count: scan.count }).to.deep.equal({ scanId: quick.scanId, count: 2 });
    } finally {
      goOn();
      Object.assign(pool, { query });
    }
  });

  it('is answered where the look of the same visit before it could not be', async () => {
    const cookie = await cookieFrom(DE);
    const next = await stand.mintUnit();
    const { db: pool } = stand.deps;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    let inserts = 0;
    Object.assign(pool, {
      query: async (...args: unknown[]) => {
        if ((args[0] as { name?: string }).name === 'insert-scans' && ++inserts === 1)
          throw new Error('the first insert fails');
        return query(...args);
      },
    });
    try {
      const looks = await Promise.all([look(DE, { cookie }, next.token), look(DE, { cookie }, next.token)]);
      expect(looks.map(({ status }) => status)).to.have.members([500, 200]);
      expect(await scansOf(next)).to.equal(1);
    } finally {
      Object.assign(pool, { query });
    }
  });

  it('is judged by a scan that the worker scores between the look-ups', async () => {
    await look(DE);
    stand.advance(20_000);
    const { db: pool } = stand.deps;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
    let scored = 0;
    Object.assign(pool, {
      query: async (...args: unknown[]) => {
        if ((args[0] as { name?: string }).name === 'list-newest-unscored') scored += await stand.score();
        return query(...args);
      },
    });
    try {
      const copied = await answer(JP);
      expect(scored).to.equal(1);
      expect(copied).to.include({ result: 'suspicious' });
      expect(copied.scan).to.include({ visitors: 2 });
    } finally {
      Object.assign(pool, { query });
    }
  });
});
