/** Watches jobs: one query a tick for all watchers of the process, however many there are. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../db.ts';
import type { Logger } from '../logger.ts';
import { listJobsByIds, type JobRow } from './repository.ts';

/** Progress must move at least once a second; a worker tells it every half. */
const TICK_MS = 500;

interface Board {
  watchers: Map<string, number>;
  rows: Map<string, JobRow>;
  tick: Promise<void> | null;
}

const boards = new WeakMap<Pool, Board>();

function boardOf(db: Pool): Board {
  let board = boards.get(db);
  if (board === undefined) {
    board = { watchers: new Map(), rows: new Map(), tick: null };
    boards.set(db, board);
  }
  return board;
}

/** The next look at all watched jobs; those who ask meanwhile share it. */
function nextTick({ db, log }: { db: Pool; log: Logger }, board: Board): Promise<void> {
  board.tick ??= (async () => {
    await sleep(TICK_MS);
    board.tick = null;
    try {
      const rows = await listJobsByIds(db, [...board.watchers.keys()]);
      board.rows = new Map(rows.map((row) => [row.id, row]));
    } catch (error) {
      // The next tick tries again: a stream outlives a restart of Postgres.
      log.warn({ err: error }, 'jobs not read for their watchers');
    }
  })();
  return board.tick;
}

/**
 * A job now and whenever it has moved, until the caller stops or `gone` aborts.
 * @yields null at a tick without news, so that the caller can look around.
 */
export async function* watchJob(
  deps: { db: Pool; log: Logger },
  job: JobRow,
  gone: AbortSignal,
): AsyncGenerator<JobRow | null> {
  const board = boardOf(deps.db);
  board.watchers.set(job.id, (board.watchers.get(job.id) ?? 0) + 1);
  try {
    let last = job;
    yield job;
    while (!gone.aborted) {
      await nextTick(deps, board);
      const row = board.rows.get(job.id);
      const news = row !== undefined && (row.status !== last.status || row.done !== last.done);
      if (news) last = row;
      yield news ? row : null;
    }
  } finally {
    const left = board.watchers.get(job.id)! - 1;
    if (left === 0) board.watchers.delete(job.id);
    else board.watchers.set(job.id, left);
  }
}
