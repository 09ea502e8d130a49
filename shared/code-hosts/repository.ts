import type { Db } from '../db.ts';
import { ORGANIZATION_COLUMNS, type OrganizationColumns } from '../scans/organization.ts';

export interface CodeHostRow {
  host: string;
  org_id: string;
  /** As symbols hold it. */
  url: string;
  /** Whether newly made symbols hold it. */
  is_current: boolean;
}

/** All hosts of all organizations, with how each organization shows itself. */
export type ServedHostRow = CodeHostRow & OrganizationColumns & { is_blocked: boolean };

export async function findServedHosts(db: Db): Promise<ServedHostRow[]> {
  const { rows } = await db.query<ServedHostRow>(
    `select h.host, h.org_id, h.url, h.is_current, o.blocked_at is not null as is_blocked, ${ORGANIZATION_COLUMNS}
       from code_hosts h
       join organizations o on o.id = h.org_id
       left join organization_domains od on od.org_id = h.org_id and od.confirmed_at is not null`,
  );
  return rows;
}

/** Of one organization, in the order in which they came. */
export async function listCodeHosts(db: Db, orgId: string): Promise<CodeHostRow[]> {
  const { rows } = await db.query<CodeHostRow>(
    'select host, org_id, url, is_current from code_hosts where org_id = $1 order by created_at, host',
    [orgId],
  );
  return rows;
}

/** @returns whose host it is by now */
export async function insertCodeHost(
  db: Db,
  { host, org_id: orgId, url }: Omit<CodeHostRow, 'is_current'>,
  now: Date,
): Promise<{ owner: string; isNew: boolean }> {
  const { rows } = await db.query<{ org_id: string; is_new: boolean }>(
    `insert into code_hosts as h (host, org_id, url, created_at) values ($1, $2, $3, $4)
         on conflict (host) do update
           set url = case when h.org_id = excluded.org_id and not h.is_current then excluded.url else h.url end
     returning org_id, xmax = 0 as is_new`,
    [host, orgId, url, now],
  );
  const { org_id: owner, is_new: isNew } = rows[0]!;
  return { owner, isNew };
}

/** @param address one of the organization's hosts, and how symbols hold it; or null for none */
export async function setCurrentCodeHost(
  db: Db,
  orgId: string,
  address: Pick<CodeHostRow, 'host' | 'url'> | null,
): Promise<void> {
  // One after the other: the index that allows one of them looks at each row as it is written.
  await db.query('update code_hosts set is_current = false where org_id = $1 and is_current', [orgId]);
  if (address === null) return;
  await db.query('update code_hosts set is_current = true, url = $3 where org_id = $1 and host = $2', [
    orgId,
    address.host,
    address.url,
  ]);
}

/** @returns whether there was one. */
export async function deleteCodeHost(db: Db, orgId: string, host: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from code_hosts where org_id = $1 and host = $2', [
    orgId,
    host,
  ]);
  return rowCount === 1;
}
