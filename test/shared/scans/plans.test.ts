import { expect } from 'chai';
import { BEGIN_BY_KEYS, withTransaction, type Db } from '../../../shared/db.ts';
import { lockWaitingUnits } from '../../../shared/scans/scoring-repository.ts';
import { lockForServing } from '../../../shared/webhooks/serving-repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
/** Postgres plans a prepared statement for its values five times before it thinks of a plan for any. */
const TRIES = 5;

describe('the statements of the workers’ busiest transactions', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    await database.pool.query(
      `insert into unit_risk_profiles (unit_id, org_id, unscored_since, unscored_from)
       select gen_random_uuid(), gen_random_uuid(), now(), gen_random_uuid() from generate_series(1, 30000)`,
    );
    await database.pool.query('analyze unit_risk_profiles');
  });
  after(() => database.drop());

  const plansOf = async (db: Db, name: string) =>
    (
      await db.query<{ custom_plans: number; generic_plans: number }>(
        'select custom_plans, generic_plans from pg_prepared_statements where name = $1',
        [name],
      )
    ).rows[0];

  it('are planned once where they take as many waiting units as may be scored together', () =>
    withTransaction(database.pool, async ({ db }) => {
      for (let times = 0; times < TRIES + 2; times += 1) await lockWaitingUnits(db, 200, NOW);
      expect(await plansOf(db, 'lock-waiting-units-200')).to.deep.equal({
        custom_plans: TRIES,
        generic_plans: 2,
      });
    }));

  it('are planned once where they serve endpoints', () =>
    withTransaction(
      database.pool,
      async ({ db }) => {
        for (let times = 0; times < 2; times += 1) await lockForServing(db, [], NOW);
        expect(await plansOf(db, 'lock-for-serving')).to.deep.equal({ custom_plans: 0, generic_plans: 2 });
      },
      BEGIN_BY_KEYS,
    ));

  it('look up a unit’s consignments by their keys, and hash none of them for each unit', async () => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain select s.* from product_units u join lateral unit_supply(u.id, u.batch_id, u.product_id) s on true
        where u.code = any('{}'::bytea[])`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).to.include('consignments_pkey');
    expect(plan).not.to.match(/Hash|Memoize/);
  });
});
