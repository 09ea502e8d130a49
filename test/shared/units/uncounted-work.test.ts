import { expect } from 'chai';
import { countSourceUnits, listSourceUnits } from '../../../shared/bulk-jobs/source-repository.ts';
import { deleteAddedUnits } from '../../../shared/consignments/unit-repository.ts';
import { BEGIN_BY_KEYS, BEGIN_IN_ORDER } from '../../../shared/db.ts';
import { newUuid, newUuids } from '../../../shared/ids.ts';
import { liftRecallsOf } from '../../../shared/recalls/repository.ts';
import { findScans } from '../../../shared/scans/list-repository.ts';
import { makeScansCoarse } from '../../../shared/scans/retention-repository.ts';
import { storeScores } from '../../../shared/scans/scoring-repository.ts';
import { discardWaiting } from '../../../shared/webhooks/dispatch-repository.ts';
import { listDueEndpointIds } from '../../../shared/webhooks/turn.ts';
import { countUnitsByStatus, findUnitFigures, listUnits } from '../../../shared/units/service.ts';
import { rowsReadBy } from '../../support/rows-read.ts';
import { seedScans } from '../../support/scans.ts';
import { createUncountedUnits, type UncountedUnits } from '../../support/uncounted-units.ts';

const UNITS = 3_000;
const NAMED = 100;
const PAGE = { limit: NAMED, beforeId: null };

