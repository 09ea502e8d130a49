import type { Db } from '../db.ts';

export interface NewSecret {
  id: string;
  endpointId: string;
  sealed: string;
  now: Date;
}

export async function insertSecret(db: Db, secret: NewSecret): Promise<void> {
  await db.query(
    'insert into webhook_secrets (id, endpoint_id, sealed, created_at) values ($1, $2, $3, $4)',
    [secret.id, secret.endpointId, secret.sealed, secret.now],
  );
}

/** Lets the valid secrets end at `until`, or sooner where that was decided before. @returns how many are valid. */
export async function expireSecrets(db: Db, endpointId: string, now: Date, until: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update webhook_secrets set expires_at = least(expires_at, $3)
      where endpoint_id = $1 and (expires_at is null or expires_at > $2)`,
    [endpointId, now, until],
  );
  return rowCount ?? 0;
}

/** Removes the endpoint's secrets that have ended. */
export async function deleteExpiredSecrets(db: Db, endpointId: string, now: Date): Promise<void> {
  await db.query('delete from webhook_secrets where endpoint_id = $1 and expires_at <= $2', [
    endpointId,
    now,
  ]);
}

/** Secrets of any age that another key than the current one sealed, in the order of ids. */
export async function listStaleSecrets(
  db: Db,
  currentPrefix: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; sealed: string; org_id: string; endpoint_id: string }[]> {
  const { rows } = await db.query<{ id: string; sealed: string; org_id: string; endpoint_id: string }>(
    `select s.id, s.sealed, e.org_id, s.endpoint_id
       from webhook_secrets s join webhook_endpoints e on e.id = s.endpoint_id
      where s.id > $2 and not starts_with(s.sealed, $1)
      order by s.id
      limit $3`,
    [currentPrefix, afterId, limit],
  );
  return rows;
}
