import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { liftRecallsOf } from '../../../shared/recalls/repository.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { whileHeld } from '../../support/held-row.ts';

describe('recalls of many units', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('are lifted in the order of the units, as they are made, wherever they lie: two lists never wait for each other', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(2);
    const [first, second] = units.map(({ uuid }) => uuid).toSorted() as [string, string];
    const idOf = (uuid: string) => units.find((unit) => unit.uuid === uuid)!.id;
    for (const uuid of [second, first]) await org.post(`/product-units/${idOf(uuid)}/recall`).expect(200);
    const of = (unitId: string) => ({
      text: 'select 1 from recalls where target_id = $1 for update skip locked',
      values: [unitId],
    });
    await whileHeld(api.database.pool, of(first), async ({ holder, waiting, release }) => {
      // As Postgres reads long lists: by where the rows lie.
      const asLongLists = 'begin; set local enable_indexscan = off';
      const lifted = withTransaction(
        api.deps.db,
        ({ db }) => liftRecallsOf(db, org.uuid, 'unit', [first, second], api.clock.now()),
        asLongLists,
      );
      await waiting(1);
      expect((await holder.query(of(second))).rowCount, 'not taken before the first').to.equal(1);
      await release();
      expect(await lifted).to.equal(2);
    });
  });
});
