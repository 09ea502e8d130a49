import type { Db } from '../db.ts';

/** CIDRs from which whoever scans is of the organization. */
export async function findInternalNetworks(db: Db, orgId: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ internal_networks: string[] | null }>(
    'select internal_networks from organizations where id = $1',
    [orgId],
  );
  return rows[0]?.internal_networks ?? [];
}

/** Null where there is none: each verification reads the column, and most organizations have none. */
export async function storeInternalNetworks(
  db: Db,
  orgId: string,
  networks: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    `update organizations set internal_networks = nullif($2::text[], '{}'), updated_at = $3 where id = $1`,
    [orgId, networks, now],
  );
}
