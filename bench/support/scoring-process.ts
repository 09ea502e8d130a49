/**
 * Scores whatever waits in DATABASE_URL, as one worker process does: two transactions side by side, of so many units. Told
 * anything on a line, it prints how many scans that were and in how many seconds, as JSON. Ends with its standard input.
 */
import { createInterface } from 'node:readline';
import { createPool } from '../../shared/db.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Waker } from '../../shared/queues.ts';
import { scoreWaitingScans } from '../../shared/scans/scoring.ts';

const LOOPS = 2;
const UNITS_PER_BATCH = 200;

const noWaker = new Proxy({} as Waker, { get: () => async () => undefined });
const db = createPool({
  databaseUrl: process.env['DATABASE_URL']!,
  max: LOOPS,
  applicationName: 'bench-scoring',
  onError: () => undefined,
});
const deps = { db, clock: { now: () => new Date() }, waker: noWaker, log: createLogger('bench', 'warn') };

async function scoreAll(): Promise<{ scans: number; seconds: number }> {
  const started = performance.now();
  let scans = 0;
  await Promise.all(
    Array.from({ length: LOOPS }, async () => {
      for (;;) {
        const batch = await scoreWaitingScans(deps, UNITS_PER_BATCH);
        scans += batch.scans;
        if (batch.units === 0) return;
      }
    }),
  );
  return { scans, seconds: (performance.now() - started) / 1000 };
}

for await (const _line of createInterface(process.stdin)) console.log(JSON.stringify(await scoreAll()));
await db.end();
