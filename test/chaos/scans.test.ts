import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { decodeId } from '../../shared/ids.ts';
import { eventually } from '../support/eventually.ts';
import { createInstallation, type Installation } from '../support/processes.ts';
import { seedUnits } from '../support/seed.ts';

const LANES = 16;

describe('scans through the end of their processes', function () {
  this.timeout(60_000);
  let installation: Installation;
  let tokens: string[];

  before(async () => {
    installation = await createInstallation({
      TRUST_PROXY: 'loopback',
      RATE_LIMIT_VERIFY_PER_MINUTE: '1000000',
    });
    tokens = await seedUnits(installation, 40);
  });
  afterEach(() => installation.endAll());
  after(() => installation.remove());

  const blockedInserts = async (): Promise<number> => {
    const { rows } = await installation.core.db.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%into scans%'`,
    );
    return rows[0]!.n;
  };
  /** Every scan whose answer was read is in Postgres, ends final, and has been told once. */
  const expectAllScored = async (answered: readonly string[]): Promise<void> => {
    const { db } = installation.core;
    await eventually('every scan scored', async () => {
      const { rows } = await db.query<{ n: number }>(
        `select count(*) as n from scans where assessment <> 'final'`,
      );
      return rows[0]!.n === 0;
    });
    const { rows: scans } = await db.query<{ id: string }>('select id from scans');
    const stored = new Set(scans.map(({ id }) => id));
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([]);
    const { rows: told } = await db.query<{ id: string; times: number }>(
      `select data->>'scanId' as id, count(*) as times from events where type = 'scan.recorded' group by 1`,
    );
    expect(told.filter(({ times }) => times !== 1)).to.deep.equal([]);
    expect(new Set(told.map(({ id }) => decodeId('scan', id)))).to.deep.equal(stored);
  };

  it('scores every answered scan once, although both processes are killed', async () => {
    const [web, worker] = await Promise.all([installation.startWeb(), installation.startWorker('scans')]);
    const load = scanInLanes(web.url, tokens);
    await eventually('scans under way', () => load.answered.length >= 100);
    await worker.end('SIGKILL');
    const before = load.answered.length;
    await eventually('scans without a worker', () => load.answered.length >= before + 100);
    // The end comes while scans wait to be written: none of them may have been answered.
    const blocker = await installation.core.db.connect();
    await blocker.query('begin');
    await blocker.query('lock table scans in share mode');
    await eventually('scans that wait to be written', async () => (await blockedInserts()) >= 1);
    await web.end('SIGKILL');
    await blocker.query('rollback');
    blocker.release();
    await load.over;
    await installation.startWorker('scans', 'maintenance');
    await expectAllScored(load.answered);
  });

  it('answers every request on SIGTERM, and resets no connection', async () => {
    const [web] = await Promise.all([
      installation.startWeb(),
      installation.startWorker('scans', 'maintenance'),
    ]);
    const load = scanInLanes(web.url, tokens);
    await eventually('scans under way', () => load.answered.length >= 100);
    expect(await web.end('SIGTERM')).to.equal('exit code 0');
    await load.over;
    expect(load.failures.map(({ message }) => message)).to.deep.equal([]);
    expect(load.statuses).to.deep.equal(new Set([200]));
    await expectAllScored(load.answered);
  });
});

interface Load {
  /** UUIDs of the scans whose answers were read. */
  answered: string[];
  statuses: Set<number>;
  failures: Error[];
  /** Settles when each lane has been told that its connection ends, or has failed. */
  over: Promise<void>;
}

/** Between the scans of a lane that is idle now and then. */
const PAUSE_MS = 50;

/** Scans on connections that are kept alive; every other lane scans again as soon as it has read the answer. */
function scanInLanes(url: string, tokens: readonly string[]): Load {
  const answered: string[] = [];
  const failures: Error[] = [];
  const statuses = new Set<number>();
  const lane = async (number: number): Promise<void> => {
    const client = new Client(url);
    try {
      for (let turn = number; ; turn += 1) {
        const { statusCode, headers, body } = await client.request({
          method: 'GET',
          path: `/v/${tokens[turn % tokens.length]}`,
          headers: { accept: 'application/json', 'x-forwarded-for': `141.20.${number}.${turn % 250}` },
        });
        const { scanId } = (await body.json()) as { scanId: string };
        statuses.add(statusCode);
        answered.push(decodeId('scan', scanId)!);
        if (headers['connection'] === 'close') return;
        if (number % 2 === 1) await sleep(PAUSE_MS);
      }
    } catch (error) {
      failures.push(error as Error);
    } finally {
      await client.destroy();
    }
  };
  const over = Promise.all(Array.from({ length: LANES }, (_, number) => lane(number))).then(() => undefined);
  return { answered, statuses, failures, over };
}
