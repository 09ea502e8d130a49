import { expect } from 'chai';
import { startServices, type Services } from '../../launcher/services.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { findLastSweep } from '../../shared/installation/heartbeats.ts';
import { createSimulation } from '../../shared/risk-simulations/service.ts';
import { startScanExport } from '../../shared/exports/scans.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpsReceiver, type HttpsReceiver } from '../support/https-receiver.ts';
import { createInstallation, startProgram, type Installation } from '../support/processes.ts';
import { seedScans } from '../support/scans.ts';
import {
  seedBatch,
  seedEndpoint,
  seedEvents,
  seedJob,
  seedOrganization,
  seedUnits,
} from '../support/seed.ts';
import { testServices } from '../support/services.ts';
import { createTestCa } from '../support/tls.ts';

const UNITS = 10_000;
const CHUNK_UNITS = 500;

describe('a Redis in trouble', function () {
  this.timeout(60_000);
  let services: Services;
  let receiver: HttpsReceiver;
  let installation: Installation;

  before(async () => {
    const { databaseUrl } = await testServices();
    // A Redis of its own: what happens to it would hurt every other test file.
    services = await startServices({
      dataDir: '',
      ephemeral: true,
      log: console.log,
      env: { DATABASE_URL: databaseUrl },
    });
    const ca = createTestCa();
    receiver = await startHttpsReceiver(ca.certFor('127.0.0.1'));
    installation = await createInstallation({
      REDIS_URL: services.redisUrl,
      MINT_CHUNK_UNITS: String(CHUNK_UNITS),
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: ca.caFile,
    });
  });
  after(async () => {
    await installation.remove();
    await receiver.close();
    await services.stop();
  });

  const count = async (sql: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await installation.core.db.query<{ n: number }>(sql, values);
    return rows[0]!.n;
  };

  it('loses no job and no waiting retry with all that Redis holds', async () => {
    // Of another organization, so that no event of the job's wakes them by the way.
    const other = { ...installation, orgId: await seedOrganization(installation) };
    await seedEndpoint(other, `https://127.0.0.1:${receiver.port}/hook`);
    await seedEvents(other, 3);
    receiver.respond = (response) => response.writeHead(503).end();
    const [barcodes] = await Promise.all([
      installation.startWorker('barcodes'),
      installation.startWorker('webhooks', 'maintenance'),
    ]);
    await eventually(
      'every delivery to wait for its retry',
      async () =>
        (await count(
          `select count(*) as n from webhook_dispatches where state = 'pending' and attempts = 1 and lease_until is null`,
        )) === 3,
    );
    receiver.respond = (response) => response.writeHead(204).end();
    const { batchId } = await seedBatch(installation, UNITS);
    const jobId = await seedJob(installation, batchId, CHUNK_UNITS);
    const done = () =>
      count(
        `select coalesce(sum(units), 0) as n from barcode_job_chunks where job_id = $1 and state = 'done'`,
        jobId,
      );
    await eventually('some chunks done', async () => (await done()) >= 2 * CHUNK_UNITS);
    await installation.core.redis.flushall();
    // A worker that goes on adds wake-ups of its own; after its end there is nothing but the rows.
    await barcodes.end('SIGKILL');
    await installation.core.redis.flushall();
    expect(await done(), 'the job was over already').to.be.lessThan(UNITS);
    await installation.startWorker('barcodes');

    await eventually(
      'the job’s completion',
      async () =>
        (await count(
          `select count(*) as n from barcode_jobs where id = $1 and status = 'completed'`,
          jobId,
        )) === 1,
      30_000,
    );
    expect(
      await count('select count(distinct code) as n from product_units where batch_id = $1', batchId),
    ).to.equal(UNITS);
    await eventually(
      'every dispatch delivered',
      async () =>
        (await count(`select count(*) as n from webhook_dispatches where state <> 'delivered'`)) === 0,
      20_000,
    );
    const { rows: events } = await installation.core.db.query<{ id: string }>(
      'select id from events where org_id = $1',
      [other.orgId],
    );
    const received = new Set(receiver.requests.map(({ headers }) => headers['x-service-event-id']));
    for (const { id } of events) expect(received.has(encodeId('evt', id)), id).to.equal(true);
  });

  it('loses no export and no simulation with all that Redis holds, waiting or under way, and does none twice', async () => {
    await installation.endAll();
    const { core } = installation;
    const other = { ...installation, orgId: await seedOrganization(installation) };
    await seedUnits(other, 1);
    const { rows: units } = await core.db.query<{ id: string; batch_id: string; product_id: string }>(
      'select id, batch_id, product_id from product_units where org_id = $1',
      [other.orgId],
    );
    const [{ id: unitId, batch_id: batchId, product_id: productId }] = units as [(typeof units)[0]];
    const scan = { orgId: other.orgId, unitId, batchId, productId, at: core.clock.now() };
    await seedScans({ pool: core.db }, [scan]);
    const begin = () =>
      withTransaction(core.db, async (uow) => {
        await startScanExport(core, uow, other.orgId, { format: 'csv', filter: {} });
        await createSimulation(core, uow, other.orgId, { policy: {}, productId: null, from: null, to: null });
      });
    const jobs = async () => {
      const { rows } = await core.db.query<{ status: string; lease_epoch: number; lease_until: Date | null }>(
        `select status, lease_epoch, lease_until from scan_exports where org_id = $1
         union all select status, lease_epoch, lease_until from risk_simulations where org_id = $1`,
        [other.orgId],
      );
      return rows;
    };
    const areAll = async (status: string) => (await jobs()).every((job) => job.status === status);

    await begin();
    await core.redis.flushall();
    await Promise.all([installation.startWorker('maintenance'), installation.startWorker('maintenance')]);
    await eventually('what waited to be done', () => areAll('completed'));

    // What both read, so that they stay in the middle for longer than their leases.
    const locker = await core.db.connect();
    await core.db.query('delete from scan_exports');
    await core.db.query('delete from risk_simulations');
    try {
      await locker.query('begin');
      await locker.query('lock table product_units in access exclusive mode');
      await begin();
      await eventually('both under way', () => areAll('running'));
      await core.redis.flushall();
      const leasesEnd = Math.max(...(await jobs()).map((job) => job.lease_until!.getTime()));
      const sweepsSince = new Set<string>();
      await eventually('two sweeps behind the leases of the beginning', async () => {
        const at = (await findLastSweep(core))?.at;
        if (at !== undefined && Date.parse(at) > leasesEnd) sweepsSince.add(at);
        return sweepsSince.size > 1;
      });
    } finally {
      await locker.query('rollback');
      locker.release();
    }
    await eventually('what was under way to be done', () => areAll('completed'));
    expect((await jobs()).map((job) => job.lease_epoch)).to.deep.equal([1, 1]);
  });

  it('keeps every process from starting where it may evict keys', async () => {
    await installation.core.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await Promise.all(
      ['api/main.js', 'workers/main.js'].map(async (program) => {
        const refused = await startProgram(program, [], installation.env);
        expect(await refused.ended, program).to.equal('exit code 1');
        expect(refused.output()).to.include('maxmemory-policy is "allkeys-lru"').and.include('noeviction');
      }),
    );
  });
});
