import { expect } from 'chai';
import { newCases } from '../../../shared/alerts/repository.ts';
import { waitingCases } from '../../../shared/attention/repository.ts';
import { findConsignmentUnits } from '../../../shared/consignments/unit-repository.ts';
import { newUuid } from '../../../shared/ids.ts';
import { listCases } from '../../../shared/risk-cases/service.ts';
import { rowsReadBy } from '../../support/rows-read.ts';
import { createUncountedUnits, type UncountedUnits } from '../../support/uncounted-units.ts';

const UNITS = 3_000;
const NAMED = 20;
const CONSIGNED = 40;

interface Unit {
  id: string;
  serial: string;
  code: Buffer;
}

describe('the units of an organization that Postgres has not counted yet', () => {
  let stand: UncountedUnits;
  /** Its newest: who reads from the first on reads them all. */
  let units: Unit[];
  let ids: string[];

  before(async () => {
    stand = await createUncountedUnits({ gtin: '04006381333931', units: UNITS });
    units = await stand.query<Unit>(
      'select id, serial, code from product_units where product_id = $1 and ordinal >= $2 order by id',
      [stand.productId, UNITS - NAMED],
    );
    ids = units.map(({ id }) => id);
    await stand.query(
      `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, suspicious_scans, max_score, signals,
                               first_scan_id, last_scan_id, opened_at, updated_at)
       select uuidv7(), $1, unit_id, $2, $3, 1, 80, '{clone}', uuidv7(), uuidv7(), now(), now()
         from unnest($4::uuid[]) as unit_id`,
      [stand.orgId, stand.productId, stand.batchId, ids],
    );
  });
  after(() => stand.database.drop());

  it('are found in a consignment by serials and codes', async () => {
    const consignmentId = newUuid();
    await stand.query(
      `insert into consignments (id, org_id, reference, created_at) values ($1, $2, 'C1', now())`,
      [consignmentId, stand.orgId],
    );
    await stand.query(
      `insert into consignment_units (consignment_id, org_id, unit_id, held, job_id)
       select $1, $2, id, true, $1 from product_units where product_id = $3 and ordinal >= $4`,
      [consignmentId, stand.orgId, stand.productId, UNITS - CONSIGNED],
    );
    const [first, second] = [units.slice(0, NAMED / 2), units.slice(NAMED / 2)];
    const read = await rowsReadBy(stand.database.pool, async (db) => {
      const found = await findConsignmentUnits(db, stand.orgId, consignmentId, {
        serials: first.map(({ serial }) => serial),
        codes: second.map(({ code }) => code),
        unitIds: [],
      });
      expect(found.map(({ unit_id }) => unit_id)).to.have.members(ids);
    });
    expect(read).to.be.below(UNITS / 4);
  });

  it('are counted anew before they are many, whatever else the table holds', async () => {
    const [{ reloptions }] = (await stand.query<{ reloptions: string[] }>(
      `select reloptions from pg_class where oid = 'product_units'::regclass`,
    )) as [{ reloptions: string[] }];
    expect(reloptions).to.include.members([
      'autovacuum_analyze_scale_factor=0',
      'autovacuum_analyze_threshold=100000',
    ]);
  });

  it('are told of with what waits for somebody', async () => {
    const waiting = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await waitingCases(db, stand.orgId, 5)).to.have.length(5);
    });
    expect(waiting).to.be.at.most(5 * NAMED);
    const period = { after: new Date(0), until: new Date(Date.now() + 60_000) };
    const fresh = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await newCases(db, stand.orgId, period, { top: 5, most: 1_000 })).to.have.length(5);
    });
    expect(fresh).to.be.at.most(5 * NAMED);
  });

  it('are looked for by serial among those that have a case', async () => {
    const read = await rowsReadBy(stand.database.pool, async (db) => {
      const page = { limit: 2 * NAMED, beforeId: null };
      const { rows } = await listCases(db, stand.orgId, { q: 'S00' }, page);
      expect(rows).to.have.length(NAMED);
    });
    expect(read).to.be.at.most(2 * NAMED);
  });
});
