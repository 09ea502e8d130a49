import { expect } from 'chai';
import { encodeId } from '../../shared/ids.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpsReceiver, type HttpsReceiver } from '../support/https-receiver.ts';
import { createInstallation, type Installation } from '../support/processes.ts';
import { seedEndpoint, seedEvents } from '../support/seed.ts';
import { createTestCa } from '../support/tls.ts';

const EVENTS = 60;

describe('webhooks through the end of their worker', function () {
  this.timeout(90_000);
  let installation: Installation;
  let receiver: HttpsReceiver;

  before(async () => {
    const ca = createTestCa();
    receiver = await startHttpsReceiver(ca.certFor('127.0.0.1'));
    installation = await createInstallation({
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_CA_FILE: ca.caFile,
      WEBHOOK_TIMEOUT_MS: '2000',
      // As it is by default: what a killed worker leaves must not wait for it.
      LEASE_SECONDS: '60',
    });
    await seedEndpoint(installation, `https://127.0.0.1:${receiver.port}/hook`);
  });
  beforeEach(() => {
    receiver.requests.length = 0;
    receiver.respond = (response) => response.writeHead(204).end();
  });
  afterEach(() => installation.endAll());
  after(async () => {
    await installation.remove();
    await receiver.close();
  });

  const unsettled = async (): Promise<number> => {
    const { rows } = await installation.core.db.query<{ n: number }>(
      `select count(*) as n from webhook_dispatches where state <> 'delivered'`,
    );
    return rows[0]!.n;
  };
  const expectAllReceived = async (): Promise<void> => {
    const { rows } = await installation.core.db.query<{ id: string }>('select id from events');
    const received = new Set(receiver.requests.map(({ headers }) => headers['x-service-event-id']));
    for (const { id } of rows) expect(received.has(encodeId('evt', id)), id).to.equal(true);
  };

  it('delivers every event although a worker is killed while it sends', async () => {
    await seedEvents(installation, EVENTS);
    receiver.respond = () => undefined;
    const first = await installation.startWorker('webhooks');
    await eventually('requests under way', () => receiver.requests.length >= 5);
    await first.end('SIGKILL');
    expect(await unsettled()).to.equal(EVENTS);
    receiver.respond = (response) => response.writeHead(204).end();
    receiver.requests.length = 0;
    await installation.startWorker('webhooks', 'maintenance');
    const startedAt = Date.now();
    await eventually('every dispatch delivered', async () => (await unsettled()) === 0, 45_000);
    // The deadline of an attempt and five seconds, and a third of that until it is noticed.
    expect(Date.now() - startedAt, 'milliseconds until all was delivered').to.be.lessThan(20_000);
    await expectAllReceived();
    // Or the next test's worker, with nobody sweeping, finds the endpoint in the hands of one that was killed.
    await eventually('the endpoint given free', async () => {
      const { rows } = await installation.core.db.query(
        'select 1 from webhook_endpoints where served_by is not null',
      );
      return rows.length === 0;
    });
    const { rows: lost } = await installation.core.db.query(
      `select 1 from webhook_deliveries where error_class = 'lost'`,
    );
    expect(lost.length, 'attempts closed as lost').to.be.greaterThan(0);
  });

  it('hands its endpoints over on SIGTERM, with nobody sweeping and no attempt spent', async () => {
    await installation.core.db.query('truncate events, webhook_dispatches, webhook_deliveries');
    await seedEvents(installation, EVENTS);
    receiver.respond = () => undefined;
    const first = await installation.startWorker('webhooks');
    await eventually('requests under way', () => receiver.requests.length >= 5);
    expect(await first.end('SIGTERM')).to.equal('exit code 0');
    const { rows } = await installation.core.db.query<{ attempts: number }>(
      `select attempts from webhook_dispatches where state <> 'pending' or attempts > 0 or lease_until is not null`,
    );
    expect(rows, 'dispatches that were not given back').to.deep.equal([]);
    receiver.respond = (response) => response.writeHead(204).end();
    await installation.startWorker('webhooks');
    await eventually('every dispatch delivered', async () => (await unsettled()) === 0);
    await expectAllReceived();
  });
});
