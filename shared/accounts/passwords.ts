/** Forgotten and changed passwords. */
import type { Origin, UserActor } from '../actor.ts';
import { auditActor, recordAudit } from '../audit/service.ts';
import { withTransaction, type Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId } from '../ids.ts';
import { passwordChanged, resetPassword as resetPasswordMail } from '../mail/messages.ts';
import { postMail } from '../mail/outbox.ts';
import { beginOwnAttempt, mayMail, type Attempt } from './attempts.ts';
import type { AccountDeps } from './deps.ts';
import { newOneTimeToken, oneTimeTokenDigest } from './one-time-token.ts';
import { hashPassword, verifyPassword, vetPassword } from './password.ts';
import {
  findAccount,
  findAccountByEmail,
  findResettingUser,
  insertPasswordReset,
  lockAccount,
  storePassword,
  usePasswordReset,
  voidPasswordResets,
  type AccountRow,
} from './repository.ts';
import { endSessionsOf } from './sessions.ts';

export { voidPasswordResets } from './repository.ts';

const RESET_SECONDS = 3600;

/**
 * Mails a link to whoever has the address. The same statements run where nobody has it, so that neither the answer nor its
 * time tells. @throws AppError UNAVAILABLE while Redis is away
 */
export async function forgetPassword(deps: AccountDeps, email: string): Promise<void> {
  const isAllowed = await mayMail(deps, 'password-reset', email);
  await withTransaction(deps.db, async (uow) => {
    const found = await findAccountByEmail(uow.db, email);
    const account = isAllowed && found?.disabled_at === null ? found : null;
    const token = newOneTimeToken(deps.random);
    const now = deps.clock.now();
    const expiresAt = new Date(now.getTime() + RESET_SECONDS * 1000);
    await insertPasswordReset(uow.db, {
      digest: oneTimeTokenDigest(token, 'password-reset', deps.tokenKey),
      userId: account?.id ?? null,
      now,
      expiresAt,
    });
    const message = account === null ? null : resetPasswordMail(account.language, deps.publicUrl, token);
    await postMail(deps, uow, 'password-reset', email, message, { expiresAt });
  });
}

const knownWords = (account: AccountRow): string[] => [
  account.email,
  account.organization_name,
  ...(account.name === null ? [] : [account.name]),
];

async function replacePassword(
  deps: AccountDeps,
  db: Db,
  account: AccountRow,
  change: { digest: string; keepSessionId: string | null },
): Promise<void> {
  await storePassword(db, account.id, change.digest);
  await endSessionsOf(db, account.id, change.keepSessionId, 'password-changed', deps.clock.now());
}

/** @returns whether a link to choose a new password still works. */
export async function isResetOpen(deps: AccountDeps, token: string): Promise<boolean> {
  const tokenDigest = oneTimeTokenDigest(token, 'password-reset', deps.tokenKey);
  const userId = await findResettingUser(deps.db, tokenDigest, deps.clock.now());
  const account = userId === null ? null : await findAccount(deps.db, userId);
  return account?.disabled_at === null;
}

/**
 * Sets a new password by the token of a mail and ends every session. Signing in afterwards takes the second factor as before.
 * @returns the account's address. @throws AppError VALIDATION_FAILED for the token or the password
 */
export async function resetPassword(
  deps: AccountDeps,
  input: { token: string; password: string; origin: Origin },
): Promise<string> {
  vetPassword(input.password, []);
  const digest = await hashPassword(input.password);
  return withTransaction(deps.db, async (uow) => {
    const tokenDigest = oneTimeTokenDigest(input.token, 'password-reset', deps.tokenKey);
    const userId = await findResettingUser(uow.db, tokenDigest, deps.clock.now());
    // Before their links: two of them at once, or their removal, would wait for each other.
    const account = userId === null ? null : await lockAccount(uow.db, userId);
    if (account?.disabled_at !== null || !(await usePasswordReset(uow.db, account.id, tokenDigest)))
      throw invalidField('token', refusal('LINK_NOT_VALID', 'is not valid any more; ask for a new one'));
    vetPassword(input.password, knownWords(account));
    await replacePassword(deps, uow.db, account, { digest, keepSessionId: null });
    await postMail(deps, uow, 'password-changed', account.email, passwordChanged(account.language));
    await recordAudit(deps, uow.db, {
      orgId: account.org_id,
      actor: { kind: 'user', id: encodeId('user', account.id), name: account.email },
      action: 'resetPassword',
      resource: encodeId('user', account.id),
      origin: input.origin,
      before: null,
      after: null,
    });
    return account.email;
  });
}

/**
 * Shows by the password that a signed-in person is who they were.
 * @returns the attempt too: it counts as a failure until whoever asks has checked all else, such as a code.
 * @throws AppError FORBIDDEN for a wrong password, RATE_LIMITED, UNAVAILABLE
 */
export async function confirmPassword(
  deps: AccountDeps,
  actor: UserActor,
  password: string,
): Promise<{ account: AccountRow; attempt: Attempt }> {
  const { account, attempt } = await beginConfirming(deps, actor);
  if (!(await verifyPassword(account.password_digest, password))) throw wrongPassword();
  return { account, attempt };
}

const wrongPassword = () => new AppError('FORBIDDEN', { detail: 'the current password is wrong' });

async function beginConfirming(deps: AccountDeps, actor: UserActor) {
  const attempt = await beginOwnAttempt(deps, actor.userId);
  const account = await findAccount(deps.db, actor.userId);
  if (account === null) throw wrongPassword();
  return { account, attempt };
}

/**
 * Changes one's own password, ends one's other sessions and voids links to a new password. Where the new one holds already it is a
 * repeat, whose first answer was lost: a success without effect. @throws as {@link confirmPassword}, VALIDATION_FAILED
 */
export async function changePassword(
  deps: AccountDeps,
  actor: UserActor,
  input: { currentPassword: string; newPassword: string; origin: Origin },
): Promise<void> {
  const { account, attempt } = await beginConfirming(deps, actor);
  const isCurrent = await verifyPassword(account.password_digest, input.currentPassword);
  if (!isCurrent && !(await verifyPassword(account.password_digest, input.newPassword)))
    throw wrongPassword();
  await attempt.succeeded();
  if (!isCurrent) return;
  vetPassword(input.newPassword, knownWords(account), 'newPassword');
  const digest = await hashPassword(input.newPassword);
  await withTransaction(deps.db, async (uow) => {
    const locked = await lockAccount(uow.db, actor.userId);
    if (locked?.password_digest !== account.password_digest)
      throw new AppError('CONFLICT', { detail: 'the password was changed meanwhile' });
    // Whoever reads the mailbox could undo the change by one.
    await voidPasswordResets(uow.db, actor.userId);
    await replacePassword(deps, uow.db, account, { digest, keepSessionId: actor.sessionId });
    await postMail(deps, uow, 'password-changed', account.email, passwordChanged(account.language));
    await recordAudit(deps, uow.db, {
      orgId: actor.orgId,
      actor: auditActor(actor),
      action: 'changePassword',
      resource: encodeId('user', actor.userId),
      origin: input.origin,
      before: null,
      after: null,
    });
  });
}
