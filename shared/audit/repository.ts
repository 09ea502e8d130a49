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

export async function insertAuditEntries(db: Db, orgId: string, entries: readonly AuditRow[]): Promise<void> {
  await db.query({
    name: 'insert-audit-entries',
    text: `insert into audit_log (id, org_id, at, actor_kind, actor_id, actor_name, action, resource, ip, user_agent,
                                  request_id, before, after)
           select id, $1, at, actor_kind, actor_id, actor_name, action, resource, ip, user_agent, request_id, before, after
             from json_to_recordset($2::json)
               as e (id uuid, at timestamptz, actor_kind text, actor_id text, actor_name text, action text, resource text, ip inet,
                     user_agent text, request_id text, before jsonb, after jsonb)`,
    values: [orgId, JSON.stringify(entries)],
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
