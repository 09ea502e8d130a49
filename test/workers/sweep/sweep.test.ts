import { expect } from 'chai';
import { createPool, withTransaction } from '../../../shared/db.ts';
import { nameDomain, removeDomain } from '../../../shared/domains/service.ts';
import { claim, settleFailure } from '../../../shared/exports/write.ts';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { contactMessage } from '../../../shared/mail/messages.ts';
import { postMail } from '../../../shared/mail/outbox.ts';
import { PARTITIONED_TABLES } from '../../../shared/partitions/service.ts';
import type { Waker } from '../../../shared/queues.ts';
import { newCircuit } from '../../../shared/webhooks/circuit-breaker.ts';
import { housekeep, sweep } from '../../../workers/sweep/sweep.ts';
import { checkDomains } from '../../../workers/check-domains/processor.ts';
import { signPeopleIn } from '../../../workers/sign-people-in/processor.ts';
import { cleanPhotos } from '../../../workers/clean-photos/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { smallPng } from '../../support/photos.ts';

const DAY_MS = 24 * 3600_000;

/** A waker that only remembers. */
function recordingWaker() {
  const woken: string[] = [];
  const waker: Waker = {
    mintBarcodes: async (ids) => void woken.push(...ids.map((id) => `mint ${id}`)),
    mintBarcodesLater: async () => undefined,
    scoreScans: async (slots) => void woken.push(`score ${slots}`),
    fanOutEvents: async () => undefined,
    deliverWebhooks: async (ids) => void woken.push(...ids.map((id) => `deliver ${id}`)),
    sendMail: async () => void woken.push('mail'),
    sendMailLater: async () => undefined,
    recoverWebhooks: async (ids) => void woken.push(...ids.map((id) => `recover ${id}`)),
    simulateRiskPolicies: async (ids) => void woken.push(...ids.map((id) => `simulate ${id}`)),
    runBulkJobs: async (ids) => void woken.push(...ids.map((id) => `bulk ${id}`)),
    cleanPhotos: async () => void woken.push('photos'),
    checkDomains: async () => void woken.push('domains'),
    signPeopleIn: async () => void woken.push('sign-ins'),
    writeExports: async (kind, ids) => void woken.push(...ids.map((id) => `export of ${kind} ${id}`)),
  };
  return { waker, woken };
}

