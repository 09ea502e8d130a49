/**
 * How long organizations keep scans and events, where that is less than the installation does. The installation drops whole
 * months (shared/partitions); within them, an organization's rows are deleted in batches. Figures stay: they are counted when
 * a scan comes, and nothing is taken back when it goes.
 */
import type { Clock } from '../clock.ts';
import { isLockTimeout, withTransaction, type Pool } from '../db.ts';
import { invalidFields, isOutage } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { uuidFloor } from '../ids.ts';
import { dropPartitionsOlderThan } from '../partitions/service.ts';
import { deleteScans } from '../scans/retention.ts';
import { deleteEvents, listShorterRetentions } from './repository.ts';

const DAY_MS = 86_400_000;
/** Rows of one statement: a few tens of milliseconds. */
const BATCH = 2_000;
/** Batches of one organization and kind in a round; an hour later comes the next, so that nobody waits for a large one. */
const MOST_BATCHES = 100;
const ORGANIZATIONS_AT_A_TIME = 500;

/** The settings of the installation: the most that an organization can have. */
export interface InstallationRetention {
  SCAN_RETENTION_DAYS: number;
  EVENT_RETENTION_DAYS: number;
}

export interface RetentionDays {
  scan_retention_days: number;
  event_retention_days: number;
}

/** As many as the schema takes, with which an organization begins: as long as the installation does, whatever that is set to. */
const NO_LESS = 3650;

/** @returns what holds: a setting from before the installation's was lowered counts for no more than that. */
export const effectiveRetention = (config: InstallationRetention, days: RetentionDays): RetentionDays => ({
  scan_retention_days: Math.min(days.scan_retention_days, config.SCAN_RETENTION_DAYS),
  event_retention_days: Math.min(days.event_retention_days, config.EVENT_RETENTION_DAYS),
});

/**
 * @returns what is to be stored of a wish: who wants the installation's days has chosen nothing less, and goes with it when it is raised.
 * @throws AppError VALIDATION_FAILED for more days than the installation keeps anything.
 */
export function vetRetention(
  config: InstallationRetention,
  { scan_retention_days: scans, event_retention_days: events }: Partial<RetentionDays>,
): Partial<RetentionDays> {
  const errors = [
    { path: 'retention.scansDays', days: scans, most: config.SCAN_RETENTION_DAYS },
    { path: 'retention.eventsDays', days: events, most: config.EVENT_RETENTION_DAYS },
  ]
    .filter(({ days, most }) => days !== undefined && days > most)
    .map(({ path, most }) => ({
      path,
      ...refusal('TOO_LARGE', `must be at most ${most}: this installation keeps no longer`, {
        maximum: most,
      }),
    }));
  if (errors.length > 0) throw invalidFields(errors);
  const stored = (days: number, most: number) => (days === most ? NO_LESS : days);
  return {
    ...(scans === undefined ? {} : { scan_retention_days: stored(scans, config.SCAN_RETENTION_DAYS) }),
    ...(events === undefined ? {} : { event_retention_days: stored(events, config.EVENT_RETENTION_DAYS) }),
  };
}

export interface RetentionDeps {
  db: Pool;
  clock: Clock;
  config: InstallationRetention;
}

/** Drops months of scans that are older than the installation keeps any. @returns how many partitions. */
export const dropExpiredScans = ({ db, clock, config }: RetentionDeps): Promise<number> =>
  withTransaction(db, (uow) =>
    dropPartitionsOlderThan(uow.db, 'scans', config.SCAN_RETENTION_DAYS, clock.now()),
  );

const deleteEventsBefore: typeof deleteScans = async (db, orgId, before, limit) => {
  const deleted = await deleteEvents(db, orgId, uuidFloor(before), limit);
  return { seen: deleted, deleted };
};

/**
 * Deletes what organizations want kept no longer, of each by itself: what hinders one holds up none behind it.
 * @returns how many scans and events
 * @throws what hindered the first of those that were hindered, once all others are dealt with
 */
export async function applyOrganizationRetention(
  { db, clock, config }: RetentionDeps,
  { batch, mostBatches } = { batch: BATCH, mostBatches: MOST_BATCHES },
): Promise<{ scans: number; events: number }> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  const than = { scanDays: config.SCAN_RETENTION_DAYS, eventDays: config.EVENT_RETENTION_DAYS };
  const inBatches = async (step: typeof deleteScans, orgId: string, days: number): Promise<number> => {
    let deleted = 0;
    for (let round = 0; round < mostBatches; round++) {
      const rows = await withTransaction(db, (uow) => step(uow.db, orgId, before(days), batch));
      deleted += rows.deleted;
      if (rows.seen < batch) break;
    }
    return deleted;
  };
  const report = { scans: 0, events: 0 };
  const failures: unknown[] = [];
  let lastOrgId: string | null = null;
  for (;;) {
    const orgs = await listShorterRetentions(db, than, lastOrgId, ORGANIZATIONS_AT_A_TIME);
    for (const { org_id: orgId, scan_retention_days: scans, event_retention_days: events } of orgs)
      try {
        if (scans < than.scanDays) report.scans += await inBatches(deleteScans, orgId, scans);
        if (events < than.eventDays) report.events += await inBatches(deleteEventsBefore, orgId, events);
      } catch (error) {
        // Without Postgres, each of them would wait for it in vain.
        if (isOutage(error) && !isLockTimeout(error)) throw error;
        failures.push(error);
      }
    if (orgs.length < ORGANIZATIONS_AT_A_TIME) break;
    lastOrgId = orgs.at(-1)!.org_id;
  }
  if (failures.length > 0) throw failures[0];
  return report;
}
