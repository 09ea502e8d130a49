import { expect } from 'chai';
import { releaseUnits } from '../../../shared/consignments/unit-repository.ts';
import { withTransaction } from '../../../shared/db.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { whileHeld } from '../../support/held-row.ts';

describe('units of closed consignments', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('are let go in the order in which they are put in, wherever they lie: two lists never wait for each other', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(2);
    const [first, second] = units.map(({ uuid }) => uuid).toSorted() as [string, string];
    const idOf = (uuid: string) => units.find((unit) => unit.uuid === uuid)!.id;
    for (const uuid of [second, first]) {
      const list = { units: { unitIds: [idOf(uuid)] } };
      const { id } = (await org.post('/consignments', list).expect(201)).body;
      await runAllBulkJobs(api);
      await org.post(`/consignments/${id}/cancel`).expect(200);
    }
    const of = (unitId: string) => ({
      text: 'select 1 from consignment_units where unit_id = $1 for update skip locked',
      values: [unitId],
    });
    await whileHeld(api.database.pool, of(first), async ({ holder, waiting, release }) => {
      // As Postgres reads long lists: by where the rows lie.
      const asLongLists = 'begin; set local enable_indexscan = off; set local enable_hashjoin = off';
      const released = withTransaction(
        api.deps.db,
        ({ db }) => releaseUnits(db, [first, second]),
        asLongLists,
      );
      await waiting(1);
      expect((await holder.query(of(second))).rowCount, 'not taken before the first').to.equal(1);
      await release();
      await released;
    });
    const { rows } = await api.database.pool.query('select 1 from consignment_units where held');
    expect(rows).to.deep.equal([]);
  });
});
