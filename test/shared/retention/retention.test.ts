import { expect } from 'chai';
import { readSummary, rollUp } from '../../../shared/analytics/service.ts';
import { scanRecorded } from '../../../shared/events/event-examples.ts';
import { recordEvents } from '../../../shared/events/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { newUuid, uuidFloor } from '../../../shared/ids.ts';
import { ensureMonthPartitions } from '../../../shared/partitions/repository.ts';
import { applyOrganizationRetention, dropExpiredScans } from '../../../shared/retention/service.ts';
import { deleteOldestScans, listUnitsWithExactScans } from '../../../shared/scans/retention-repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { countingReads } from '../../support/rows-read.ts';
import { startStand, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;
const SCANS = 5;

describe('retention of an organization', () => {
  let stand: Stand;
  let other: string;

  before(async () => {
    stand = await startStand({ SCAN_RETENTION_DAYS: '100', EVENT_RETENTION_DAYS: '90' });
    const { pool } = stand.database;
    const unit = await stand.mintUnit();
    await stand.call('POST', '/api/v1/webhook-endpoints', { url: 'https://example.com/hook', events: ['*'] });
    for (let i = 0; i < SCANS; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      expect((await fetch(`${stand.origin}/v/${unit.token}`, { headers })).status).to.equal(200);
    }
    await stand.score();
    await rollUp(pool);
    // A neighbour with the same data, who keeps it as long as the installation does.
    other = newUuid();
    await pool.query('insert into organizations (id, name) values ($1, $2)', [other, 'Neighbour']);
    await pool.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score)
       select (left(id::text, 24) || right(gen_random_uuid()::text, 12))::uuid, $1, unit_id, product_id, batch_id, at, result,
              risk_level, risk_score from scans`,
      [other],
    );
    const event = { type: 'scan.recorded', orgId: other, productId: null, data: scanRecorded } as const;
    await withTransaction(stand.deps.db, (uow) => recordEvents(stand.deps, uow, [event]));
    await pool.query(
      `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at)
       select event_id, org_id, endpoint_id, event_id, 'scan.recorded', 1, due_at from webhook_dispatches`,
    );
  });
  after(() => stand?.close());

  const keep = (scans: number, events: number) =>
    stand.database.pool.query(
      'update organizations set scan_retention_days = $2, event_retention_days = $3 where id = $1',
      [stand.orgId, scans, events],
    );
  const apply = (days: number, options = { batch: 2, mostBatches: 100 }) => {
    stand.resetClock();
    stand.advance(days * DAY);
    return applyOrganizationRetention(stand.deps, options);
  };
  const left = async (orgId: string) => {
    const { rows } = await stand.database.pool.query<Record<string, number>>(
      `select (select count(*)::int from scans where org_id = $1) as scans,
              (select count(*)::int from events where org_id = $1) as events,
              (select count(*)::int from webhook_dispatches where org_id = $1) as dispatches,
              (select count(*)::int from webhook_deliveries where org_id = $1) as deliveries`,
      [orgId],
    );
    return rows[0]!;
  };
  const figures = () =>
    readSummary(stand.deps.db, {
      orgId: stand.orgId,
      from: new Date(stand.now().getTime() - 400 * DAY),
      to: new Date(stand.now().getTime() + DAY),
    });

  it('leaves alone who keeps as long as the installation, and what is young', async () => {
    expect(await apply(89)).to.deep.equal({ scans: 0, events: 0 });
    await keep(30, 7);
    expect(await apply(6)).to.deep.equal({ scans: 0, events: 0 });
  });

  it('deletes scans of that age, and those of nobody else; figures stay', async () => {
    await keep(30, 90);
    await apply(29);
    expect((await left(stand.orgId)).scans).to.equal(SCANS);
    const before = await figures();
    expect(await apply(31)).to.deep.equal({ scans: SCANS, events: 0 });
    await rollUp(stand.deps.db);
    expect(await figures()).to.deep.equal(before);
    expect(before).to.deep.include({ scans: SCANS });
    expect((await left(stand.orgId)).scans).to.equal(0);
    expect((await left(other)).scans).to.equal(SCANS);
  });

  it('deletes events with their dispatches and deliveries, so many batches at a time', async () => {
    await keep(100, 7);
    const before = await left(stand.orgId);
    expect(before.events).to.be.greaterThan(4);
    expect(before.dispatches).to.equal(before.events);
    expect(before.deliveries).to.equal(before.events);
    expect(await apply(8, { batch: 2, mostBatches: 2 })).to.deep.equal({ scans: 0, events: 4 });
    const half = before.events! - 4;
    expect(await left(stand.orgId)).to.include({ events: half, dispatches: half, deliveries: half });
    await apply(8);
    expect(await left(stand.orgId)).to.include({ events: 0, dispatches: 0, deliveries: 0 });
    expect((await left(other)).events).to.equal(1);
  });

  it('comes to every organization, however many want less', async () => {
    const { pool } = stand.database;
    await pool.query(
      `insert into organizations (id, name, event_retention_days)
       select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'Brief', 7 from generate_series(1, 1000) i`,
    );
    await pool.query('update organizations set event_retention_days = 7 where id = $1', [other]);
    expect(await apply(8)).to.deep.equal({ scans: 0, events: 1 });
    expect((await left(other)).events).to.equal(0);
  });

  it('is that of all others too where that of one is hindered, which is told', async () => {
    const { pool } = stand.database;
    const [first, last] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000001000'];
    const event = (orgId: string) =>
      ({ type: 'scan.recorded', orgId, productId: null, data: scanRecorded }) as const;
    stand.resetClock();
    await withTransaction(stand.deps.db, (uow) => recordEvents(stand.deps, uow, [event(first), event(last)]));
    await pool.query(
      `create function hinder() returns trigger language plpgsql as $$ begin raise exception 'hindered'; end $$;
       create trigger hindered before delete on events for each row when (old.org_id = '${first}') execute function hinder()`,
    );
    const hindered = await apply(8).catch((error: Error) => error.message);
    await pool.query('drop trigger hindered on events; drop function hinder');
    expect(hindered).to.equal('hindered');
    expect([(await left(first)).events, (await left(last)).events]).to.deep.equal([1, 0]);
    expect(await apply(8)).to.deep.equal({ scans: 0, events: 1 });
  });

  it('ends with the installation’s own for everybody: whole months of scans are dropped', async () => {
    const { pool } = stand.database;
    await ensureMonthPartitions(pool, 'scans', new Date('2025-01-01'), new Date('2025-02-01'));
    const old = uuidFloor(new Date('2025-01-15'));
    await pool.query(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score)
       select $1, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score from scans limit 1`,
      [old],
    );
    stand.resetClock();
    expect(await dropExpiredScans(stand.deps)).to.be.greaterThan(1);
    expect((await pool.query('select 1 from scans where id = $1', [old])).rows).to.deep.equal([]);
    expect((await left(other)).scans).to.equal(SCANS);
  });
});

