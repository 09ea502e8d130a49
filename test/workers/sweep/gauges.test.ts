import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { createPool, type Pool } from '../../../shared/db.ts';
import { createMetrics } from '../../../shared/metrics.ts';
import { createQueues, type Queues } from '../../../shared/queues.ts';
import { createRedis } from '../../../shared/redis.ts';
import { registerGauges } from '../../../workers/sweep/gauges.ts';
import { createInstallation, type Installation } from '../../support/processes.ts';

const QUEUES = /^touchstone_queue_wake_ups\{/m;
const OLDEST = /^touchstone_oldest_unscored_scan_seconds\{.*\} 0$/m;
const UNSENT = /^touchstone_oldest_unsent_mail_seconds\{.*\} (\d+)/m;
const PROCESS = /^process_cpu_seconds_total/m;

describe('gauges of what waits', () => {
  let installation: Installation;
  before(async () => {
    installation = await createInstallation();
  });
  after(() => installation.remove());

  async function scrape(away: { queues?: Queues; db?: Pool }): Promise<string> {
    const metrics = createMetrics('worker-maintenance');
    registerGauges({ ...installation.core, ...away }, metrics);
    // Twice: what an earlier scrape said must not stay.
    await metrics.registry.metrics();
    return metrics.registry.metrics();
  }

  it('tell of Redis and Postgres', async () => {
    expect(await scrape({}))
      .to.match(QUEUES)
      .and.match(OLDEST)
      .and.match(PROCESS);
  });

  it('tell how long the oldest mail waits, whether or not it was tried', async () => {
    const { db, clock } = installation.core;
    const age = async () => UNSENT.exec(await scrape({}))?.[1];
    expect(await age()).to.equal('0');
    await db.query(
      `insert into mails (id, kind, state, sealed, attempts, due_at, created_at) values ($1, 'test', 'pending', 'x', 4, $2, $3)`,
      [newUuid(), new Date(clock.now().getTime() + 60_000), new Date(clock.now().getTime() - 600_000)],
    );
    expect(Number(await age())).to.be.within(600, 700);
    await db.query('delete from mails');
  });

  it('tell of the scans that wait, and of the process, while Redis is away', async () => {
    const redis = createRedis({ REDIS_URL: installation.env['REDIS_URL']! }, () => undefined);
    redis.disconnect();
    const text = await scrape({ queues: createQueues(redis, 'away') });
    expect(text).to.match(OLDEST).and.match(PROCESS).and.not.match(QUEUES);
  });

  it('tell of the queues, and of the process, while Postgres is away', async () => {
    const db = createPool({
      databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
      max: 1,
      applicationName: 'test',
      onError: () => undefined,
    });
    const text = await scrape({ db });
    await db.end();
    expect(text)
      .to.match(QUEUES)
      .and.match(PROCESS)
      .and.not.match(/^touchstone_oldest_\w+_seconds\{/m);
    expect(text).not.to.match(/^touchstone_oldest_\w+_seconds \d/m);
  });
});
