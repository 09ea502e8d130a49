import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { noteSweep, startHeartbeat } from '../../../shared/installation/heartbeats.ts';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { contactMessage } from '../../../shared/mail/messages.ts';
import { postMail } from '../../../shared/mail/outbox.ts';
import { QUEUE_NAMES } from '../../../shared/queues.ts';
import { CANARY, createTestApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';
import { createWebhookBench } from '../../support/webhook-turns.ts';

describe('GET /ops/status', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const basic = (password: string) => `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`;
  const status = async () =>
    (await api.http().get('/ops/status').set('Authorization', basic(CANARY.operatorPassword)).expect(200))
      .body;

  it('is the operator’s alone, and makes no browser ask for a password', async () => {
    const org = await api.createOrganization();
    for (const authorization of [basic('wrong'), `Bearer ${org.key}`, '']) {
      const answer = await api.http().get('/ops/status').set('Authorization', authorization);
      expectProblem(answer, 'UNAUTHENTICATED');
      expect(answer.headers['www-authenticate']).to.match(/^Operator /);
    }
  });

  it('shows services, processes that were heard of lately, and the last sweep', async () => {
    const web = startHeartbeat(api.deps, 'web');
    const scans = startHeartbeat(api.deps, 'worker-scans');
    await noteSweep(api.deps, 12.4, { jobs: 2, endpoints: 0 });
    const first = await status();
    expect(first.postgres.version).to.match(/^\d+/);
    expect(first.redis.version).to.match(/^\d+/);
    expect(first.processes.map((one: { process: string }) => one.process)).to.deep.equal([
      'web',
      'worker-scans',
    ]);
    expect(first.sweeper.last).to.deep.include({ ms: 12, did: { jobs: 2 } });
    expect(first.sweeper.isLate).to.equal(false);
    await scans.stop();
    expect((await status()).processes).to.have.length(1);
    api.clock.advance(60_000);
    const later = await status();
    expect(later.processes).to.deep.equal([]);
    expect(later.sweeper.isLate).to.equal(true);
    await web.stop();
  });

  it('shows what waits: in every queue, and since when in the database', async () => {
    const org = await api.createOrganization();
    const job = await org.startJob((await org.createBatch()).id);
    api.clock.advance(90_000);
    const { queues, oldestDue } = await status();
    expect(queues.map(({ name }: { name: string }) => name)).to.deep.equal([...QUEUE_NAMES]);
    expect(queues[0]).to.include({ name: 'mint-barcodes', waiting: 8, failed: 0 });
    expect(oldestDue.barcodeChunks.seconds).to.equal(90);
    expect(oldestDue.scans).to.equal(null);
    await api.runJob(job.id);
    expect((await status()).oldestDue.barcodeChunks).to.equal(null);
  });

  it('shows since when scans wait to be scored and mails to be sent, and nothing of a job that is cancelled', async () => {
    const org = await api.createOrganization();
    const { units } = await org.mintUnits(1);
    const job = await org.startJob((await org.createBatch()).id);
    await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    await api.verify(units[0]!.token).expect(200);
    const words = contactMessage({ name: 'Ada', email: 'ada@example.com', message: 'Hello' });
    await withTransaction(api.database.pool, (uow) =>
      postMail(api.deps, uow, 'contact', 'desk@example.com', words),
    );
    api.clock.advance(90_000);
    const { oldestDue } = await status();
    expect(oldestDue.barcodeChunks).to.equal(null);
    expect(oldestDue.scans.seconds).to.equal(90);
    expect(oldestDue.mails.seconds).to.equal(90);
  });

  it('shows since when events wait to be delivered, but for those whose endpoint is held or disabled', async () => {
    const org = await api.createOrganization();
    const { id } = await org.createEndpoint();
    const bench = createWebhookBench({ db: api.deps.db, clock: api.clock, secretBox: api.deps.secretBox });
    await bench.recordScans(org.uuid, 1);
    api.clock.advance(90_000);
    expect((await status()).oldestDue.webhookDispatches.seconds).to.equal(90);
    const hold = (until: Date) =>
      api.deps.db.query('update webhook_endpoints set held_until = $2 where id = $1', [
        decodeId('whep', id),
        until,
      ]);
    // The receiver asked for patience, or in FIFO order the event in front waits for its next attempt.
    await hold(new Date(api.clock.now().getTime() + 1_000));
    expect((await status()).oldestDue.webhookDispatches).to.equal(null);
    api.clock.advance(1_000);
    expect((await status()).oldestDue.webhookDispatches.seconds).to.equal(91);
    await org.post(`/webhook-endpoints/${id}/disable`).expect(200);
    expect((await status()).oldestDue.webhookDispatches).to.equal(null);
  });

  it('shows since when bulk jobs, trials of policies, exports, photos and domains wait that nobody works on', async () => {
    const org = await api.createOrganization();
    const { db } = api.deps;
    const due = api.clock.now();
    const values = [newUuid(), org.uuid, due];
    for (const table of ['scan_exports', 'unit_exports'])
      await db.query(
        `insert into ${table} (id, org_id, format, filter, due_at, created_at) values ($1, $2, 'csv', '{}', $3, $3)`,
        values,
      );
    await db.query(
      `insert into risk_simulations (id, org_id, policy, from_at, to_at, total, due_at, created_at)
       values ($1, $2, '{}', $3::timestamptz - interval '1 day', $3, 0, $3, $3)`,
      values,
    );
    await db.query(
      `insert into bulk_jobs (id, org_id, action, source, phase, due_at, created_at)
       values ($1, $2, 'suspend', '{"kind": "items", "by": "unitId", "productId": null}', 'work', $3, $3)`,
      values,
    );
    await db.query(
      `with report as (insert into counterfeit_reports (id, org_id, description, created_at, updated_at)
                       values ($1, $2, 'x', $3, $3) returning id)
       insert into counterfeit_report_photos (id, report_id, position, original_key, due_at, created_at)
       select $1, id, 1, 'x', $3, $3 from report`,
      values,
    );
    await db.query(
      `insert into organization_domains (org_id, name, record, due_at, requested_at, created_at)
       values ($1, 'example.com', 'x', $2, $2, $2)`,
      [org.uuid, due],
    );
    api.clock.advance(90_000);
    const { oldestDue } = await status();
    expect(oldestDue.domains.seconds).to.equal(90);
    expect(oldestDue.bulkJobs.seconds).to.equal(90);
    expect(oldestDue.reportPhotos.seconds).to.equal(90);
    expect(oldestDue.scanExports.seconds).to.equal(90);
    expect(oldestDue.unitExports.seconds).to.equal(90);
    expect(oldestDue.simulations.seconds).to.equal(90);
    const leaseUntil = new Date(api.clock.now().getTime() + 1_000);
    for (const table of [
      'scan_exports',
      'unit_exports',
      'risk_simulations',
      'bulk_jobs',
      'counterfeit_report_photos',
      'organization_domains',
    ])
      await db.query(`update ${table} set lease_until = $1`, [leaseUntil]);
    expect((await status()).oldestDue).to.include({
      scanExports: null,
      unitExports: null,
      simulations: null,
      bulkJobs: null,
      reportPhotos: null,
      domains: null,
      signIns: null,
    });
  });
});
