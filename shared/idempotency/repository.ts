import type { Db } from '../db.ts';

export interface StoredResponse {
  request_digest: Buffer;
  status: number;
  headers: Record<string, string>;
  /** Encrypted; null for none. */
  body: string | null;
}

/** Takes the key for this transaction. @returns false while another transaction holds it. */
export async function tryLockKey(db: Db, orgId: string, key: string): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 7205542)) as locked`,
    [`${orgId}:${key}`],
  );
  return rows[0]?.locked === true;
}

export async function findStoredResponse(
  db: Db,
  orgId: string,
  key: string,
  since: Date,
): Promise<StoredResponse | null> {
  const { rows } = await db.query<StoredResponse>(
    `select request_digest, status, headers, body from idempotency_keys
      where org_id = $1 and key = $2 and created_at > $3`,
    [orgId, key, since],
  );
  return rows[0] ?? null;
}

/** Stores the first response, or replaces one that has expired. */
export async function storeResponse(
  db: Db,
  orgId: string,
  key: string,
  now: Date,
  response: { requestDigest: Buffer; status: number; headers: Record<string, string>; body: string | null },
): Promise<void> {
  await db.query(
    `insert into idempotency_keys (org_id, key, request_digest, status, headers, body, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (org_id, key) do update
        set request_digest = excluded.request_digest, status = excluded.status, headers = excluded.headers,
            body = excluded.body, created_at = excluded.created_at`,
    [
      orgId,
      key,
      response.requestDigest,
      response.status,
      JSON.stringify(response.headers),
      response.body === null ? null : JSON.stringify(response.body),
      now,
    ],
  );
}

export async function deleteExpiredKeys(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query('delete from idempotency_keys where created_at <= $1', [before]);
  return rowCount ?? 0;
}
