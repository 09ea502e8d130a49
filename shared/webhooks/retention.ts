/** Retention: events with their dispatches, and the log of attempts, each for so many days, dropped by the month. */
import type { Clock } from '../clock.ts';
import { withTransaction, type Pool } from '../db.ts';
import { dropPartitionsOlderThan } from '../partitions/service.ts';

export interface RetentionDeps {
  db: Pool;
  clock: Clock;
  config: { EVENT_RETENTION_DAYS: number; DELIVERY_RETENTION_DAYS: number };
}

/** @returns how many partitions are gone. */
export async function dropExpiredPartitions({ db, clock, config }: RetentionDeps): Promise<number> {
  const now = clock.now();
  const deliveries = await withTransaction(db, (uow) =>
    dropPartitionsOlderThan(uow.db, 'webhook_deliveries', config.DELIVERY_RETENTION_DAYS, now),
  );
  // Together: a dispatch without its event could never be sent.
  const events = await withTransaction(db, async (uow) => {
    const dispatches = await dropPartitionsOlderThan(
      uow.db,
      'webhook_dispatches',
      config.EVENT_RETENTION_DAYS,
      now,
    );
    return dispatches + (await dropPartitionsOlderThan(uow.db, 'events', config.EVENT_RETENTION_DAYS, now));
  });
  return deliveries + events;
}
