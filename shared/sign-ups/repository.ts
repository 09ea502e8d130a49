import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';

export interface SignUpRow {
  id: string;
  organization_name: string;
  name: string | null;
  email: string;
  language: Language;
  password_digest: string;
}

export async function insertSignUp(
  db: Db,
  signUp: {
    id: string;
    organizationName: string;
    name: string | null;
    email: string;
    language: Language;
    passwordDigest: string;
    tokenDigest: Buffer;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into sign_ups (id, organization_name, name, email, language, password_digest, token_digest, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      signUp.id,
      signUp.organizationName,
      signUp.name,
      signUp.email,
      signUp.language,
      signUp.passwordDigest,
      signUp.tokenDigest,
      signUp.now,
      signUp.expiresAt,
    ],
  );
}

export async function hasSignUp(db: Db, tokenDigest: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from sign_ups where token_digest = $1 and expires_at > $2', [
    tokenDigest,
    now,
  ]);
  return rowCount === 1;
}

/** Takes a sign-up out, with every other of the same address. @returns it, or null where it is used or expired. */
export async function takeSignUp(db: Db, tokenDigest: Buffer, now: Date): Promise<SignUpRow | null> {
  // In one order: two links of an address at once would wait for each other.
  const { rows } = await db.query<SignUpRow & { is_named: boolean }>(
    `with of_address as (
       select id from sign_ups
        where email = (select email from sign_ups where token_digest = $1 and expires_at > $2)
        order by id for update
     )
     delete from sign_ups s using of_address o where s.id = o.id
     returning s.id, s.organization_name, s.name, s.email, s.language, s.password_digest, s.token_digest = $1 as is_named`,
    [tokenDigest, now],
  );
  return rows.find((row) => row.is_named) ?? null;
}

export async function deleteExpiredSignUps(db: Db, now: Date): Promise<void> {
  await db.query('delete from sign_ups where expires_at <= $1', [now]);
}
