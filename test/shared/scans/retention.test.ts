import { expect } from 'chai';
import { makeEventsCoarse } from '../../../shared/events/retention.ts';
import { encodeId } from '../../../shared/ids.ts';
import { applyOrganizationRetention } from '../../../shared/retention/service.ts';
import { applyRetention } from '../../../shared/scans/retention.ts';
import { addPosition, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;

describe('retention of scans', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
    unit = await stand.mintUnit();
    for (const ip of ['198.51.100.77', '2001:db8:1:2:3:4:5:6', '203.0.113.9'])
      await fetch(`${stand.origin}/v/${unit.token}`, {
        headers: { 'x-forwarded-for': ip, 'user-agent': 'Browser', accept: 'text/html' },
      });
    await stand.database.pool.query(
      `update scans set lat = 48.8573, lon = 2.3522, accuracy_km = 0.1, place_source = 'gps', claimed_lat = 48.8573,
              claimed_lon = 2.3522, claimed_accuracy_km = 0.1 where host(ip) = '203.0.113.9'`,
    );
  });
  after(() => stand?.close());

  const scans = async () =>
    (
      await stand.database.pool.query(
        `select host(ip) as ip, user_agent, session_id is null as forgotten, network_id is null as unlinked, country, lat,
                lon, accuracy_km, claimed_lat, claimed_lon, claimed_accuracy_km from scans order by id`,
      )
    ).rows;
  const apply = (days: number) => {
    stand.resetClock();
    stand.advance(days * DAY);
    return applyRetention(stand.deps, { addressDays: 30, pseudonymDays: 400 }, 2);
  };

  it('leaves the young alone', async () => {
    expect(await apply(29)).to.equal(0);
    expect((await scans())[0]).to.include({ ip: '198.51.100.77', user_agent: 'Browser', forgotten: false });
  });

  it('cuts addresses to their network, forgets browser and session, and makes positions coarse', async () => {
    expect(await apply(31)).to.equal(3);
    const [v4, v6, gps] = await scans();
    expect(v4).to.deep.include({ ip: '198.51.100.0', user_agent: null, forgotten: true, unlinked: false });
    // An address's own place was coarse from the beginning.
    expect(v4).to.include({ country: 'DE', lat: 52.5, lon: 13.4 });
    expect(v6).to.include({ ip: '2001:db8:1::', forgotten: true });
    expect(gps).to.include({ ip: '203.0.113.0', lat: 48.9, lon: 2.4, accuracy_km: 11 });
    expect(gps).to.include({ claimed_lat: 48.9, claimed_lon: 2.4, claimed_accuracy_km: 11 });
    expect(v4).to.include({ claimed_lat: null, claimed_accuracy_km: null });
  });

  it('touches nothing twice, and goes on where it stopped', async () => {
    expect(await apply(32)).to.equal(0);
    await stand.database.pool.query(
      `update retention_marks set up_to = (select min(id::text)::uuid from scans)`,
    );
    expect(await apply(32)).to.equal(2);
  });

  it('forgets the networks themselves in the end, and keeps the coarse place', async () => {
    await stand.database.pool.query(`delete from retention_marks where rule = 'pseudonyms'`);
    expect(await apply(401)).to.equal(3);
    for (const scan of await scans()) expect(scan).to.include({ ip: null, unlinked: true });
    expect((await scans())[0]).to.include({ country: 'DE' });
  });

  // The second is farther from the place of the address than a coarse position is wrong.
  for (const [LAT, LON] of [
    [52.517, 13.389],
    [52.617, 13.651],
  ] as const)
    describe(`of a visitor’s own position at ${LAT}, ${LON}`, () => {
      const COARSE = new RegExp(`"lat": ?${LAT.toFixed(1)}\\b`);
      let unitId: string;
      let token: string;
      let copied: { result: string; risk: { signals: { type: string; distanceKm?: number }[] } };

      before(async () => {
        ({ token, unitId } = await stand.mintUnit());
        stand.resetClock();
        const headers = { 'x-forwarded-for': '198.51.3.7', accept: 'text/html' };
        const page = await (await fetch(`${stand.origin}/v/${token}`, { headers })).text();
        const added = await addPosition(stand, token, page, { lat: LAT, lon: LON, accuracyM: 12 });
        expect(added).to.be.below(300);
        await stand.score();
        stand.advance(60_000);
        copied = await scanElsewhere('203.0.113.7');
      });

      const scanElsewhere = async (ip: string) => {
        const answer = await fetch(`${stand.origin}/v/${token}`, { headers: { 'x-forwarded-for': ip } });
        await stand.score();
        return (await answer.json()) as typeof copied;
      };

      const forget = async (days: number) => {
        stand.resetClock();
        stand.advance(days * DAY);
        await applyRetention(stand.deps, { addressDays: 30, pseudonymDays: 400 });
        await makeEventsCoarse(stand.deps, 30, 2);
      };
      const stored = async () =>
        (
          await stand.database.pool.query<{ row: string }>(
            `select to_jsonb(s)::text as row from scans s where unit_id = $1
           union all select to_jsonb(p)::text from unit_risk_profiles p where unit_id = $1
           union all select data::text from events where data ->> 'productUnitId' = $2`,
            [unitId, encodeId('unit', unitId)],
          )
        ).rows.map(({ row }) => row);

      it('is told to the organization and to nobody else: others hear a country and a rough distance', () => {
        expect(copied.result).to.equal('suspicious');
        const journey = copied.risk.signals.find(({ type }) => type === 'impossible_travel')!;
        expect(journey.distanceKm).to.be.oneOf([8900, 8950]);
        expect(journey).to.have.nested.property('from.country', 'DE');
        expect(JSON.stringify(copied)).not.to.match(/52\.[56]|13\.[34567]|35\.7|"lat"/);
      });

      // Two scans, the profile, and the events: one for each scan, and the second's alert.
      const ROWS = 2 + 1 + 3;

      const isExact = (row: string) => row.includes(String(LAT)) || row.includes(String(LON));

      it('is exact in its scan, its event and the profile until it is of age, and never in what is told of others', async () => {
        await forget(29);
        const rows = await stored();
        expect(rows).to.have.length(ROWS);
        expect(rows.filter(isExact)).to.have.length(3);
        for (const row of rows.filter((each) => !isExact(each))) expect(row).to.match(COARSE);
      });

      it('is coarse everywhere from then on, also in what came the day before, and the reasons stay', async () => {
        stand.resetClock();
        stand.advance(29 * DAY);
        expect((await scanElsewhere('203.0.113.7')).result).to.equal('suspicious');
        await forget(31);
        const rows = await stored();
        expect(rows.length).to.be.above(ROWS);
        expect(rows.filter(isExact)).to.deep.equal([]);
        for (const row of rows) expect(row).to.match(COARSE);
        expect(rows.join()).to.include('impossible_travel');
      });
    });

  const claimPosition = async (token: string, ip: string) => {
    const headers = { 'x-forwarded-for': ip, accept: 'text/html' };
    const page = await (await fetch(`${stand.origin}/v/${token}`, { headers })).text();
    await addPosition(stand, token, page, { lat: 52.517, lon: 13.389, accuracyM: 12 });
  };

  it('leaves no exact position in what a webhook’s receiver answered that was sent one', async () => {
    const { token, unitId } = await stand.mintUnit();
    stand.resetClock();
    await fetch(`${stand.origin}/v/${token}`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    await claimPosition(token, '198.51.9.8');
    await stand.score();
    const { pool } = stand.database;
    await pool.query(
      `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, settled_at, outcome,
                                       response_status, response_snippet)
       select id, org_id, gen_random_uuid(), id, type, 1, created_at, created_at, 'delivered', 200, 'got: ' || data::text
         from events where type = 'scan.recorded' and data ->> 'productUnitId' = $1`,
      [encodeId('unit', unitId)],
    );
    const answersAfter = async (days: number) => {
      stand.resetClock();
      stand.advance(days * DAY);
      await makeEventsCoarse(stand.deps, 30, 2);
      const { rows } = await pool.query('select response_snippet from webhook_deliveries order by id');
      return rows.map(({ response_snippet: answer }) => answer && String(answer).includes('52.517'));
    };
    expect(await answersAfter(29)).to.deep.equal([false, true]);
    expect(await answersAfter(31)).to.deep.equal([false, null]);
  });

  it('leaves no exact position in the profile where the organization deletes scans before they are made coarse', async () => {
    const { token, unitId } = await stand.mintUnit();
    stand.resetClock();
    await claimPosition(token, '198.51.9.7');
    await stand.score();
    const { pool } = stand.database;
    const profile = async () =>
      JSON.stringify(
        (await pool.query('select profile from unit_risk_profiles where unit_id = $1', [unitId])).rows,
      );
    expect(await profile()).to.include('52.517');
    await pool.query('update organizations set scan_retention_days = 30 where id = $1', [stand.orgId]);
    stand.advance(31 * DAY);
    await applyOrganizationRetention(stand.deps);
    const { rows } = await pool.query('select 1 from scans where unit_id = $1', [unitId]);
    expect(rows).to.deep.equal([]);
    expect(await profile())
      .to.include('52.5')
      .and.not.match(/52\.517|13\.389/);
  });
});
