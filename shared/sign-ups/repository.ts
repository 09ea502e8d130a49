import type { Db } from '../db.ts';

export interface SignUpRow {
  id: string;
  organization_name: string;
  name: string | null;
  email: string;
  password_digest: string;
}

export async function insertSignUp(
  db: Db,
  signUp: {
    id: string;
    organizationName: string;
    name: string | null;
    email: string;
    passwordDigest: string;
    tokenDigest: Buffer;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into sign_ups (id, organization_name, name, email, password_digest, token_digest, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      signUp.id,
      signUp.organizationName,
      signUp.name,
      signUp.email,
      signUp.passwordDigest,
      signUp.tokenDigest,
      signUp.now,
      signUp.expiresAt,
    ],
  );
}

/** Takes a sign-up out, with every other of the same address. @returns it, or null where it is used or expired. */
export async function takeSignUp(db: Db, tokenDigest: Buffer, now: Date): Promise<SignUpRow | null> {
  const { rows } = await db.query<SignUpRow>(
    `delete from sign_ups where token_digest = $1 and expires_at > $2
     returning id, organization_name, name, email, password_digest`,
    [tokenDigest, now],
  );
  const signUp = rows[0] ?? null;
  if (signUp !== null) await db.query('delete from sign_ups where email = $1', [signUp.email]);
  return signUp;
}

export async function deleteExpiredSignUps(db: Db, now: Date): Promise<void> {
  await db.query('delete from sign_ups where expires_at <= $1', [now]);
}
