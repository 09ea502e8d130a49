import type { Db } from './db.ts';

/** A column of sealed texts: constants of the program, never input. */
export interface SealedColumn {
  table: 'users' | 'webhook_endpoints' | 'webhook_secrets' | 'sign_in_providers';
  column: 'totp_sealed' | 'sealed_headers' | 'sealed' | 'secret_sealed';
}

/** Texts, of a table whose rows name their organization, that another key than the current one sealed, in the order of ids. */
export async function listStale(
  db: Db,
  { table, column }: SealedColumn,
  currentPrefix: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; sealed: string; org_id: string }[]> {
  const { rows } = await db.query<{ id: string; sealed: string; org_id: string }>(
    `select id, ${column} as sealed, org_id from ${table}
      where id > $2 and not starts_with(${column}, $1)
      order by id
      limit $3`,
    [currentPrefix, afterId, limit],
  );
  return rows;
}

/** Unless the text was replaced meanwhile. */
export async function replaceSealed(
  db: Db,
  { table, column }: SealedColumn,
  row: { id: string; sealed: string },
  resealed: string,
): Promise<void> {
  await db.query(`update ${table} set ${column} = $3 where id = $1 and ${column} = $2`, [
    row.id,
    row.sealed,
    resealed,
  ]);
}
