import { expect } from 'chai';
import { encodeId } from '../../../shared/ids.ts';
import { destination } from '../../../shared/risk/geo.ts';
import { addPosition, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

describe('scoring in order', () => {
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

  const scan = (ip: string, headers: Record<string, string> = {}) =>
    fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': ip, ...headers } });
  const rows = async () =>
    (
      await stand.database.pool.query<{
        id: string;
        assessment: string;
        risk_level: string;
        risk_score: number;
        scorings: number;
      }>(
        'select id, assessment, risk_level, risk_score, scorings from scans where unit_id = $1 order by at',
        [unit.unitId],
      )
    ).rows;
  const eventsOf = async (type: string) =>
    (
      await stand.database.pool.query<{ data: Record<string, unknown> }>(
        `select data from events where type = $1 and data->>'serial' = $2 order by id`,
        [type, unit.serial],
      )
    ).rows.map((row) => row.data);
  const profile = async () =>
    (
      await stand.database.pool.query<{ state: string; scan_count: number; profile: { visitors: number } }>(
        'select state, scan_count, profile from unit_risk_profiles where unit_id = $1',
        [unit.unitId],
      )
    ).rows[0]!;
  /** Two visitors at a time on three continents, again and again: no single bottle does that. */
  const copies = async (visits = 6) => {
    const networks = ['198.51.100', '203.0.113', '192.0.2'];
    for (let i = 0; i < visits; i++) {
      await scan(`${networks[i % 3]!.replace(/\d+$/, String(10 + i))}.7`);
      stand.advance(20 * MINUTE);
    }
  };

  it('scores each scan once, also when two workers score at a time', async () => {
    for (let i = 0; i < 20; i++) await scan(`198.51.${i}.7`);
    const done = await Promise.all([stand.score(), stand.score(), stand.score()]);
    expect(done.reduce((a, b) => a + b)).to.equal(20);
    expect((await rows()).map(({ scorings }) => scorings)).to.deep.equal(Array(20).fill(1));
    expect(await eventsOf('scan.recorded')).to.have.length(20);
    expect(await stand.score()).to.equal(0);
    expect((await profile()).profile.visitors).to.equal(20);
  });

  it('finds copies far apart, and tells of each suspicious scan once', async () => {
    await copies();
    await stand.score();
    const suspicious = (await rows()).filter((row) => row.risk_level === 'high');
    expect(suspicious).not.to.be.empty;
    const alerts = await eventsOf('suspicious_scan.detected');
    expect(alerts).to.have.length(suspicious.length);
    expect(alerts[0]).to.have.property('heldBack', 0);
    expect((await profile()).state).to.equal('suspect');
  });

  it('names no signal among the reasons of an alert that added nothing to the score', async () => {
    for (const network of ['198.51.1', '203.0.1', '198.51.2', '203.0.2', '198.51.3', '203.0.3', '192.0.1']) {
      await scan(`${network}.7`);
      stand.advance(25 * MINUTE);
    }
    await stand.score();
    const { reasons, signals } = (await eventsOf('suspicious_scan.detected')).at(-1)!;
    const journey = (signals as { type: string }[]).find(({ type }) => type === 'impossible_travel');
    expect(journey).to.include({ weight: 0 });
    expect(reasons).to.deep.equal(['clone']);
  });

  it('takes a late scan for the unit’s first where it was that, and counts one first scan', async () => {
    stand.advance(30 * MINUTE);
    await scan('198.51.100.7');
    await stand.score();
    stand.advance(-30 * MINUTE);
    await scan('198.51.100.7');
    await stand.score();
    const { rows: profiles } = await stand.database.pool.query(
      'select first_scanned_at from unit_risk_profiles where unit_id = $1',
      [unit.unitId],
    );
    expect(profiles).to.deep.equal([{ first_scanned_at: stand.now() }]);
    const { rows: firsts } = await stand.database.pool.query(
      `select quarter, sum(amount)::int as amount from analytics_deltas where product_id = $1 and kind = 'first_scan'
        group by quarter having sum(amount) <> 0`,
      [unit.productId],
    );
    const quarter = new Date(Math.floor(stand.now().getTime() / QUARTER) * QUARTER);
    expect(firsts).to.deep.equal([{ quarter, amount: 1 }]);
  });

  it('gives a late scan the answer that it would have had in order', async () => {
    await scan('198.51.100.7');
    stand.advance(30 * MINUTE);
    await scan('203.0.113.7');
    stand.advance(30 * MINUTE);
    await scan('192.0.2.7');
    await stand.score();
    const inOrder = (await rows()).map((row) => row.risk_score);

    // The same story, with the scan of the middle arriving after the others were scored.
    unit = await stand.mintUnit();
    stand.resetClock();
    await scan('198.51.100.7');
    stand.advance(60 * MINUTE);
    await scan('192.0.2.7');
    await stand.score();
    stand.advance(-30 * MINUTE);
    await scan('203.0.113.7');
    await stand.score();
    const { rows: late } = await stand.database.pool.query<{ risk_score: number; scorings: number }>(
      `select risk_score, scorings from scans where unit_id = $1 and host(ip) = '203.0.113.7'`,
      [unit.unitId],
    );
    expect(late).to.deep.equal([{ risk_score: inOrder[1], scorings: 1 }]);
    expect((await profile()).profile).to.have.property('lastAt', stand.now().getTime() + 30 * MINUTE);
    expect((await rows()).map(({ scorings }) => scorings)).to.deep.equal([1, 1, 1]);
  });

  it('keeps what came after a scan that is scored again for its position', async () => {
    const page = await (await scan('198.51.100.7', { accept: 'text/html' })).text();
    stand.advance(MINUTE);
    await scan('198.51.101.7');
    await stand.score();
    const latest = { visitors: 2, lastAt: stand.now().getTime() };
    expect((await profile()).profile).to.include(latest);
    const added = await addPosition(stand, unit.token, page, { lat: 52.5, lon: 13.4, accuracyM: 30 });
    expect(added).to.equal(204);
    await stand.score();
    expect((await rows()).map(({ scorings }) => scorings)).to.deep.equal([2, 1]);
    expect((await profile()).profile).to.include(latest);
  });

  it('never overwrites a person’s decision', async () => {
    await stand.database.pool.query(
      'update unit_risk_profiles set unscored_since = null, unscored_from = null',
    );
    await scan('198.51.100.7');
    await stand.score();
    await stand.database.pool.query(
      `update unit_risk_profiles set state = 'confirmed', decision = 'confirmed', decided_at = $2 where unit_id = $1`,
      [unit.unitId, stand.now()],
    );
    stand.advance(MINUTE);
    expect((await (await scan('198.51.100.7')).json()) as object).to.include({ result: 'suspicious' });
    await stand.score();
    expect((await profile()).state).to.equal('confirmed');
  });

  it('holds alerts back for the policy’s cool-down, and counts them in the next', async () => {
    const product = (
      await stand.database.pool.query('select id from products where id = $1', [unit.productId])
    ).rows[0];
    await stand.database.pool.query(
      `insert into risk_policies (org_id, product_id, policy, alert_cooldown_minutes, updated_at) values ($1, $2, '{}', 90, now())`,
      [stand.orgId, product.id],
    );
    await copies(12);
    await stand.score();
    const suspicious = (await rows()).flatMap((row, i) => (row.risk_level === 'high' ? [i * 20] : []));
    const heldBack = suspicious.filter((minute) => minute > suspicious[0]! && minute < suspicious[0]! + 90);
    expect(heldBack).to.not.have.length(0);
    const alerts = await eventsOf('suspicious_scan.detected');
    expect(alerts.length).to.be.within(2, Math.ceil(suspicious.length / (heldBack.length + 1)));
    expect(alerts[1]).to.have.property('heldBack', heldBack.length);
    expect(alerts[0]).to.have.property('heldBack', 0);
  });

  it('tells of a suspicious scan that comes late as of any other, where there is no cool-down', async () => {
    await scan('198.51.1.7');
    stand.advance(50_000);
    await scan('203.0.1.7');
    await stand.score();
    stand.advance(-25_000);
    await scan('192.0.1.7');
    await stand.score();
    const suspicious = (await rows()).filter((row) => row.risk_level === 'high');
    expect(suspicious).to.have.length(2);
    expect(await eventsOf('suspicious_scan.detected')).to.have.length(2);
    // The newest stays the one that a cool-down is counted from.
    const { rows: profiles } = await stand.database.pool.query<{ last_alert_at: Date }>(
      'select last_alert_at from unit_risk_profiles where unit_id = $1',
      [unit.unitId],
    );
    expect(profiles[0]!.last_alert_at.getTime()).to.equal(stand.now().getTime() + 25_000);
  });

  it('leaves a dismissed unit in peace where scans of before are scored after', async () => {
    await scan('198.51.1.7');
    stand.advance(20_000);
    await scan('203.0.1.7');
    await stand.score();
    stand.advance(20_000);
    await scan('192.0.1.7');
    const path = '/api/v1/risk-cases';
    const casesOf = async () =>
      (await stand.call('GET', `${path}?unitId=${encodeId('unit', unit.unitId)}`)).body.data;
    const [open] = await casesOf();
    stand.advance(1_000);
    const dismissal = { status: 'dismissed', closingReason: 'internal_scans' };
    expect((await stand.call('PATCH', `${path}/${open.id}`, dismissal)).status).to.equal(200);
    await stand.score();
    expect((await rows()).at(-1)).to.include({ assessment: 'final', risk_level: 'high' });
    expect((await profile()).state).to.equal('clear');
    expect((await casesOf()).map(({ status }: { status: string }) => status)).to.deep.equal(['dismissed']);
    expect(await eventsOf('suspicious_scan.detected')).to.have.length(1);
  });

  describe('a stranger', () => {
    const isGenuine = async () => {
      await stand.score();
      expect((await profile()).state).to.equal('clear');
      const answer = (await (await scan('198.51.100.200')).json()) as { result: string };
      expect(answer.result).to.equal('genuine');
    };

    it('does not brand a unit by reloads', async () => {
      for (let i = 0; i < 150; i++) {
        await scan('198.51.77.7');
        stand.advance(1_000);
      }
      expect((await profile()).scan_count).to.equal(150);
      await isGenuine();
    });

    it('does not make those pay who look twice at the place where an impossible journey of theirs ended', async () => {
      await scan('203.0.1.7');
      await stand.score();
      stand.advance(MINUTE);
      await scan('198.51.1.7');
      await stand.score();
      stand.advance(1440 * MINUTE);
      for (const ip of ['198.51.50.9', '198.51.50.9', '198.51.60.9', '198.51.60.9']) {
        expect((await (await scan(ip)).json()) as object).to.include({ result: 'genuine' });
        await stand.score();
        stand.advance(20 * MINUTE);
      }
    });

    it('does not brand a unit from one network, with new sessions and browsers', async () => {
      for (let i = 0; i < 120; i++) {
        await scan(`198.51.77.${i}`, {
          accept: 'text/html',
          'user-agent': `Browser/${i}`,
          cookie: `visit=${String(i).padStart(22, 'a')}`,
        });
        stand.advance(5_000);
      }
      await isGenuine();
      expect((await profile()).profile.visitors).to.be.at.most(2);
    });

    it('does not brand a unit with a VPN, nor by hopping from exit to exit', async () => {
      await scan('198.51.100.7');
      stand.advance(1.5 * MINUTE);
      // The scan itself is told as what it is; the next visitor does not pay for it.
      expect(await (await scan('203.0.113.7')).json()).to.include({ result: 'suspicious' });
      await stand.score();
      stand.advance(MINUTE);
      expect(await (await scan('198.51.99.7')).json()).to.include({ result: 'genuine' });
      for (const exit of ['192.0.2.7', '203.0.114.7', '192.0.3.7']) {
        stand.advance(2 * MINUTE);
        await scan(exit);
        await stand.score();
      }
      stand.advance(60 * MINUTE);
      expect(await (await scan('198.51.98.7')).json()).to.include({ result: 'genuine' });
    });

    describe('does not brand a unit by positions that nobody can check', () => {
      const claim = async (ip: string, position: { lat: number; lon: number }) => {
        const page = await (await scan(ip, { accept: 'text/html' })).text();
        await stand.score();
        expect(await addPosition(stand, unit.token, page, { ...position, accuracyM: 10 })).to.equal(204);
        await stand.score();
        stand.advance(8 * 60 * MINUTE);
      };

      it('in other parts of the world than his addresses', async () => {
        await scan('198.51.200.1');
        const cities = [
          { lat: 48.857, lon: 2.352 },
          { lat: 35.68, lon: 139.69 },
          { lat: -23.55, lon: -46.63 },
          { lat: 40.71, lon: -74 },
          { lat: -33.87, lon: 151.2 },
          { lat: 1.35, lon: 103.8 },
        ];
        for (const [index, city] of cities.entries()) await claim(`198.51.${index}.7`, city);
        await isGenuine();
      });

      it('nor all around them, as far as the rules will follow', async () => {
        await scan('100.20.200.1');
        for (let i = 0; i < 8; i++)
          await claim(`100.20.${i}.7`, destination(49.23, 7, i * 137, [550, 350, 190, 20][i % 4]!));
        const { rows: moved } = await stand.database.pool.query(
          `select from scans where unit_id = $1 and place_source = 'gps'`,
          [unit.unitId],
        );
        expect(moved).to.have.length(8);
        await isGenuine();
      });
    });

    it('does not brand a unit by forged headers', async () => {
      // One hop is trusted; what a stranger puts before it is not looked at.
      for (let i = 0; i < 60; i++) {
        await scan(`192.0.2.${i}, 203.0.${i}.1, 198.51.77.7`, {
          forwarded: `for=192.0.2.${i}`,
          'x-real-ip': `203.0.${i}.1`,
          'cf-connecting-ip': `192.0.2.${i}`,
        });
        stand.advance(MINUTE);
      }
      await isGenuine();
    });
  });
});
