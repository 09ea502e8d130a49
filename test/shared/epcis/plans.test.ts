import { expect } from 'chai';
import type { Db } from '../../../shared/db.ts';
import {
  findBegunRecalls,
  findCalledOffConsignments,
  findLiftedRecalls,
  findReceivedConsignments,
  findScannedUnits,
  findShippedConsignments,
  type Slice,
} from '../../../shared/epcis/repository.ts';
import { newUuid } from '../../../shared/ids.ts';
import { makePartitionsAhead } from '../../../shared/partitions/service.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const CONSIGNMENTS = 5;
const UNITS = 20;
/** Of the organization, and in no consignment. */
const OTHER_UNITS = 20_000;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const rowsRead = (node: PlanNode, table: string): number =>
  (node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner, table), 0);

describe('the statements behind EPCIS events', () => {
  let database: TestDatabase;
  const orgId = newUuid();

  before(async () => {
    database = await createTestDatabase();
    await makePartitionsAhead(database.pool, new Date());
    const client = await database.pool.connect();
    // Rows alone: what they refer to is none of a plan's business.
    await client.query('set session_replication_role = replica');
    const productId = newUuid();
    await client.query(
      `insert into products (id, org_id, name, sku, created_at, updated_at) values ($1, $2, 'Oil', 'OIL', now(), now())`,
      [productId, orgId],
    );
    const insertUnits = (ofOrg: string, units: number) =>
      client.query(
        `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
         select gen_random_uuid(), $1::uuid, $1::uuid, $2, n, left(mark, 20), decode(left(mark, 20), 'hex'), 'k', 'minted'
           from generate_series(1, $3::integer) n, md5($1::uuid || n::text) mark`,
        [ofOrg, productId, units],
      );
    await client.query('alter table product_units set (autovacuum_enabled = off)');
    // Statistics as they are while an organization mints: of others, before its own units.
    await insertUnits(newUuid(), 1_000);
    await client.query('analyze product_units');
    await insertUnits(orgId, OTHER_UNITS);
    for (let consignment = 0; consignment < CONSIGNMENTS; consignment += 1) {
      const id = newUuid();
      await client.query(
        consignment % 2 === 0
          ? `insert into consignments (id, org_id, status, unit_count, created_at, dispatched_at, received_at, received_count,
                                       missing_count, damaged_count, received_through)
             values ($1, $2, 'received', $3, now(), now(), now(), $3, 0, 0, 'key')`
          : `insert into consignments (id, org_id, status, unit_count, created_at, dispatched_at, cancelled_at)
             values ($1, $2, 'cancelled', $3, now(), now(), now())`,
        [id, orgId, UNITS],
      );
      await client.query(
        `insert into consignment_units (consignment_id, unit_id, org_id, job_id, held)
         select $1::uuid, id, org_id, $1::uuid, false from product_units where org_id = $2 order by ordinal limit $3`,
        [id, orgId, UNITS],
      );
    }
    await client.query(
      `insert into recalls (id, org_id, scope, target_id, starts_at, created_at, lifted_at)
       select gen_random_uuid(), org_id, 'unit', id, now(), now(), now()
         from product_units where org_id = $1 order by ordinal limit $2`,
      [orgId, UNITS],
    );
    await client.query(
      `insert into scans (id, at, org_id, unit_id, product_id, batch_id, result, risk_level, risk_score)
       select ($2::uuid[])[u.ordinal], now(), u.org_id, u.id, u.product_id, u.batch_id, 'genuine', 'low', 0
         from product_units u
        where u.org_id = $1 and u.ordinal <= $3`,
      [orgId, Array.from({ length: UNITS }, () => newUuid()), UNITS],
    );
    await client.query('analyze consignment_units, consignments, recalls, scans');
    client.release(true);
  });
  after(() => database.drop());

  const slice: Slice = {
    orgId,
    from: null,
    before: { at: new Date('2999-01-01T00:00:00Z'), id: orgId },
    unitId: null,
    consignmentIds: null,
    limit: 31,
  };

  for (const find of [
    findShippedConsignments,
    findReceivedConsignments,
    findCalledOffConsignments,
    findBegunRecalls,
    findLiftedRecalls,
    findScannedUnits,
  ])
    it(`look units up by their keys in ${find.name}, though the statistics know nothing of these`, async () => {
      let plan: PlanNode | undefined;
      const explaining = {
        query: async (text: string, values: unknown[]) => {
          const explain = `explain (analyze, format json) ${text}`;
          const { rows } = await database.pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, values);
          plan = rows[0]!['QUERY PLAN'][0]!.Plan;
          return { rows: [] };
        },
      } as unknown as Db;
      await find(explaining, slice);
      expect(rowsRead(plan!, 'product_units')).to.be.at.most(CONSIGNMENTS * UNITS);
    });
});
