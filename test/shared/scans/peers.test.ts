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

  const tables = async () => {
    const { rows: markets } = await api.database.pool.query(
      'select * from market_sightings order by org_id, markets',
    );
    const { rows: organizations } = await api.database.pool.query(
      'select * from organization_sightings order by org_id',
    );
    return { markets, organizations };
  };

  it('are counted once each, with all of their organization, whoever scores', async () => {
    expect(await tables()).to.deep.equal({
      markets: [
        { org_id: org.uuid, markets: 'AT,DE', units: 12, outside: {} },
        { org_id: org.uuid, markets: 'JP', units: 40, outside: { US: 1 } },
      ],
      organizations: [
        { org_id: org.uuid, units: 52, outside: { US: 1 }, sold_in: { JP: 40, AT: 12, DE: 12 } },
      ],
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

  it('are counted by the migration as they were when they were scored', async () => {
    const counted = await tables();
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
    expect(await tables()).to.deep.equal(counted);
  });
});