describe('the sweeper', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const swept = async () => {
    const { waker, woken } = recordingWaker();
    await sweep({ ...api.workerDeps, waker });
    return woken;
  };

  it('leaves everything asleep that has nothing to do', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token);
    await api.score();
    await org.createEndpoint({ events: ['consignment.recalled'] });
    expect(await swept()).to.deep.equal([]);
  });

  it('finds a domain that is due, and none that was looked at', async () => {
    await withTransaction(api.deps.db, (uow) =>
      nameDomain({ ...api.deps, waker: recordingWaker().waker }, uow, org.uuid, 'example.com'),
    );
    expect(await swept()).to.deep.equal(['domains']);
    const lookUpTxt = async () => ({ records: [] });
    expect(await checkDomains({ ...api.workerDeps, lookUpTxt })()).to.deep.equal({ domains: 1 });
    expect(await swept()).to.deep.equal([]);
    await removeDomain(api.deps.db, org.uuid);
  });

  it('finds a provider of single sign-on that nobody looked at', async () => {
    await api.deps.db.query(
      `insert into sign_in_providers (org_id, id, issuer, client_id, secret_sealed, is_required, due_at, created_at, updated_at)
       values ($1, $2, 'https://login.example.com', 'touchstone', 'sealed', false, $3, $3, $3)`,
      [org.uuid, newUuid(), api.clock.now()],
    );
    expect(await swept()).to.deep.equal(['sign-ins']);
    const providers = {
      ...api.workerDeps.providers,
      discover: async () => ({ problem: 'UNREACHABLE' as const }),
    };
    expect(await signPeopleIn({ ...api.workerDeps, providers })()).to.deep.equal({ served: 1 });
    expect(await swept()).to.deep.equal([]);
    await api.deps.db.query('delete from sign_in_providers');
  });

  it('finds an export that nobody writes, and no other', async () => {
    const scans = (await org.post('/scan-exports', {}).expect(202)).body.id;
    const units = (await org.post('/unit-exports', {}).expect(202)).body.id;
    expect(await swept()).to.deep.equal([
      `export of scans ${decodeId('exp', scans)}`,
      `export of units ${decodeId('uexp', units)}`,
    ]);
    await org.post(`/unit-exports/${units}/cancel`).expect(200);
    const writing = { ...api.workerDeps, leaseSeconds: 60 };
    const row = (await claim(writing, 'scans', decodeId('exp', scans)!))!;
    expect(await swept(), 'written by somebody').to.deep.equal([]);
    api.clock.advance(60_000);
    expect(await swept(), 'by nobody any more').to.deep.equal([`export of scans ${decodeId('exp', scans)}`]);
    const dueAt = (await settleFailure(writing, row, new Error('for a moment')))!;
    expect(await swept(), 'that waits a moment').to.deep.equal([]);
    api.clock.set(dueAt);
    expect(await swept()).to.deep.equal([`export of scans ${decodeId('exp', scans)}`]);
    await org.post(`/scan-exports/${scans}/cancel`).expect(200);
    expect(await swept()).to.deep.equal([]);
  });

  it('finds an export also while somebody holds the table of something else, and says what it could not look for', async () => {
    const { body } = await org.post('/unit-exports', {}).expect(202);
    const impatient = createPool({
      databaseUrl: api.database.url,
      max: 1,
      applicationName: 'sweeper',
      lockMs: 50,
      onError: () => undefined,
    });
    const locker = await api.database.pool.connect();
    const { waker, woken } = recordingWaker();
    try {
      await locker.query('begin');
      await locker.query('lock table webhook_recoveries, scan_exports in access exclusive mode');
      const message = await sweep({ ...api.workerDeps, db: impatient, waker }).then(
        () => null,
        (error: Error) => error.message,
      );
      expect(message).to.equal('steps failed: recoveries, scanExports');
    } finally {
      await locker.query('rollback');
      locker.release();
      await impatient.end();
    }
    expect(woken).to.deep.equal([`export of units ${decodeId('uexp', body.id)}`]);
    await org.post(`/unit-exports/${body.id}/cancel`).expect(200);
  });

  it('finds a job whose wake-up was lost, and one whose worker died, but not one that is worked on', async () => {
    const job = await org.startJob((await org.createBatch()).id);
    const uuid = decodeId('job', job.id)!;
    expect(await swept()).to.deep.equal([`mint ${uuid}`]);
    const lease = new Date(api.clock.now().getTime() + 60_000);
    await api.database.pool.query('update barcode_job_chunks set lease_until = $2 where job_id = $1', [
      uuid,
      lease,
    ]);
    expect(await swept()).to.deep.equal([]);
    api.clock.set(lease);
    expect(await swept()).to.deep.equal([`mint ${uuid}`]);
    await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    expect(await swept()).to.deep.equal([]);
  });

  it('finds a bulk job whose wake-up was lost, and one whose worker died', async () => {
    const { batchId } = await org.mintUnits();
    const { body } = await org.post('/product-units/bulk', { action: 'suspend', batchId }).expect(202);
    const uuid = decodeId('bulk', body.id)!;
    expect(await swept()).to.deep.equal([`bulk ${uuid}`]);
    const lease = new Date(api.clock.now().getTime() + 60_000);
    const { pool } = api.database;
    await pool.query(`update bulk_jobs set status = 'running', lease_until = $2 where id = $1`, [
      uuid,
      lease,
    ]);
    expect(await swept()).to.deep.equal([]);
    api.clock.set(lease);
    expect(await swept()).to.deep.equal([`bulk ${uuid}`]);
    await runAllBulkJobs(api);
    expect(await swept()).to.deep.equal([]);
  });

  it('finds a photo that nobody cleans', async () => {
    const { units } = await org.mintUnits();
    await api
      .http()
      .post(`/v/${units[0]!.token}/reports`)
      .field('description', 'Odd')
      .attach('photos', await smallPng(), 'a.png')
      .expect(201);
    expect(await swept()).to.deep.equal(['photos']);
    await cleanPhotos(api.workerDeps)();
    expect(await swept()).to.deep.equal([]);
  });

  it('finds scans that wait longer than a wake-up takes', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    expect(await swept()).to.deep.equal([]);
    api.clock.advance(1_000);
    expect(await swept()).to.deep.equal(['score 4']);
    await api.score();
    expect(await swept()).to.deep.equal([]);
  });

  it('finds a dispatch that is due, and a circuit whose time has come', async () => {
    const { id } = await org.createEndpoint({ events: ['barcode_job.completed'] });
    const uuid = decodeId('whep', id)!;
    const { pool } = api.database;
    await org.mintUnits();
    await pool.query(`delete from webhook_dispatches where endpoint_id <> $1`, [uuid]);
    expect(await swept()).to.deep.equal([`deliver ${uuid}`]);
    const soon = new Date(api.clock.now().getTime() + 5_000);
    await pool.query('update webhook_dispatches set due_at = $1', [soon]);
    expect(await swept()).to.deep.equal([]);
    await pool.query(
      `update webhook_endpoints set circuit_state = 'open', circuit_due_at = $2, circuit = $3 where id = $1`,
      [uuid, soon, JSON.stringify({ ...newCircuit(0), phase: 'open', openUntil: soon.getTime() })],
    );
    await pool.query(`update webhook_dispatches set due_at = $1`, [new Date(0)]);
    expect(await swept()).to.deep.equal([]);
    api.clock.set(soon);
    expect(await swept()).to.deep.equal([`deliver ${uuid}`]);
  });

  it('finds the recovery of an endpoint whose next step is due, and not one that waits for it', async () => {
    const { id } = await org.createEndpoint({ events: ['barcode_job.completed'] });
    const since = new Date(api.clock.now().getTime() - DAY_MS).toISOString();
    const { body } = await org.post(`/webhook-endpoints/${id}/recover`, { since }).expect(202);
    const wanted = `recover ${decodeId('rcv', body.id)}`;
    expect(await swept()).to.include(wanted);
    const soon = new Date(api.clock.now().getTime() + 1_000);
    await api.database.pool.query('update webhook_recoveries set due_at = $1', [soon]);
    expect(await swept()).not.to.include(wanted);
    api.clock.set(soon);
    expect(await swept()).to.include(wanted);
    await org.post(`/webhook-endpoints/${id}/recoveries/${body.id}/cancel`).expect(200);
    expect(await swept()).not.to.include(wanted);
  });

  it('finds a mail that is due, and not one whose next try is to come', async () => {
    const { pool } = api.database;
    const soon = new Date(api.clock.now().getTime() + 1_000);
    await withTransaction(pool, (uow) =>
      postMail(
        { ...api.deps, waker: recordingWaker().waker },
        uow,
        'contact',
        'desk@example.com',
        contactMessage({ name: 'Ada', email: 'ada@example.com', message: 'Hello' }),
      ),
    );
    expect(await swept()).to.include('mail');
    await pool.query('update mails set due_at = $1', [soon]);
    expect(await swept()).not.to.include('mail');
    api.clock.set(soon);
    expect(await swept()).to.include('mail');
    await pool.query('delete from mails');
    expect(await swept()).not.to.include('mail');
  });

  it('tells of a consignment’s planned recall once it has begun, once, and never of one that was lifted before', async () => {
    const { units } = await org.mintUnits(2);
    const [kept, lifted] = await Promise.all(
      units.map(async ({ id }) => (await org.post('/consignments', { units: { unitIds: [id] } })).body.id),
    );
    await runAllBulkJobs(api);
    const startsAt = '2099-01-01T00:00:00.000Z';
    for (const consignmentId of [kept, lifted]) {
      await org.post(`/consignments/${consignmentId}/dispatch`).expect(200);
      await org.post('/recalls', { consignmentId, startsAt, reason: 'Glass' }).expect(201);
    }
    await org.post(`/consignments/${lifted}/lift-recall`).expect(200);
    const told = async () =>
      (await org.get('/events?type=consignment.recalled').expect(200)).body.data.map(
        ({ data }: { data: Record<string, unknown> }) => data,
      );
    await swept();
    expect(await told()).to.deep.equal([]);
    const begun = '2026-11-01T00:00:00.000Z';
    await api.database.pool.query('update recalls set starts_at = $2 where starts_at = $1', [
      startsAt,
      begun,
    ]);
    await Promise.all([swept(), swept()]);
    await swept();
    const [event, ...more] = await told();
    expect(event).to.include({ consignmentId: kept, reason: 'Glass', recalledAt: begun });
    expect(more).to.deep.equal([]);
    await org.post(`/consignments/${kept}/recall`).expect(200);
    expect(await told()).to.have.length(1);
  });

  it('finds a simulation that nobody works on, and not one that somebody holds', async () => {
    const id = newUuid();
    const now = api.clock.now();
    await api.database.pool.query(
      `insert into risk_simulations (id, org_id, policy, from_at, to_at, total, tally, due_at, created_at)
       values ($1, $2, '{}', $3::timestamptz - interval '1 day', $3, 0, '{}', $3, $3)`,
      [id, org.uuid, now],
    );
    expect(await swept()).to.include(`simulate ${id}`);
    await api.database.pool.query('update risk_simulations set lease_until = $1', [
      new Date(now.getTime() + 1_000),
    ]);
    expect(await swept()).not.to.include(`simulate ${id}`);
  });

  it('deletes simulations that finished as long ago as files are kept, and no other', async () => {
    const { pool } = api.database;
    const now = api.clock.now();
    const days = api.workerDeps.config.ARTIFACT_RETENTION_DAYS;
    const insert = async (status: string, finishedAgoMs: number | null) => {
      const id = newUuid();
      await pool.query(
        `insert into risk_simulations (id, org_id, policy, from_at, to_at, total, tally, due_at, created_at, status, finished_at)
         values ($1, $2, '{}', $3::timestamptz - interval '1 day', $3, 0, '{}', $3, $3, $4, $5)`,
        [id, org.uuid, now, status, finishedAgoMs === null ? null : new Date(now.getTime() - finishedAgoMs)],
      );
      return id;
    };
    const old = [await insert('completed', days * DAY_MS + 1), await insert('failed', days * DAY_MS + 1)];
    const kept = [await insert('completed', days * DAY_MS - 1), await insert('running', null)];
    const { simulations } = await housekeep({ ...api.workerDeps, waker: recordingWaker().waker });
    expect(simulations).to.equal(2);
    const { rows } = await pool.query<{ id: string }>('select id from risk_simulations where id = any($1)', [
      [...old, ...kept],
    ]);
    expect(rows.map(({ id }) => id)).to.have.members(kept);
  });

  it('makes scans and events coarse as they come of age', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    await api.score();
    const tidy = () => housekeep({ ...api.workerDeps, waker: recordingWaker().waker });
    await tidy();
    expect(await tidy()).to.deep.include({
      scans: { madeCoarse: 0, droppedPartitions: 0 },
      eventsMadeCoarse: 0,
    });
    // Ids are of real time.
    api.clock.set(new Date(Date.now() + api.workerDeps.config.SCAN_ADDRESS_DAYS * DAY_MS + 1_000));
    const { scans, eventsMadeCoarse } = await tidy();
    expect(scans.madeCoarse).to.be.greaterThan(0);
    expect(eventsMadeCoarse).to.be.greaterThan(0);
  });

  it('makes the partitions of this month and the next three, once', async () => {
    api.clock.set('2031-11-30T23:59:59.000Z');
    const deps = { ...api.workerDeps, waker: recordingWaker().waker };
    expect((await housekeep(deps)).partitions).to.equal(4 * PARTITIONED_TABLES.length);
    const { rows } = await api.database.pool.query(
      `select count(*)::int as n from pg_class where relname ~ '^scans_(2031_1[12]|2032_0[12])$'`,
    );
    expect(rows[0].n).to.equal(4);
    expect((await housekeep(deps)).partitions).to.equal(0);
    api.clock.set('2031-12-01T00:00:00.000Z');
    expect((await housekeep(deps)).partitions).to.equal(PARTITIONED_TABLES.length);
  });
});
