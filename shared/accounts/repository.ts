import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import type { AlertMails } from '../alerts/service.ts';
import type { Language } from '../languages.ts';
import type { SummaryMails } from '../summaries/service.ts';

export interface AccountRow {
  id: string;
  org_id: string;
  email: string;
  name: string | null;
  language: Language;
  alert_mails: AlertMails;
  summary_mails: SummaryMails;
  role: Role;
  password_digest: string;
  disabled_at: Date | null;
  totp_sealed: string | null;
  totp_confirmed_at: Date | null;
  totp_last_step: number | null;
  organization_name: string;
  time_zone: string;
  /** Of the organization. */
  blocked_at: Date | null;
}

/** @param email in lower case. */
export async function findAccountByEmail(db: Db, email: string): Promise<AccountRow | null> {
  const { rows } = await db.query<AccountRow>(
    `select u.id, u.org_id, u.email, u.name, u.language, u.alert_mails, u.summary_mails, u.role, u.password_digest, u.disabled_at, u.totp_sealed,
            u.totp_confirmed_at, u.totp_last_step, o.name as organization_name, o.time_zone, o.blocked_at
       from users u join organizations o on o.id = u.org_id
      where u.email = $1`,
    [email],
  );
  return rows[0] ?? null;
}

export async function findAccount(db: Db, id: string): Promise<AccountRow | null> {
  const { rows } = await db.query<AccountRow>(
    `select u.id, u.org_id, u.email, u.name, u.language, u.alert_mails, u.summary_mails, u.role, u.password_digest, u.disabled_at, u.totp_sealed,
            u.totp_confirmed_at, u.totp_last_step, o.name as organization_name, o.time_zone, o.blocked_at
       from users u join organizations o on o.id = u.org_id
      where u.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Locks a person's row: two codes, or two changes of password, at once take turns. */
export async function lockAccount(db: Db, id: string): Promise<AccountRow | null> {
  await db.query('select 1 from users where id = $1 for update', [id]);
  return findAccount(db, id);
}

export async function storePassword(db: Db, id: string, digest: string): Promise<void> {
  await db.query('update users set password_digest = $2 where id = $1', [id, digest]);
}

/** @param profile.toldUntil of the alerts by mail, as `summarizedUntil` of the summaries; null leaves it as it is */
export async function storeProfile(
  db: Db,
  id: string,
  profile: {
    name: string | null;
    language: Language;
    alertMails: AlertMails;
    toldUntil: Date | null;
    summaryMails: SummaryMails;
    summarizedUntil: Date | null;
  },
): Promise<void> {
  await db.query(
    `update users set name = $2, language = $3, alert_mails = $4, alerts_told_until = coalesce($5, alerts_told_until),
            summary_mails = $6, summarized_until = coalesce($7, summarized_until)
      where id = $1`,
    [
      id,
      profile.name,
      profile.language,
      profile.alertMails,
      profile.toldUntil,
      profile.summaryMails,
      profile.summarizedUntil,
    ],
  );
}

export async function storeTotp(
  db: Db,
  id: string,
  totp: { sealed: string | null; confirmedAt: Date | null; lastStep: number | null },
): Promise<void> {
  await db.query(
    'update users set totp_sealed = $2, totp_confirmed_at = $3, totp_last_step = $4 where id = $1',
    [id, totp.sealed, totp.confirmedAt, totp.lastStep],
  );
}

export async function replaceRecoveryCodes(db: Db, userId: string, digests: Buffer[]): Promise<void> {
  await db.query('delete from recovery_codes where user_id = $1', [userId]);
  await db.query('insert into recovery_codes (digest, user_id) select unnest($2::bytea[]), $1', [
    userId,
    digests,
  ]);
}

/** @returns whether the code was there; it is not any more. */
export async function useRecoveryCode(db: Db, userId: string, digest: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('delete from recovery_codes where user_id = $1 and digest = $2', [
    userId,
    digest,
  ]);
  return rowCount === 1;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) as count from recovery_codes where user_id = $1',
    [userId],
  );
  return rows[0]!.count;
}

/** @param userId null for an address that nobody has: the row is written all the same. */
export async function insertPasswordReset(
  db: Db,
  reset: { digest: Buffer; userId: string | null; now: Date; expiresAt: Date },
): Promise<void> {
  await db.query(
    'insert into password_resets (digest, user_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [reset.digest, reset.userId, reset.now, reset.expiresAt],
  );
}

/** @returns whose reset it is that still works, or null. */
export async function findResettingUser(db: Db, digest: Buffer, now: Date): Promise<string | null> {
  const { rows } = await db.query<{ user_id: string | null }>(
    'select user_id from password_resets where digest = $1 and expires_at > $2',
    [digest, now],
  );
  return rows[0]?.user_id ?? null;
}

/** Links to a new password that were mailed to a person, whose row is held. */
export async function voidPasswordResets(db: Db, userId: string): Promise<void> {
  await db.query('delete from password_resets where user_id = $1', [userId]);
}

/** Takes a reset out, with every other of the same person, whose row is held. @returns whether it was there. */
export async function usePasswordReset(db: Db, userId: string, digest: Buffer): Promise<boolean> {
  const { rows } = await db.query<{ digest: Buffer }>(
    'delete from password_resets where user_id = $1 returning digest',
    [userId],
  );
  return rows.some((row) => row.digest.equals(digest));
}

export async function deleteExpiredResets(db: Db, now: Date): Promise<void> {
  await db.query('delete from password_resets where expires_at <= $1', [now]);
}
