import type { Db } from '../db.ts';

export async function insertIntake(db: Db, prefix: string, now: Date): Promise<void> {
  await db.query('insert into storage_intake (prefix, created_at) values ($1, $2)', [prefix, now]);
}

/** Waits for a transaction that is about to delete it. */
export async function hasIntake(db: Db, prefix: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from storage_intake where prefix = $1 for update', [prefix]);
  return rowCount === 1;
}

export async function deleteIntake(db: Db, prefix: string): Promise<void> {
  await db.query('delete from storage_intake where prefix = $1', [prefix]);
}

export async function listStaleIntake(
  db: Db,
  before: Date,
  limit: number,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ prefix: string }>(
    `select prefix from storage_intake
      where created_at < $1 and prefix <> all ($3::text[])
      order by created_at limit $2`,
    [before, limit, except],
  );
  return rows.map((row) => row.prefix);
}
