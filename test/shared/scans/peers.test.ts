import { expect } from 'chai';
import knex from 'knex';
import { ExtensionlessMigrations, knexConfig } from '../../../shared/migrate.ts';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

const MIGRATION = '20261123090000_market_sightings.ts';

describe('units of the same markets', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    // Those of other markets tell what is noise: of 40 one was seen in the United States.
    await seeAll(org, ['JP'], [...Array<string>(39).fill(ADDRESSES.JP), ADDRESSES.US]);
    await seeAll(org, ['DE', 'AT'], Array<string>(12).fill(ADDRESSES.DE));
  });
  after(() => api.close());

  const mint = (of: TestOrganization, quantity: number, markets: string[]) =>
    of.mintUnits(quantity, { product: { markets } });

  /** Units of a new batch, each seen once from an address; three workers score them at the same time. */
  async function seeAll(of: TestOrganization, markets: string[], addresses: string[]): Promise<TestUnit[]> {
    const { units } = await mint(of, addresses.length, markets);
    await Promise.all(addresses.map((from, i) => api.verify(units[i]!.token, from).expect(200)));
    await Promise.all([1, 2, 3].map(() => scoreWaitingScans(api.workerDeps, 5)));
    await api.score();
    return units;
  }

  /** The only scan of the first unit of a new batch; the first answer must be what the worker says. */
  async function first(of: TestOrganization, markets: string[], from: string) {
    const { units } = await mint(of, 1, markets);
    const { body } = await api.verify(units[0]!.token, from).expect(200);
    await api.score();
    const { body: scan } = await of.get(`/scans/${body.scanId}`);
    expect(scan.result).to.equal(body.result);
    return scan;
  }

  const countedOf = async ({ uuid }: TestOrganization) => {
    const { pool } = api.database;
    const { rows: markets } = await pool.query(
      'select markets, units, outside from market_sightings where org_id = $1 order by markets',
      [uuid],
    );
    const { rows } = await pool.query(
      'select units, outside, sold_in from organization_sightings where org_id = $1',
      [uuid],
    );
    return { markets, all: rows[0] };
  };

  it('are counted once each, with all of their organization, whoever scores', async () => {
    expect(await countedOf(org)).to.deep.equal({
      markets: [
        { markets: 'AT,DE', units: 12, outside: {} },
        { markets: 'JP', units: 40, outside: { US: 1 } },
      ],
      all: { units: 52, outside: { US: 1 }, sold_in: { JP: 40, AT: 12, DE: 12 } },
    });
  });

  it('say that the first unit of a batch was taken abroad by a customer', async () => {
    const scan = await first(org, ['AT', 'DE'], ADDRESSES.BR);
    expect(scan.result).to.equal('genuine');
    expect(scan.risk.signals[0]).to.deep.include({
      type: 'diversion',
      counted: false,
      reason: 'lot-inside',
      lot: { among: 'markets', units: 12, sameCountry: 0 },
    });
  });

  it('say nothing where nobody tells what is noise, and nothing to another organization', async () => {
    expect((await first(org, ['JP'], ADDRESSES.BR)).result).to.equal('diverted');
    const other = await api.createOrganization();
    const scan = await first(other, ['DE', 'AT'], ADDRESSES.BR);
    expect(scan.result).to.equal('diverted');
    expect(scan.risk.signals[0].lot).to.equal(null);
  });

  it('are asked no more than the policy lets others be asked', async () => {
    const setPolicy = (policy: object) =>
      api.http().put('/api/v1/risk-policies').set('X-Api-Key', org.key).send({ policy }).expect(200);
    await setPolicy({ diversion: { lotUnits: 1000 } });
    expect((await first(org, ['DE', 'AT'], ADDRESSES.BR)).result).to.equal('diverted');
    await setPolicy({});
  });

  it('are counted once, whatever a position that comes later or other markets make of their scans', async () => {
    const own = await api.createOrganization();
    const { units, productId } = await mint(own, 1, ['US']);
    const { token } = units[0]!;
    const look = async (from: string) => {
      api.clock.advance(8 * 3_600_000);
      const { text } = await api.verify(token, from).set('Accept', 'text/html').expect(200);
      await api.score();
      return /data-nonce="([^"]+)"/.exec(text)![1]!;
    };
    const setMarkets = (markets: string[]) => own.patch(`/products/${productId}`, { markets }).expect(200);
    const once = {
      markets: [{ markets: 'US', units: 1, outside: {} }],
      all: { units: 1, outside: {}, sold_in: { US: 1 } },
    };

    const nonce = await look(ADDRESSES.US);
    expect(await countedOf(own)).to.deep.equal(once);
    // Near the border, so that the unit was not seen for sure on either side of it.
    const montreal = { nonce, lat: 45.5, lon: -73.57, accuracyM: 10 };
    await api.http().post(`/v/${token}/position`).send(montreal).expect(204);
    await api.score();
    await look(ADDRESSES.JP);
    expect(await countedOf(own)).to.deep.equal(once);
    await setMarkets([]);
    await look(ADDRESSES.JP);
    await setMarkets(['DE']);
    await look(ADDRESSES.BR);
    expect(await countedOf(own)).to.deep.equal(once);
  });

  it('are what others are asked about that are scored with them', async () => {
    const [home, abroad] = [ADDRESSES.US, ADDRESSES.BR];
    const ids: string[] = [];
    for (const from of [home, home, home, home, abroad]) {
      const { units } = await mint(org, 1, ['US']);
      const { body } = await api.verify(units[0]!.token, from).expect(200);
      ids.push(body.scanId);
    }
    await api.score();
    const { body } = await org.get(`/scans/${ids.at(-1)}`);
    expect(body.result).to.equal('genuine');
    expect(body.risk.signals[0].lot).to.deep.equal({ among: 'markets', units: 4, sameCountry: 0 });
  });

  for (const [how, isScoredBetween] of [
    ['one by one', true],
    ['together', false],
  ] as const) {
    it(`let a second visitor abroad decide about the first unit of a batch, scored ${how}`, async () => {
      const { units } = await mint(org, 1, ['AT', 'DE']);
      const results: string[] = [];
      for (const from of [ADDRESSES.BR, '200.144.1.1']) {
        api.clock.advance(86_400_000);
        results.push((await api.verify(units[0]!.token, from).expect(200)).body.result);
        if (isScoredBetween) await api.score();
      }
      await api.score();
      expect(results).to.deep.equal(['genuine', 'diverted']);
      const { body } = await org.get(`/scans?unitId=${units[0]!.id}`);
      expect(body.data.map(({ result }: { result: string }) => result)).to.deep.equal([
        'diverted',
        'genuine',
      ]);
    });
  }

  it('are counted by the migration as they were when they were scored, and by the markets that they have by now', async () => {
    const moved = await api.createOrganization();
    const { units, productId } = await mint(moved, 1, ['US']);
    await api.verify(units[0]!.token, ADDRESSES.JP).expect(200);
    await api.score();
    expect((await countedOf(moved)).markets).to.deep.equal([{ markets: 'US', units: 1, outside: { JP: 1 } }]);
    const counted = await countedOf(org);
    await moved.patch(`/products/${productId}`, { markets: ['JP'] }).expect(200);
    const migration = await new ExtensionlessMigrations().getMigration(MIGRATION);
    const db = knex(knexConfig(api.database.url));
    try {
      await db.transaction(async (trx) => {
        await trx.raw('drop table organization_sightings, market_sightings');
        await migration.up(trx as never);
      });
    } finally {
      await db.destroy();
    }
    expect(await countedOf(moved)).to.deep.equal({
      markets: [{ markets: 'JP', units: 1, outside: {} }],
      all: { units: 1, outside: {}, sold_in: { JP: 1 } },
    });
    expect(await countedOf(org)).to.deep.equal(counted);
  });
});
