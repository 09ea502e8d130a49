/** Sessions of signed-in people, each a family of refresh tokens (RFC 9700 §4.14.2). */
import { ROLE_TABLE } from '../access/roles.ts';
import type { Origin, UserActor } from '../actor.ts';
import { recordAudit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError } from '../errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import { sessionEndedAsReplayed } from '../mail/messages.ts';
import { postMail, type OutboxDeps } from '../mail/outbox.ts';
import { plainAddress } from '../places/addresses.ts';
import type { AccessTokens, AccessTokenSubject } from './access-token.ts';
import { isRefreshToken, newRefreshToken, refreshTokenDigest, successorOf } from './refresh-token.ts';
import {
  endSession,
  exchangeRefreshToken,
  findActiveUser,
  insertSession,
  isSessionOf,
  lockRefreshToken,
  type SessionEnd,
} from './session-repository.ts';

export {
  endSessionsBegunBy,
  endSessionsByRefusedPassword,
  endSessionsOf,
  listOpenSessions,
  type SessionRow,
} from './session-repository.ts';

export interface SessionDeps {
  clock: Clock;
  random(bytes: number): Buffer;
  accessTokens: AccessTokens;
  /** Key of the refresh tokens' digests and successors. */
  refreshKey: Buffer;
}

/** A session ends this long after its sign-in, however much it is used. */
const SESSION_SECONDS = 30 * 24 * 3600;

/**
 * For this long a token that was exchanged is answered again with the same successor, as long as nobody has used that
 * successor: the other tab, or the client that never got the answer.
 */
const RETRY_SECONDS = 60;

export interface IssuedTokens extends AccessTokenSubject {
  accessToken: string;
  refreshToken: string;
  /** When the session ends for good. */
  expiresAt: Date;
}

/** @returns the person as they are now, or null where session or person are no more. */
export async function authenticateUser(
  deps: Pick<SessionDeps, 'clock' | 'accessTokens'>,
  db: Db,
  accessToken: string,
): Promise<UserActor | null> {
  const subject = await deps.accessTokens.verify(accessToken);
  if (subject === null) return null;
  const user = await findActiveUser(db, subject.sessionId, subject.userId, deps.clock.now());
  if (user === null) return null;
  const { scopes, permissions } = ROLE_TABLE[user.role];
  return {
    kind: 'user',
    orgId: user.org_id,
    userId: user.id,
    name: user.email,
    sessionId: subject.sessionId,
    role: user.role,
    scopes,
    permissions,
  };
}

/** Begins a session for somebody who has shown who they are. @param how by a password and for {@link SESSION_SECONDS}, where it says nothing */
export async function startSession(
  deps: SessionDeps,
  db: Db,
  userId: string,
  from: { ip: string | null; userAgent: string | null },
  how: { byProvider: boolean; seconds: number } = { byProvider: false, seconds: SESSION_SECONDS },
): Promise<IssuedTokens> {
  const now = deps.clock.now();
  const sessionId = newUuid();
  const refreshToken = newRefreshToken(deps.random);
  const expiresAt = new Date(now.getTime() + how.seconds * 1000);
  await insertSession(db, {
    id: sessionId,
    userId,
    byProvider: how.byProvider,
    now,
    expiresAt,
    ip: from.ip === null ? null : plainAddress(from.ip),
    userAgent: from.userAgent?.slice(0, 512) ?? null,
    digest: refreshTokenDigest(refreshToken, deps.refreshKey),
  });
  const accessToken = await deps.accessTokens.issue({ userId, sessionId });
  return { userId, sessionId, accessToken, refreshToken, expiresAt };
}

export type Refreshed = { type: 'issued'; tokens: IssuedTokens } | { type: 'refused' };

/**
 * Exchanges a refresh token. A token that comes again after its successor was used, or later than
 * {@link RETRY_SECONDS}, has been copied: its whole session ends, and its owner is told by mail. The caller's transaction must commit in either case.
 */
export async function refreshSession(
  deps: SessionDeps & OutboxDeps,
  uow: UnitOfWork,
  token: string,
  origin: Origin,
): Promise<Refreshed> {
  if (!isRefreshToken(token)) return { type: 'refused' };
  const { db } = uow;
  const now = deps.clock.now();
  const digest = refreshTokenDigest(token, deps.refreshKey);
  const found = await lockRefreshToken(db, digest);
  if (found === null || found.ended_at !== null || found.expires_at <= now) return { type: 'refused' };
  const { session_id: sessionId, user_id: userId } = found;
  const user = await findActiveUser(db, sessionId, userId, now);
  if (user === null) return { type: 'refused' };

  let salt = found.salt;
  if (salt !== null) {
    const age = now.getTime() - found.exchanged_at!.getTime();
    if (found.successor_used || age > RETRY_SECONDS * 1000) {
      await endSession(db, userId, sessionId, 'replayed', now);
      await postMail(deps, uow, 'session-replayed', user.email, sessionEndedAsReplayed(user.language));
      await recordAudit(deps, db, {
        orgId: user.org_id,
        // The one who came second: the owner or the thief.
        actor: { kind: 'anonymous', id: null, name: null },
        action: 'sessionReplayed',
        resource: encodeId('user', userId),
        origin,
        before: null,
        after: { sessionId: encodeId('sess', sessionId) },
      });
      return { type: 'refused' };
    }
  }
  const isFirst = salt === null;
  salt ??= deps.random(16);
  const refreshToken = successorOf(token, salt, deps.refreshKey);
  if (isFirst) {
    const successor = refreshTokenDigest(refreshToken, deps.refreshKey);
    await exchangeRefreshToken(db, { digest, sessionId, salt, successor, now });
  }
  const accessToken = await deps.accessTokens.issue({ userId, sessionId });
  return {
    type: 'issued',
    tokens: { userId, sessionId, accessToken, refreshToken, expiresAt: found.expires_at },
  };
}

/** Ends the session that a refresh token belongs to; nothing happens where it is unknown or has ended. */
export async function signOutByRefreshToken(
  deps: SessionDeps,
  db: Db,
  token: string,
  origin: Origin,
): Promise<void> {
  if (!isRefreshToken(token)) return;
  const now = deps.clock.now();
  const found = await lockRefreshToken(db, refreshTokenDigest(token, deps.refreshKey));
  if (found === null) return;
  const user = await findActiveUser(db, found.session_id, found.user_id, now);
  const hasEnded = await endSession(db, found.user_id, found.session_id, 'signed-out', now);
  if (user === null || !hasEnded) return;
  await recordAudit(deps, db, {
    orgId: user.org_id,
    actor: { kind: 'user', id: encodeId('user', user.id), name: user.email },
    action: 'signOut',
    resource: encodeId('sess', found.session_id),
    origin,
    before: null,
    after: null,
  });
}

/** Ends one of a person's own sessions; nothing happens where it has ended already. @throws AppError NOT_FOUND */
export async function endOwnSession(
  { clock }: Pick<SessionDeps, 'clock'>,
  db: Db,
  userId: string,
  sessionId: string,
  because: SessionEnd,
): Promise<void> {
  if (await endSession(db, userId, sessionId, because, clock.now())) return;
  if (!(await isSessionOf(db, userId, sessionId)))
    throw new AppError('NOT_FOUND', { detail: 'no such session' });
}
