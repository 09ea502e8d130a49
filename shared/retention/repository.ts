import { plainArray } from '../array-literals.ts';
import type { Db } from '../db.ts';

export interface ShorterRetentionRow {
  org_id: string;
  scan_retention_days: number;
  event_retention_days: number;
}

/** Organizations that keep scans or events for fewer days than the installation, by id. */
export async function listShorterRetentions(
  db: Db,
  than: { scanDays: number; eventDays: number },
  afterOrgId: string | null,
  limit: number,
): Promise<ShorterRetentionRow[]> {
  const { rows } = await db.query<ShorterRetentionRow>(
    `select id as org_id, scan_retention_days, event_retention_days
       from organizations
      where ($3::uuid is null or id > $3) and (scan_retention_days < $1 or event_retention_days < $2)
      order by id
      limit $4`,
    [than.scanDays, than.eventDays, afterOrgId, limit],
  );
  return rows;
}

/**
 * Deletes the oldest events of an organization with ids below `beforeId`, with their dispatches and the log of their
 * attempts: a dispatch without its event could never be sent. So it holds the events first, and sees what was made for them until then.
 * @param db in a transaction
 * @returns how many events.
 */
export async function deleteEvents(db: Db, orgId: string, beforeId: string, limit: number): Promise<number> {
  const { rows: due } = await db.query<{ id: string }>(
    'select id from events where org_id = $1 and id < $2 order by id limit $3 for update',
    [orgId, beforeId, limit],
  );
  if (due.length === 0) return 0;
  const { rows } = await db.query<{ deleted: number }>(
    `with due as materialized (
       select unnest($1::uuid[]) as id
     ), dispatches as (
       delete from webhook_dispatches d using due where d.event_id = due.id and d.event_id < $2
     ), deliveries as (
       delete from webhook_deliveries d using due where d.event_id = due.id
     ), gone as (
       delete from events e using due where e.id = due.id and e.id < $2 returning 1
     )
     select count(*) as deleted from gone`,
    [plainArray(due.map(({ id }) => id)), beforeId],
  );
  return rows[0]!.deleted;
}