describe('what workers do in an organization that Postgres has not counted yet', () => {
  let stand: UncountedUnits;

  before(async () => {
    stand = await createUncountedUnits({ gtin: '04006381333931', units: UNITS });
  });
  after(() => stand.database.drop());

  /** A draft with the first units, by their ids. @returns its id, which is its job's as well */
  async function consign(units: number): Promise<string> {
    const consignmentId = newUuid();
    await stand.query(
      `insert into consignments (id, org_id, reference, created_at) values ($1, $2, 'C1', now())`,
      [consignmentId, stand.orgId],
    );
    await stand.query(
      `insert into consignment_units (consignment_id, org_id, unit_id, held, job_id)
       select $1, $2, id, false, $1 from product_units where product_id = $3 order by id limit $4`,
      [consignmentId, stand.orgId, stand.productId, units],
    );
    return consignmentId;
  }

  it('takes a slice of units out of a consignment again and reads no others', async () => {
    await stand.query('alter table consignment_units set (autovacuum_enabled = off)');
    await consign(NAMED);
    await stand.query('analyze consignment_units');
    const consignmentId = await consign(UNITS);
    const read = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await deleteAddedUnits(db, consignmentId, consignmentId, null, NAMED)).to.be.a('string');
    });
    expect(read).to.be.at.most(4 * NAMED);
  });

  it('goes over a batch and reads no other of the organization', async () => {
    const otherId = newUuid();
    await stand.query('insert into batches (id, org_id, product_id, quantity) values ($1, $2, $3, $4)', [
      otherId,
      stand.orgId,
      stand.productId,
      NAMED,
    ]);
    await stand.query(
      `insert into product_units (id, org_id, batch_id, product_id, ordinal, serial, code, token_key, status)
       select uuidv7(), $1, $2, $3, i, 'T' || i, decode('3' || lpad(to_hex(i), 19, '0'), 'hex'), 'k1', 'active'
         from generate_series(0, $4::int - 1) i`,
      [stand.orgId, otherId, stand.productId, NAMED],
    );
    const job = {
      id: newUuid(),
      org_id: stand.orgId,
      source: { kind: 'batch', batchId: otherId } as const,
      cursor: null,
    };
    const listed = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await listSourceUnits(db, job, UNITS)).to.have.length(NAMED);
    });
    expect(listed).to.equal(NAMED);
    const byStatus = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await countUnitsByStatus(db, stand.orgId, otherId)).to.include({ active: NAMED, minted: 0 });
    });
    expect(byStatus).to.be.at.most(2 * NAMED);
    const counted = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await countSourceUnits(db, job)).to.equal(NAMED);
    });
    expect(counted).to.equal(NAMED);
  });

  it('lifts the recalls of a few units and reads no others', async () => {
    const recall = (orgId: string, targets: readonly string[]) =>
      stand.query(
        `insert into recalls (id, org_id, scope, target_id, starts_at, created_at)
         select uuidv7(), $1, 'unit', unnest($2::uuid[]), now(), now()`,
        [orgId, targets],
      );
    await stand.query('alter table recalls set (autovacuum_enabled = off)');
    const otherId = newUuid();
    await stand.query(`insert into organizations (id, name) values ($1, 'Other')`, [otherId]);
    await recall(otherId, newUuids(NAMED));
    await stand.query('analyze recalls');
    const units = await stand.query<{ id: string }>(
      'select id from product_units where product_id = $1 order by id desc',
      [stand.productId],
    );
    const ids = units.map(({ id }) => id);
    await recall(stand.orgId, ids);
    const lifted = ids.slice(0, NAMED / 5);
    const read = await rowsReadBy(stand.database.pool, async (db) => {
      await liftRecallsOf(db, stand.orgId, 'unit', lifted, new Date());
    });
    expect(read).to.be.at.most(4 * lifted.length);
    const stranger = await liftRecallsOf(stand.database.pool, otherId, 'unit', lifted, new Date());
    expect(stranger).to.equal(0);
  });

  describe('with its scans', () => {
    let ids: string[];
    const at = new Date();

    before(async () => {
      const scan = (orgId: string) => ({
        orgId,
        unitId: newUuid(),
        productId: stand.productId,
        batchId: stand.batchId,
        at,
      });
      await stand.query(
        `do $$ declare each regclass; begin
           for each in select inhrelid from pg_inherits where inhparent = 'scans'::regclass loop
             execute format('alter table %s set (autovacuum_enabled = off)', each);
           end loop;
         end $$`,
      );
      const otherId = newUuid();
      await seedScans(
        stand.database,
        Array.from({ length: NAMED }, () => scan(otherId)),
      );
      await stand.query('analyze scans');
      ids = await seedScans(
        stand.database,
        Array.from({ length: UNITS }, () => scan(stand.orgId)),
      );
    });

    it('writes scores down and reads no scan between the first and the last', async () => {
      const scores = [ids[0]!, ids.at(-1)!].map((id) => ({
        id,
        result: 'genuine' as const,
        riskLevel: 'none',
        riskScore: 0,
        signals: [],
      }));
      const read = await rowsReadBy(stand.database.pool, (db) => storeScores(db, scores, new Set()));
      expect(read).to.be.at.most(4 * scores.length);
    });

    it('makes scans coarse and compares none with another', async () => {
      const scans = ids.slice(0, NAMED).map((id, n) => ({ id, signals: n % 2 === 0 ? [] : null }));
      const read = await rowsReadBy(stand.database.pool, (db) => makeScansCoarse(db, scans));
      expect(read).to.equal(NAMED);
    });

    it('exports them in pages and reads of each page no others', async () => {
      const newest = await rowsReadBy(
        stand.database.pool,
        async (db) => {
          expect(await findScans(db, stand.orgId, {}, PAGE)).to.have.length(NAMED);
        },
        BEGIN_IN_ORDER,
      );
      expect(newest).to.equal(NAMED);
      const [{ unit_id: unitId }] = (await stand.query<{ unit_id: string }>(
        'select unit_id from scans where id = $1',
        [ids[0]],
      )) as [{ unit_id: string }];
      const ofUnit = await rowsReadBy(
        stand.database.pool,
        async (db) => {
          expect(await findScans(db, stand.orgId, { unitId }, PAGE)).to.have.length(1);
        },
        BEGIN_IN_ORDER,
      );
      expect(ofUnit).to.equal(1);
    });

    it('exports those with which a hidden code was entered, right or wrong, and reads no others', async () => {
      await stand.query(
        `update scans s set hidden_code_correct = t.is_right
           from unnest($1::uuid[], $2::boolean[]) as t (id, is_right) where s.id = t.id`,
        [ids.slice(0, 3), [true, false, false]],
      );
      for (const [hiddenCode, count] of [['correct', 1] as const, ['wrong', 2] as const]) {
        const read = await rowsReadBy(
          stand.database.pool,
          async (db) => {
            expect(await findScans(db, stand.orgId, { hiddenCode }, PAGE)).to.have.length(count);
          },
          BEGIN_IN_ORDER,
        );
        expect(read, hiddenCode).to.equal(count);
      }
    });

    it('exports its units in pages, with what scans told of each, and reads of each page no others', async () => {
      const { rows: units } = await listUnits(stand.database.pool, stand.orgId, {}, PAGE);
      const unitIds = units.map(({ id }) => id);
      const { orgId, productId, batchId } = stand;
      for (const filter of [{}, { batchId }]) {
        const read = await rowsReadBy(
          stand.database.pool,
          async (db) => {
            expect((await listUnits(db, orgId, filter, PAGE)).rows).to.have.length(NAMED);
          },
          BEGIN_IN_ORDER,
        );
        // Five batches and two products are read through for each unit; of units, no others.
        expect(read, JSON.stringify(filter)).to.be.at.most(20 * NAMED);
      }
      // In a month that was empty when it was counted; those of the units are the oldest.
      const nextMonth = new Date(at.getTime() + 32 * 86_400_000);
      await stand.query(
        `insert into scans (id, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score, assessment)
         select (lpad(to_hex((extract(epoch from $5::timestamptz) * 1000)::bigint + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
                $1, unit_id, $2, $3, $5, 'genuine', 'none', 0, 'final'
           from unnest($4::uuid[]) with ordinality as t (unit_id, n)`,
        [orgId, productId, batchId, [...unitIds, ...Array.from({ length: UNITS }, newUuid)], nextMonth],
      );
      await stand.query(
        `insert into unit_risk_profiles (unit_id, org_id, scan_count, first_scanned_at)
         select id, $1, 1, $3 from unnest($2::uuid[]) as id`,
        [orgId, unitIds, at],
      );
      const read = await rowsReadBy(stand.database.pool, async (db) => {
        const figures = await findUnitFigures(db, orgId, unitIds);
        expect([...figures.values()].every(({ scans }) => scans === 1)).to.equal(true);
      });
      expect(read).to.be.at.most(5 * NAMED);
    });
  });

  it('finds its endpoint that has something to send and reads nothing that waits for others', async () => {
    const endpoint = async (orgId: string, waiting: number) => {
      const endpointId = newUuid();
      await stand.query(
        `insert into webhook_endpoints (id, org_id, url, events) values ($1, $2, 'https://olivaia.example/', '{*}')`,
        [endpointId, orgId],
      );
      await stand.query(
        `insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
         select uuidv7(), $1, $2, now() - interval '1 second' from generate_series(1, $3::int)`,
        [endpointId, orgId, waiting],
      );
      return endpointId;
    };
    const otherId = newUuid();
    await stand.query(`insert into organizations (id, name) values ($1, 'Other')`, [otherId]);
    await endpoint(otherId, UNITS);
    await stand.query('analyze webhook_dispatches, webhook_endpoints');
    const endpointId = await endpoint(stand.orgId, 1);
    const read = await rowsReadBy(stand.database.pool, async (db) => {
      expect(await listDueEndpointIds(db, stand.orgId, new Date())).to.deep.equal([endpointId]);
    });
    expect(read).to.be.at.most(NAMED / 10);
  });

  it('discards what waits for a deleted endpoint and reads nothing that was sent to it', async () => {
    const endpointId = newUuid();
    // So many that reading all that was sent seems cheaper than a look-up for each.
    const waiting = UNITS / 2;
    await stand.query(
      `insert into webhook_dispatches (event_id, endpoint_id, org_id, due_at)
       select uuidv7(), $1, $2, now() from generate_series(1, $3::int)`,
      [endpointId, stand.orgId, waiting],
    );
    await stand.query(
      `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, settled_at, outcome)
       select uuidv7(), $1, $2, uuidv7(), 'scan.recorded', 1, now(), now(), 'delivered' from generate_series(1, $3::int)`,
      [stand.orgId, endpointId, UNITS],
    );
    await stand.query('analyze webhook_dispatches, webhook_deliveries');
    const now = new Date();
    const read = await rowsReadBy(
      stand.database.pool,
      async (db) => {
        await discardWaiting(db, endpointId, { deletedAt: now, now, limit: waiting });
      },
      BEGIN_BY_KEYS,
    );
    // Each when it is taken and when it is discarded.
    expect(read).to.equal(2 * waiting);
  });
});
