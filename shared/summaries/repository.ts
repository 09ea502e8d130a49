/** Who is told of weeks, and what of a week stands in no roll-up. */
import type { Role } from '../access/roles.ts';
import type { Range } from '../analytics/service.ts';
import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';

export interface SubscriberRow {
  id: string;
  org_id: string;
  email: string;
  language: Language;
  role: Role;
  summarized_until: Date;
  organization_name: string;
  time_zone: string;
}

const SUBSCRIBERS = `select u.id, u.org_id, u.email, u.language, u.role, u.summarized_until, o.name as organization_name, o.time_zone
    from users u join organizations o on o.id = u.org_id
   where u.summary_mails <> 'never' and u.disabled_at is null and o.blocked_at is null`;

/** By organization, so that the figures of each are read once. @param after the last of the page before */
export async function listSubscribers(
  db: Db,
  after: Pick<SubscriberRow, 'org_id' | 'id'>,
  limit: number,
): Promise<SubscriberRow[]> {
  const { rows } = await db.query<SubscriberRow>(
    `${SUBSCRIBERS} and (u.org_id, u.id) > ($1, $2) order by u.org_id, u.id limit $3`,
    [after.org_id, after.id, limit],
  );
  return rows;
}

/**
 * Locks somebody who was not told of a week; null where they were, want it no more, or somebody else tells them at this moment.
 * @param dueUntil of the week
 */
export async function lockSubscriber(db: Db, id: string, dueUntil: Date): Promise<SubscriberRow | null> {
  const { rows } = await db.query<SubscriberRow>(
    `${SUBSCRIBERS} and u.id = $1 and u.summarized_until <= $2 for no key update of u skip locked`,
    [id, dueUntil],
  );
  return rows[0] ?? null;
}

export async function storeSummarized(db: Db, id: string, until: Date): Promise<void> {
  await db.query('update users set summarized_until = $2 where id = $1', [id, until]);
}

export interface WorkloadRow {
  /** Within the range, by scans or by people. */
  cases_opened: number;
  /** Now. */
  cases_open: number;
  /** Within the range. */
  reports: number;
  /** Nobody has looked at them: what waits, as the overview and the alerts have it. */
  reports_open: number;
}

export async function findWorkload(db: Db, orgId: string, { from, to }: Range): Promise<WorkloadRow> {
  const { rows } = await db.query<WorkloadRow>(
    `select (select count(*) from risk_cases where org_id = $1 and opened_at >= $2 and opened_at < $3) as cases_opened,
            (select count(*) from risk_cases where org_id = $1 and status in ('open', 'investigating')) as cases_open,
            (select count(*) from counterfeit_reports where org_id = $1 and created_at >= $2 and created_at < $3) as reports,
            (select count(*) from counterfeit_reports where org_id = $1 and status = 'open') as reports_open`,
    [orgId, from, to],
  );
  return rows[0]!;
}
