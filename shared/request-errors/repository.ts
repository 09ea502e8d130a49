import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export interface RequestErrorRow {
  id: string;
  org_id: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  /** Null where the answer was no problem document. */
  code: string | null;
  request_id: string;
  actor_kind: 'key' | 'user';
  actor_id: string;
  actor_name: string | null;
  ip: string | null;
  /** What the answer said, where it named no fields. */
  detail: string | null;
  /** The fields that were refused. */
  paths: string[];
}

export async function insertRequestErrors(db: Db, rows: readonly RequestErrorRow[]): Promise<void> {
  const column = <K extends keyof RequestErrorRow>(name: K) => rows.map((row) => row[name]);
  await db.query({
    name: 'insert-request-errors',
    text: `insert into request_errors (id, org_id, at, method, route, status, code, request_id, actor_kind, actor_id, actor_name, ip,
                  detail, paths)
           select t.id, t.org_id, t.at, t.method, t.route, t.status, t.code, t.request_id, t.actor_kind, t.actor_id,
                  t.actor_name, t.ip, t.detail, array(select jsonb_array_elements_text(t.paths))
             from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::smallint[], $7::text[],
                                $8::text[], $9::text[], $10::uuid[], $11::text[], $12::inet[], $13::text[], $14::jsonb[])
               as t (id, org_id, at, method, route, status, code, request_id, actor_kind, actor_id, actor_name, ip, detail, paths)`,
    values: [
      column('id'),
      column('org_id'),
      column('at'),
      column('method'),
      column('route'),
      column('status'),
      column('code'),
      column('request_id'),
      column('actor_kind'),
      column('actor_id'),
      column('actor_name'),
      column('ip'),
      column('detail'),
      column('paths').map((paths) => JSON.stringify(paths)),
    ],
  });
}

export interface RequestErrorFilter {
  status?: number | undefined;
  code?: string | undefined;
  keyId?: string | undefined;
  requestId?: string | undefined;
}

export async function listRequestErrors(
  db: Db,
  orgId: string,
  filter: RequestErrorFilter,
  page: PageRequest,
): Promise<Page<RequestErrorRow>> {
  const { rows } = await db.query<RequestErrorRow>(
    `select id, org_id, at, method, route, status, code, request_id, actor_kind, actor_id, actor_name, host(ip) as ip, detail, paths
       from request_errors
      where org_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::smallint is null or status = $3)
        and ($4::text is null or code = $4)
        and ($5::uuid is null or (actor_kind = 'key' and actor_id = $5))
        and ($6::text is null or request_id = $6)
      order by id desc
      limit $7`,
    [
      orgId,
      page.beforeId,
      filter.status ?? null,
      filter.code ?? null,
      filter.keyId ?? null,
      filter.requestId ?? null,
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}

/** @param belowId a time as an id: the primary key finds what is older. @returns how many. */
export async function deleteRequestErrors(db: Db, belowId: string): Promise<number> {
  const { rowCount } = await db.query('delete from request_errors where id < $1', [belowId]);
  return rowCount ?? 0;
}
