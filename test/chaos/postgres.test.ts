import path from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../launcher/free-port.ts';
import { openLedger } from '../../launcher/ledger.ts';
import { startPostgres } from '../../launcher/postgres.ts';
import { encodeId } from '../../shared/ids.ts';
import { migrateToLatest } from '../../shared/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpsReceiver, type HttpsReceiver } from '../support/https-receiver.ts';
import { createInstallation, type Installation } from '../support/processes.ts';
import { makeScratch } from '../support/scratch.ts';
import { seedEndpoint, seedEvents, seedUnits } from '../support/seed.ts';
import { createTestCa } from '../support/tls.ts';

const EVENTS = 2_000;

describe('a Postgres that is stopped and started again', function () {
  this.timeout(90_000);
  const scratch = makeScratch();
  let port: number;
  let server: { url: string; stop: () => Promise<void> };
  let receiver: HttpsReceiver;
  let installation: Installation;

  // A cluster of its own: what happens to it would end every other test file.
  const start = () =>
    startPostgres({
      dataDir: scratch.folder,
      ephemeral: true,
      ledger: openLedger(path.join(scratch.folder, 'processes.json')),
      log: console.log,
      port,
    });

  before(async () => {
    port = await freePort();
    server = await start();
    await migrateToLatest(server.url);
    const ca = createTestCa();
    receiver = await startHttpsReceiver(ca.certFor('127.0.0.1'));
    installation = await createInstallation({
      DATABASE_URL: server.url,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: ca.caFile,
      WEBHOOK_TIMEOUT_MS: '5000',
    });
  });
  after(async () => {
    await installation.remove();
    await receiver.close();
    await server.stop();
    scratch.remove();
  });

  it('delivers every event although it goes in the midst of sending', async () => {
    await seedEndpoint(installation, `https://127.0.0.1:${receiver.port}/hook`);
    await seedEvents(installation, EVENTS);
    const { rows: events } = await installation.core.db.query<{ id: string }>('select id from events');
    const ids = new Set(events.map(({ id }) => encodeId('evt', id)));
    expect(ids.size).to.equal(EVENTS);
    const worker = await installation.startWorker('webhooks', 'maintenance');
    await eventually('sending to be under way', () => receiver.requests.length >= 100);
    await server.stop();
    const before = receiver.requests.length;
    expect(before, 'it was all over already').to.be.lessThan(EVENTS);
    server = await start();
    const received = () =>
      new Set(receiver.requests.map(({ headers }) => headers['x-service-event-id'] as string));
    await eventually('every event at the receiver', () => received().size >= EVENTS, 60_000);
    expect(received()).to.deep.equal(ids);
    await eventually('every dispatch settled', async () => {
      const { rows } = await installation.core.db.query<{ n: number }>(
        `select count(*) as n from webhook_dispatches where state <> 'delivered'`,
      );
      return rows[0]!.n === 0;
    });
    expect(worker.output(), 'the worker of before goes on').not.to.include('"level":60');
  });
});

describe('tables that an operator locks', function () {
  this.timeout(60_000);
  let installation: Installation;

  before(async () => {
    installation = await createInstallation();
  });
  after(() => installation.remove());

  it('end the waiting of those who ask, and nobody waits on in Postgres', async () => {
    const { core } = installation;
    const web = await installation.startWeb();
    const [token] = await seedUnits(installation, 1);
    const verify = () => fetch(`${web.url}/v/${token}`, { headers: { accept: 'application/json' } });
    const report = () =>
      fetch(`${web.url}/counterfeit-reports`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ description: 'No code on it', brand: 'Oil' }),
      });
    expect((await report()).status).to.equal(201);
    const locker = await core.db.connect();
    try {
      await locker.query('begin');
      await locker.query('lock table product_units, counterfeit_reports in access exclusive mode');
      const statuses = Promise.all([verify(), report()]).then((answers) =>
        answers.map(({ status }) => status),
      );
      expect(await statuses).to.deep.equal([503, 503]);
      const { rows } = await locker.query(
        `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).to.deep.equal([]);
    } finally {
      await locker.query('rollback');
      locker.release();
    }
    expect((await verify()).status).to.equal(200);
    expect((await report()).status).to.equal(201);
  });
});
