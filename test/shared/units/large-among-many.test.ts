import { expect } from 'chai';
import { BEGIN_IN_ORDER } from '../../../shared/db.ts';
import { listSourceUnits } from '../../../shared/bulk-jobs/source-repository.ts';
import { findScans, type ScanFilter } from '../../../shared/scans/list-repository.ts';
import { newUuid } from '../../../shared/ids.ts';
import { liftRecallsOf } from '../../../shared/recalls/repository.ts';
import { countUnitsByStatus } from '../../../shared/units/service.ts';
import { rowsReadBy } from '../../support/rows-read.ts';
import { seedScans } from '../../support/scans.ts';
import { createUncountedUnits, type UncountedUnits } from '../../support/uncounted-units.ts';

const LARGE = 6_000;
const SMALL = 3_000;
const PAGE = 50;

describe('what is read of a large organization beside very many small ones', () => {
  let stand: UncountedUnits;
  /** Of few units and scans, all of them old. */
  const batchId = newUuid();
  const unitIds = Array.from({ length: PAGE }, newUuid);

  before(async () => {
    stand = await createUncountedUnits({ gtin: '04006381333931', units: LARGE });
    const { orgId, productId } = stand;
    const smallIds = Array.from({ length: SMALL }, newUuid);
    await stand.query(`insert into organizations (id, name) select unnest($1::uuid[]), 'Small'`, [smallIds]);
    await stand.query('insert into batches (id, org_id, product_id, quantity) values ($1, $2, $3, $4)', [
      batchId,
      orgId,
      productId,
      PAGE,
    ]);
    // One in 200 is of the large one, and few of one batch, so that these do not lie together.
    const unit = (org: string, batch: string, from: string, digit: string) =>
      `select uuidv7(), ${org}, ${batch}, $1::uuid, i, '${digit}' || i, decode('${digit}' || lpad(to_hex(i), 19, '0'), 'hex'), 'k1', 'active'
         from ${from}`;
    await stand.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       ${unit('$2::uuid', '$3::uuid', `generate_series(1, ${PAGE}) i`, '3')}`,
      [productId, orgId, batchId],
    );
    await stand.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       ${unit('o.id', '$2::uuid', 'unnest($3::uuid[]) with ordinality o (id, i)', '4').replaceAll('to_hex(i)', 'to_hex(i::int)')}`,
      [productId, newUuid(), smallIds],
    );
    const at = new Date();
    const scan = (org: string, unitId: string, batch = stand.batchId) => ({
      orgId: org,
      unitId,
      productId,
      batchId: batch,
      at,
    });
    await seedScans(stand.database, [
      ...unitIds.map((unitId) => scan(orgId, unitId, batchId)),
      ...Array.from({ length: LARGE }, () => scan(orgId, newUuid())),
      ...smallIds.map((id) => scan(id, newUuid())),
    ]);
    await stand.query(
      `insert into recalls (id, org_id, scope, target_id, starts_at, created_at)
       select uuidv7(), org_id, 'unit', id, now(), now() from product_units`,
    );
    await stand.query('vacuum analyze product_units, scans, recalls');
  });
  after(() => stand.database.drop());

  const reading = async (filter: ScanFilter) => {
    let beforeId: string | null = null;
    const read = [];
    for (let page = 0; page < 2; page += 1) {
      read.push(
        await rowsReadBy(
          stand.database.pool,
          async (db) => {
            const scans = await findScans(db, stand.orgId, filter, { limit: PAGE, beforeId });
            beforeId = scans.at(-1)?.id ?? beforeId;
          },
          BEGIN_IN_ORDER,
        ),
      );
    }
    return Math.max(...read);
  };

  it('is the page of its scans', async () => {
    // The second page's first is looked up.
    expect(await reading({})).to.be.at.most(PAGE + 1);
    expect(await reading({ productId: stand.productId })).to.be.at.most(PAGE + 1);
    expect(await reading({ batchId })).to.be.at.most(PAGE + 1);
    expect(await reading({ from: new Date(0), to: new Date(Date.now() + 60_000) })).to.be.at.most(PAGE + 1);
  });

  it('is what a consignment was scanned', async () => {
    const id = newUuid();
    await stand.query('insert into consignments (id, org_id, created_at) values ($1, $2, now())', [
      id,
      stand.orgId,
    ]);
    await stand.query(
      `insert into consignment_units (consignment_id, unit_id, org_id, job_id) select $1, unnest($3::uuid[]), $2, $1`,
      [id, stand.orgId, unitIds],
    );
    expect(await reading({ consignmentId: id })).to.be.at.most(2 * PAGE + 1);
  });

  it('is the batch that a job goes over', async () => {
    const job = {
      id: newUuid(),
      org_id: stand.orgId,
      source: { kind: 'batch', batchId } as const,
      cursor: null,
    };
    const listed = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await listSourceUnits(db, job, LARGE)).to.have.length(PAGE);
    });
    expect(listed).to.equal(PAGE);
    const counted = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await countUnitsByStatus(db, stand.orgId, batchId)).to.include({ active: PAGE });
    });
    expect(counted).to.be.at.most(2 * PAGE);
  });

  it('is the recalls that are lifted', async () => {
    const units = await stand.query<{ id: string }>('select id from product_units where batch_id = $1', [
      batchId,
    ]);
    const ids = units.map(({ id }) => id);
    const read = await rowsReadBy(stand.database.pool, (db) =>
      liftRecallsOf(db, stand.orgId, 'unit', ids, new Date()),
    );
    expect(read).to.be.at.most(4 * PAGE);
  });
});
