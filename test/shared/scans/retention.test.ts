import { expect } from 'chai';
import { applyRetention } from '../../../shared/scans/retention.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

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
      `update scans set lat = 48.8573, lon = 2.3522, accuracy_km = 0.1, place_source = 'gps' where host(ip) = '203.0.113.9'`,
    );
  });
  after(() => stand?.close());

  const scans = async () =>
    (
      await stand.database.pool.query(
        `select host(ip) as ip, user_agent, session_id is null as forgotten, network_id is null as unlinked, country, lat,
                lon, accuracy_km from scans order by id`,
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
});
