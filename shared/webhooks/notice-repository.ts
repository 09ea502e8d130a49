import type { Db } from '../db.ts';

export type NoticeKind = 'webhook_endpoint.warned' | 'webhook_endpoint.disabled';

export interface NewNotice {
  id: string;
  orgId: string;
  endpointId: string;
  kind: NoticeKind;
  data: Record<string, string | null>;
  createdAt: Date;
}

export interface NoticeRow {
  id: string;
  org_id: string;
  endpoint_id: string;
  kind: NoticeKind;
  /** `url`; of a warning `failingSince`, `disablesAt`; of a disablement `reason` (`gone`, `failing`, `unreadable`), `failingSince`. */
  data: Record<string, string | null>;
  created_at: Date;
}

export async function insertNotices(db: Db, notices: readonly NewNotice[]): Promise<void> {
  await db.query(
    `insert into webhook_notices (id, org_id, endpoint_id, kind, data, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::timestamptz[])`,
    [
      notices.map((notice) => notice.id),
      notices.map((notice) => notice.orgId),
      notices.map((notice) => notice.endpointId),
      notices.map((notice) => notice.kind),
      notices.map((notice) => JSON.stringify(notice.data)),
      notices.map((notice) => notice.createdAt),
    ],
  );
}

export async function takeWaitingNotices(db: Db, limit: number, now: Date): Promise<NoticeRow[]> {
  const { rows } = await db.query<NoticeRow>(
    `with waiting as (
       select id from webhook_notices where taken_at is null order by id limit $1 for update skip locked
     )
     update webhook_notices n set taken_at = $2 from waiting w where n.id = w.id
     returning n.id, n.org_id, n.endpoint_id, n.kind, n.data, n.created_at`,
    [limit, now],
  );
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}