describe('retention of an organization beside one that keeps its scans for longer', () => {
  const DAYS = 43;
  const FEW = 20;
  const now = new Date('2026-06-20T00:00:00Z');
  let database: TestDatabase;
  let orgId: string;

  before(async () => {
    database = await createTestDatabase();
    const { pool } = database;
    await ensureMonthPartitions(pool, 'scans', new Date('2026-02-01'), now);
    orgId = newUuid();
    for (const [id, days, scans] of [
      [newUuid(), 120, 24_000],
      [orgId, DAYS + 1, 9_000],
    ])
      await pool.query(
        `insert into scans (id, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score)
         select (left(uuid_floor(t.at)::text, 14) || right(gen_random_uuid()::text, 22))::uuid, $1, $1, $1, $1, t.at, 'genuine',
                'none', 0
           from (select $2::timestamptz - $3::float8 * i / $4::integer * interval '1 day' as at
                   from generate_series(1, $4::integer) as i) t`,
        [id, now, days, scans],
      );
    await pool.query('analyze scans');
  });
  after(() => database.drop());

  it('reads what it deletes, and not what the other has', async () => {
    const { db, read } = countingReads(database.pool);
    const before = new Date(now.getTime() - DAYS * DAY);
    await listUnitsWithExactScans(db, orgId, before, FEW);
    expect(read()).to.be.at.most(3 * FEW);
    expect(await deleteOldestScans(db, orgId, before, FEW)).to.deep.equal({ seen: FEW, deleted: FEW });
    expect(read()).to.be.at.most(3 * FEW);
  });

  it('goes on to the end past a scan that waits to be scored again', async () => {
    const { pool } = database;
    await pool.query('insert into organizations (id, name, scan_retention_days) values ($1, $2, $3)', [
      orgId,
      'Olivaia',
      DAYS,
    ]);
    await pool.query(
      `update scans set assessment = 'preliminary', scorings = 1
        where id = (select id from scans where org_id = $1 order by at limit 1)`,
      [orgId],
    );
    const config = { SCAN_RETENTION_DAYS: 100, EVENT_RETENTION_DAYS: 90 };
    const deps = { db: pool, clock: { now: () => now }, config };
    const { scans } = await applyOrganizationRetention(deps, { batch: FEW, mostBatches: 100 });
    expect(scans).to.be.greaterThan(5 * FEW);
    const due = [orgId, uuidFloor(new Date(now.getTime() - DAYS * DAY))];
    const { rows } = await pool.query('select scorings from scans where org_id = $1 and id < $2', due);
    expect(rows).to.deep.equal([{ scorings: 1 }]);
  });
});
