import { expect } from 'chai';
import { listSourceUnits } from '../../../shared/bulk-jobs/source-repository.ts';
import { newUuid } from '../../../shared/ids.ts';
import { insertTransitions } from '../../../shared/units/repository.ts';
import type { TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';
import { createUncountedUnits, type UncountedUnits } from '../../support/uncounted-units.ts';

const GTIN = '04006381333931';
const UNITS = 3_000;
const LINES = 200;

/** As an upload keeps what its lines name. */
const KEYS = {
  unitId: 'id::text',
  serial: 'serial',
  code: `encode(code, 'hex')`,
  gtin: `encode(convert_to(jsonb_build_array('${GTIN}', serial, null)::text, 'UTF8'), 'hex')`,
} as const;

describe('the units that a list names', () => {
  let stand: UncountedUnits;
  let database: TestDatabase;
  let orgId: string;
  let productId: string;

  before(async () => {
    stand = await createUncountedUnits({ gtin: GTIN, units: UNITS });
    ({ database, orgId, productId } = stand);
  });
  after(() => database.drop());

  const query: UncountedUnits['query'] = (text, values) => stand.query(text, values);

  for (const [by, key] of Object.entries(KEYS)) {
    it(`are looked up one by one, by ${by}, however many Postgres takes the organization’s to be`, async () => {
      const jobId = newUuid();
      // The last of them: who reads from the first on reads them all.
      await query(
        `insert into bulk_job_items (job_id, line, ref, key)
         select $1, row_number() over (order by ordinal), serial, ${key}
           from product_units where product_id = $2 and ordinal >= $3`,
        [jobId, productId, UNITS - LINES],
      );
      const counting = countingReads(database.pool);
      const source = {
        kind: 'items',
        by: by === 'gtin' ? 'code' : (by as 'unitId' | 'serial' | 'code'),
        productId: by === 'serial' ? productId : null,
      } as const;
      const found = await listSourceUnits(
        counting.db,
        { id: jobId, org_id: orgId, source, cursor: null },
        LINES,
      );
      const wanted = await query<{ id: string }>(
        'select id from product_units where product_id = $1 and ordinal >= $2 order by ordinal',
        [productId, UNITS - LINES],
      );
      expect(found.map((unit) => unit.unit_id)).to.deep.equal(wanted.map(({ id }) => id));
      // Of each line: itself, products with the GTIN, its unit and its batch.
      expect(counting.read()).to.be.at.most(10 * LINES);
    });
  }

  it('are looked up one by one where a consignment has them, and when their change is written down', async () => {
    const consignmentId = newUuid();
    await query('insert into consignments (id, org_id, reference, created_at) values ($1, $2, $3, now())', [
      consignmentId,
      orgId,
      'C1',
    ]);
    const wanted = await query<{ id: string }>(
      'select id from product_units where product_id = $1 and ordinal >= $2 order by id',
      [productId, UNITS - LINES],
    );
    const ids = wanted.map(({ id }) => id);
    await query(
      'insert into consignment_units (consignment_id, org_id, unit_id, held, job_id) select $1, $2, unnest($3::uuid[]), true, $1',
      [consignmentId, orgId, ids],
    );
    const counting = countingReads(database.pool);
    const source = { kind: 'consignment', consignmentId } as const;
    const job = { id: newUuid(), org_id: orgId, source, cursor: null };
    const found = await listSourceUnits(counting.db, job, LINES);
    expect(found.map((unit) => unit.unit_id)).to.deep.equal(ids);
    expect(counting.read()).to.be.at.most(2 * LINES);
    const transitions = ids.map((unitId) => ({ id: newUuid(), unitId }));
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      const written = countingReads({ query: client.query.bind(client) } as never);
      // Explained, it is written: and then again.
      await client.query('alter table unit_transitions drop constraint unit_transitions_pkey');
      await insertTransitions(written.db, orgId, transitions, 'suspended', new Date());
      expect(written.read()).to.be.at.most(3 * LINES);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('are nobody’s where another organization names them', async () => {
    const other = newUuid();
    await query('insert into organizations (id, name) values ($1, $2)', [other, 'Other']);
    for (const [by, key] of Object.entries(KEYS)) {
      const jobId = newUuid();
      await query(
        `insert into bulk_job_items (job_id, line, ref, key)
         select $1, 1, serial, ${key} from product_units where product_id = $2 and ordinal = 0`,
        [jobId, productId],
      );
      const source = {
        kind: 'items',
        by: by === 'gtin' ? 'code' : (by as 'unitId' | 'serial' | 'code'),
        productId: by === 'serial' ? productId : null,
      } as const;
      const job = { id: jobId, org_id: other, source, cursor: null };
      expect(
        (await listSourceUnits(database.pool, job, 10)).map((unit) => unit.unit_id),
        by,
      ).to.deep.equal([null]);
    }
  });
});
