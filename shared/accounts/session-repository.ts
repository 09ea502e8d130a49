import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';

export interface ActiveUserRow {
  id: string;
  org_id: string;
  email: string;
  language: Language;
  role: Role;
}

export type SessionEnd =
  | 'signed-out'
  | 'signed-out-everywhere'
  | 'ended-elsewhere'
  | 'password-changed'
  | 'disabled'
  | 'replayed'
  /** What it began by counts no longer. */
  | 'single-sign-on-changed';

export interface SessionRow {
  id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ip: string | null;
  user_agent: string | null;
}

export interface RefreshTokenRow {
  session_id: string;
  user_id: string;
  expires_at: Date;
  ended_at: Date | null;
  exchanged_at: Date | null;
  salt: Buffer | null;
  /** Whether the successor was exchanged in its turn. */
  successor_used: boolean;
}

/**
 * The person behind a session, as both are now: one indexed query. Null where either has ended, or the organization is blocked, or where
 * single sign-on is required and the session began with a password: of an owner who is none any more, or while it became required.
 */
export async function findActiveUser(
  db: Db,
  sessionId: string,
  userId: string,
  now: Date,
): Promise<ActiveUserRow | null> {
  const { rows } = await db.query<ActiveUserRow>({
    name: 'find-active-user',
    text: `select u.id, u.org_id, u.email, u.language, u.role
             from sessions s
             join users u on u.id = s.user_id
             join organizations o on o.id = u.org_id and o.blocked_at is null
             left join sign_in_providers p on p.org_id = u.org_id and p.is_required and p.proven_at is not null
            where s.id = $1 and u.id = $2 and s.ended_at is null and s.expires_at > $3 and u.disabled_at is null
              and (p.org_id is null or s.by_provider or u.role = 'owner')`,
    values: [sessionId, userId, now],
  });
  return rows[0] ?? null;
}

export async function insertSession(
  db: Db,
  session: {
    id: string;
    userId: string;
    /** By the organization's single sign-on. */
    byProvider: boolean;
    now: Date;
    expiresAt: Date;
    ip: string | null;
    userAgent: string | null;
    digest: Buffer;
  },
): Promise<void> {
  await db.query(
    `with session as (
       insert into sessions (id, user_id, created_at, last_used_at, expires_at, ip, user_agent, by_provider)
       values ($1, $2, $3, $3, $4, $5, $6, $8) returning id
     )
     insert into refresh_tokens (digest, session_id, created_at) select $7, id, $3 from session`,
    [
      session.id,
      session.userId,
      session.now,
      session.expiresAt,
      session.ip,
      session.userAgent,
      session.digest,
      session.byProvider,
    ],
  );
}

/** Finds a token and locks its session, so that two exchanges at once take turns. */
export async function lockRefreshToken(db: Db, digest: Buffer): Promise<RefreshTokenRow | null> {
  const { rows: found } = await db.query<{ session_id: string }>(
    `select s.id as session_id from sessions s
      where s.id = (select session_id from refresh_tokens where digest = $1)
      for update`,
    [digest],
  );
  if (found[0] === undefined) return null;
  // Read only now: what the holder of the lock before us wrote is seen.
  const { rows } = await db.query<RefreshTokenRow>(
    `select t.session_id, s.user_id, s.expires_at, s.ended_at, t.exchanged_at, t.salt,
            next.exchanged_at is not null as successor_used
       from refresh_tokens t
       join sessions s on s.id = t.session_id
       left join refresh_tokens next on next.digest = t.successor
      where t.digest = $1`,
    [digest],
  );
  return rows[0] ?? null;
}

export async function exchangeRefreshToken(
  db: Db,
  token: { digest: Buffer; sessionId: string; salt: Buffer; successor: Buffer; now: Date },
): Promise<void> {
  await db.query('insert into refresh_tokens (digest, session_id, created_at) values ($1, $2, $3)', [
    token.successor,
    token.sessionId,
    token.now,
  ]);
  await db.query('update refresh_tokens set exchanged_at = $2, salt = $3, successor = $4 where digest = $1', [
    token.digest,
    token.now,
    token.salt,
    token.successor,
  ]);
  await db.query('update sessions set last_used_at = $2 where id = $1', [token.sessionId, token.now]);
}

/** @returns whether it was open until now. */
export async function endSession(
  db: Db,
  userId: string,
  id: string,
  because: SessionEnd,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sessions set ended_at = $4, ended_because = $3
      where id = $1 and user_id = $2 and ended_at is null`,
    [id, userId, because, now],
  );
  return rowCount === 1;
}

/** @returns whether a session is or was a person's. */
export async function isSessionOf(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from sessions where id = $1 and user_id = $2', [id, userId]);
  return rowCount === 1;
}

/** Ends a person's sessions but `exceptId`. @returns how many. */
export async function endSessionsOf(
  db: Db,
  userId: string,
  exceptId: string | null,
  because: SessionEnd,
  now: Date,
): Promise<number> {
  const { rowCount } = await db.query(
    `update sessions set ended_at = $4, ended_because = $3
      where user_id = $1 and id is distinct from $2 and ended_at is null`,
    [userId, exceptId, because, now],
  );
  return rowCount ?? 0;
}

/**
 * Ends the sessions of an organization's people that began in one way; with a password, those of owners go on.
 * @param userId of one of them alone
 */
export async function endSessionsBegunBy(
  db: Db,
  orgId: string,
  how: 'password' | 'provider',
  now: Date,
  userId: string | null = null,
): Promise<void> {
  await db.query(
    `update sessions s set ended_at = $3, ended_because = 'single-sign-on-changed'
       from users u
      where u.org_id = $1 and s.user_id = u.id and s.ended_at is null and s.by_provider = $2
        and (s.by_provider or u.role <> 'owner') and ($4::uuid is null or u.id = $4)`,
    [orgId, how === 'provider', now, userId],
  );
}

/** Ends the sessions that somebody began with a password, where the organization requires single sign-on of them by now. */
export async function endSessionsByRefusedPassword(db: Db, userId: string, now: Date): Promise<void> {
  await db.query(
    `update sessions s set ended_at = $2, ended_because = 'single-sign-on-changed'
       from users u
       join sign_in_providers p on p.org_id = u.org_id and p.is_required and p.proven_at is not null
      where u.id = $1 and u.role <> 'owner' and s.user_id = u.id and s.ended_at is null and not s.by_provider`,
    [userId, now],
  );
}

export async function listOpenSessions(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `select id, created_at, last_used_at, expires_at, host(ip) as ip, user_agent from sessions
      where user_id = $1 and ended_at is null and expires_at > $2
      order by id desc
      limit 200`,
    [userId, now],
  );
  return rows;
}

/** Sessions that ended or expired before `before`, with their tokens; when somebody last signed in stays with them. @returns how many. */
export async function deleteOldSessions(db: Db, before: Date): Promise<number> {
  // A statement of its own: who changes a password locks the user before the sessions.
  await db.query(
    `update users u set last_signed_in_at = greatest(u.last_signed_in_at, old.signed_in_at)
       from (select user_id, max(created_at) as signed_in_at from sessions
              where expires_at <= $1 or ended_at <= $1 group by user_id) old
      where u.id = old.user_id and u.removed_at is null`,
    [before],
  );
  const { rowCount } = await db.query('delete from sessions where expires_at <= $1 or ended_at <= $1', [
    before,
  ]);
  return rowCount ?? 0;
}
