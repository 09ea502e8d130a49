import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export interface AuditRow {
  id: string;
  at: Date;
  actor_kind: 'user' | 'key' | 'operator' | 'anonymous';
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  resource: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AuditFilter {
  action?: string | undefined;
  /** Public id. */
  actor?: string | undefined;
  /** Public id. */
  resource?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Until the transaction ends, nobody else changes what an entry is being written about. */
export async function lockAudited(db: Db, orgId: string, resource: string): Promise<void> {
  await db.query({
    name: 'lock-audited',
    text: `select pg_advisory_xact_lock(hashtextextended('audit:' || $1 || ':' || $2, 0))`,
    values: [orgId, resource],
  });
}

export async function insertAuditEntry(db: Db, orgId: string, entry: AuditRow): Promise<void> {
  await db.query({
    name: 'insert-audit-entry',
    text: `insert into audit_log (id, org_id, at, actor_kind, actor_id, actor_name, action, resource, ip, user_agent,
                                  request_id, before, after)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      entry.id,
      orgId,
      entry.at,
      entry.actor_kind,
      entry.actor_id,
      entry.actor_name,
      entry.action,
      entry.resource,
      entry.ip,
      entry.user_agent,
      entry.request_id,
      entry.before === null ? null : JSON.stringify(entry.before),
      entry.after === null ? null : JSON.stringify(entry.after),
    ],
  });
}

export async function listAuditEntries(
  db: Db,
  orgId: string,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditRow>> {
  const { rows } = await db.query<AuditRow>(
    `select id, at, actor_kind, actor_id, actor_name, action, resource, host(ip) as ip, user_agent, request_id, before, after
       from audit_log
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::text is null or action = $3)
        and ($4::text is null or actor_id = $4)
        and ($5::text is null or resource = $5)
        and ($6::timestamptz is null or at >= $6)
        and ($7::timestamptz is null or at < $7)
      order by id desc
      limit $8`,
    [
      orgId,
      page.beforeId,
      filter.action ?? null,
      filter.actor ?? null,
      filter.resource ?? null,
      filter.from ?? null,
      filter.to ?? null,
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}
