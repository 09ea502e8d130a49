import type { Db } from '../db.ts';
import { escapeLike } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

/** What authentication needs of a key. */
export interface KnownKeyRow {
  digest: Buffer;
  id: string;
  org_id: string;
  name: string;
  scopes: string[];
  allowed_cidrs: string[];
  last_used_at: Date | null;
}

/** A key as its organization sees it; never the secret. */
export interface ApiKeyRow {
  id: string;
  name: string;
  scopes: string[];
  allowed_cidrs: string[];
  last_four: string;
  created_by: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  /** When the newest secret came into being. */
  rotated_at: Date;
  /** Until when an older secret works on; null where there is none. */
  previous_secret_expires_at: Date | null;
}

export interface NewApiKey {
  id: string;
  orgId: string;
  name: string;
  scopes: string[];
  allowedCidrs: string[];
  expiresAt: Date | null;
  createdBy: string | null;
  digest: Buffer;
  lastFour: string;
  now: Date;
}

export async function insertApiKey(db: Db, key: NewApiKey): Promise<void> {
  await db.query(
    `with key as (
       insert into api_keys (id, org_id, name, scopes, created_at, allowed_cidrs, expires_at, created_by)
       values ($1, $2, $3, $4, $7, $8, $9, $10) returning id
     )
     insert into api_key_secrets (digest, key_id, last_four, created_at) select $5, id, $6, $7 from key`,
    [
      key.id,
      key.orgId,
      key.name,
      key.scopes,
      key.digest,
      key.lastFour,
      key.now,
      key.allowedCidrs,
      key.expiresAt,
      key.createdBy,
    ],
  );
}

/** The keys behind secrets' digests, where both are valid at `now` and the organization is not blocked: one indexed query for however many. */
export async function findKeysByDigests(db: Db, digests: Buffer[], now: Date): Promise<KnownKeyRow[]> {
  const { rows } = await db.query<KnownKeyRow>({
    name: 'find-keys-by-digests',
    text: `select s.digest, k.id, k.org_id, k.name, k.scopes, k.allowed_cidrs, k.last_used_at
             from api_key_secrets s
             join api_keys k on k.id = s.key_id
             join organizations o on o.id = k.org_id and o.blocked_at is null
            where s.digest = any($1)
              and (s.expires_at is null or s.expires_at > $2)
              and k.revoked_at is null
              and (k.expires_at is null or k.expires_at > $2)`,
    values: [digests, now],
  });
  return rows;
}

/** Notes that keys are in use, where that is not noted since `staleBefore`; a key that is being changed is passed over. */
export async function touchKeys(db: Db, ids: string[], now: Date, staleBefore: Date): Promise<void> {
  await db.query({
    name: 'touch-keys',
    text: `update api_keys set last_used_at = $2
            where id in (select id from api_keys
                          where id = any($1) and (last_used_at is null or last_used_at < $3)
                          for update skip locked)`,
    values: [ids, now, staleBefore],
  });
}

export async function findApiKey(db: Db, orgId: string, id: string, now: Date): Promise<ApiKeyRow | null> {
  const { rows } = await db.query<ApiKeyRow>(
    `select k.id, k.name, k.scopes, k.allowed_cidrs, newest.last_four, k.created_by, k.created_at, k.expires_at,
            k.revoked_at, k.last_used_at, newest.created_at as rotated_at, older.until as previous_secret_expires_at
       from api_keys k
       join lateral (select last_four, created_at from api_key_secrets where key_id = k.id
                      order by created_at desc, expires_at desc nulls first limit 1) newest on true
       left join lateral (select max(expires_at) as until from api_key_secrets
                           where key_id = k.id and expires_at > $3 and k.revoked_at is null) older on true
      where k.org_id = $1 and k.id = $2`,
    [orgId, id, now],
  );
  return rows[0] ?? null;
}

export async function listApiKeys(
  db: Db,
  orgId: string,
  now: Date,
  /** Part of the name. */
  q: string | undefined,
  page: PageRequest,
): Promise<Page<ApiKeyRow>> {
  const { rows } = await db.query<ApiKeyRow>(
    `select k.id, k.name, k.scopes, k.allowed_cidrs, newest.last_four, k.created_by, k.created_at, k.expires_at,
            k.revoked_at, k.last_used_at, newest.created_at as rotated_at, older.until as previous_secret_expires_at
       from api_keys k
       join lateral (select last_four, created_at from api_key_secrets where key_id = k.id
                      order by created_at desc, expires_at desc nulls first limit 1) newest on true
       left join lateral (select max(expires_at) as until from api_key_secrets
                           where key_id = k.id and expires_at > $4 and k.revoked_at is null) older on true
      where k.org_id = $1 and ($2::uuid is null or k.id < $2)
        and ($5::text is null or k.name ilike '%' || $5 || '%')
      order by k.id desc
      limit $3`,
    [orgId, page.beforeId, page.limit + 1, now, q === undefined ? null : escapeLike(q)],
  );
  return pageOf(rows, page);
}

/** Locks a key against a rotation and a revocation at once. @returns whether there is one, and what has ended it, or will. */
export async function lockApiKey(
  db: Db,
  orgId: string,
  id: string,
): Promise<Pick<ApiKeyRow, 'revoked_at' | 'expires_at'> | null> {
  const { rows } = await db.query<Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>>(
    'select revoked_at, expires_at from api_keys where org_id = $1 and id = $2 for update',
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Adds a secret; those before it end at `graceEndsAt`, or when they would have ended anyway. */
export async function replaceSecret(
  db: Db,
  keyId: string,
  secret: { digest: Buffer; lastFour: string; now: Date; graceEndsAt: Date },
): Promise<void> {
  await db.query(
    `with older as (
       update api_key_secrets set expires_at = least(coalesce(expires_at, $5), $5) where key_id = $1
     )
     insert into api_key_secrets (digest, key_id, last_four, created_at) values ($2, $1, $3, $4)`,
    [keyId, secret.digest, secret.lastFour, secret.now, secret.graceEndsAt],
  );
}

export async function markRevoked(db: Db, id: string, now: Date): Promise<void> {
  await db.query('update api_keys set revoked_at = $2 where id = $1 and revoked_at is null', [id, now]);
}

/** Secrets whose grace ended before `before`. @returns how many were removed. */
export async function deleteEndedSecrets(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query('delete from api_key_secrets where expires_at <= $1', [before]);
  return rowCount ?? 0;
}
