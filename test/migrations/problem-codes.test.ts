import { expect } from 'chai';
import createKnex, { type Knex } from 'knex';
import { down, up } from '../../migrations/20261122150000_problem_codes.ts';
import { refusal, type Refusal } from '../../shared/field-errors.ts';
import { newUuid } from '../../shared/ids.ts';
import { knexConfig } from '../../shared/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const CONSIGNMENT = 'cons_01kaf4d5zse9k8x7m2q4h6w3vt';

describe('the migration of bulk jobs’ problems', () => {
  let database: TestDatabase;
  let knex: Knex;

  before(async () => {
    database = await createTestDatabase();
    knex = createKnex(knexConfig(database.url));
  });
  after(async () => {
    await knex.destroy();
    await database.drop();
  });

  it('gives what was stored before there were codes its own, in the same order, and takes them back', async () => {
    await down(knex);
    const expected: Refusal[] = [
      refusal('UNIT_STATE', 'cannot go from "voided" to "active"', { from: 'voided', to: 'active' }),
      refusal('UNIT_CONSIGNED', `is in the open consignment ${CONSIGNMENT}`, { consignmentId: CONSIGNMENT }),
      refusal('UNIT_VOIDED', 'is voided'),
      refusal('NO_SUCH_UNIT', 'no such unit'),
      refusal('NOT_A_UNIT_ID', 'is not an id of the form unit_…'),
      refusal('NOT_A_SERIAL', 'is not a serial of 1 to 20 printable characters'),
      refusal('NOT_A_CODE', 'is not a code of this service'),
      refusal('REQUIRED', 'has no "serial"'),
      refusal('INVALID', 'something of long ago'),
    ];
    const old = expected.map(({ message }, index) => ({ line: index + 1, ref: `U-${index}`, message }));
    const [orgId, jobId, untouched] = [newUuid(), newUuid(), newUuid()];
    await database.pool.query(`insert into organizations (id, name) values ($1, 'x')`, [orgId]);
    for (const [id, problems] of [
      [jobId, old],
      [untouched, []],
    ] as const)
      await database.pool.query(
        `insert into bulk_jobs (id, org_id, action, source, params, phase, problems, due_at, created_at)
         values ($1, $2, 'activate', '{"kind": "items", "by": "unitId"}', '{}', 'work', $3, now(), now())`,
        [id, orgId, JSON.stringify(problems)],
      );
    const stored = async (id: string): Promise<unknown> =>
      (await database.pool.query<{ problems: unknown }>('select problems from bulk_jobs where id = $1', [id]))
        .rows[0]!.problems;

    await up(knex);
    expect(await stored(jobId)).to.deep.equal(
      expected.map((refused, index) => ({ line: index + 1, ref: `U-${index}`, ...refused })),
    );
    expect(await stored(untouched)).to.deep.equal([]);

    await down(knex);
    expect(await stored(jobId)).to.deep.equal(old);
  });
});
