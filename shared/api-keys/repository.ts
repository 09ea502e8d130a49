import type { Db } from '../db.ts';

export interface ApiKeyRow {
  id: string;
  org_id: string;
  scopes: string[];
}

export interface NewApiKey {
  id: string;
  orgId: string;
  name: string;
  scopes: string[];
  digest: Buffer;
  lastFour: string;
  now: Date;
}

export async function insertApiKey(db: Db, key: NewApiKey): Promise<void> {
  await db.query(
    `with key as (
       insert into api_keys (id, org_id, name, scopes, created_at) values ($1, $2, $3, $4, $7) returning id
     )
     insert into api_key_secrets (digest, key_id, last_four, created_at) select $5, id, $6, $7 from key`,
    [key.id, key.orgId, key.name, key.scopes, key.digest, key.lastFour, key.now],
  );
}

/** The key behind a secret's digest, where both are valid at `now`: one indexed query. */
export async function findKeyByDigest(db: Db, digest: Buffer, now: Date): Promise<ApiKeyRow | null> {
  const { rows } = await db.query<ApiKeyRow>({
    name: 'find-key-by-digest',
    text: `select k.id, k.org_id, k.scopes
             from api_key_secrets s join api_keys k on k.id = s.key_id
            where s.digest = $1
              and (s.expires_at is null or s.expires_at > $2)
              and k.revoked_at is null
              and (k.expires_at is null or k.expires_at > $2)`,
    values: [digest, now],
  });
  return rows[0] ?? null;
}
