/** Signing in with a password and, where it is on, a second factor. */
import { encodeId } from '../ids.ts';
import { recordAudit } from '../audit/service.ts';
import type { Origin } from '../actor.ts';
import { withTransaction, type Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { beginAttempt } from './attempts.ts';
import type { AccountDeps } from './deps.ts';
import { noteFailedSignIn, type SignInFailure } from './failed-sign-ins.ts';
import { verifyPassword } from './password.ts';
import { findAccountByEmail, lockAccount, type AccountRow } from './repository.ts';
import { isSingleSignOnRequired } from '../single-sign-on/service.ts';
import { checkSecondFactor } from './second-factor.ts';
import { startSession, type IssuedTokens } from './sessions.ts';

export interface SignIn {
  /** In lower case. */
  email: string;
  password: string;
  /** Six digits of the app, or a recovery code. */
  code: string | null;
  /** What the browser kept of an earlier sign-in. */
  device: string | null;
  origin: Origin;
}

// The same words for an unknown address, a wrong password and a disabled person.
const refuse = () => new AppError('UNAUTHENTICATED', { detail: 'the address or the password is wrong' });
const WRONG_CODE = 'the code is wrong or was used before';

export interface SignedIn {
  tokens: IssuedTokens;
  account: AccountRow;
}

/**
 * @throws AppError UNAUTHENTICATED, SINGLE_SIGN_ON_REQUIRED, SECOND_FACTOR_REQUIRED where the password is right and a code is on but was not sent,
 *   RATE_LIMITED, UNAVAILABLE while Redis is away
 */
export async function signIn(deps: AccountDeps, input: SignIn): Promise<SignedIn> {
  try {
    return await attemptSignIn(deps, input);
  } catch (error) {
    const failure = error instanceof AppError ? failureOf(error) : null;
    if (failure !== null) void noteFailedSignIn(deps, failure, input);
    throw error;
  }
}

function failureOf({ code, message }: AppError): SignInFailure | null {
  if (code === 'RATE_LIMITED') return 'signInLimited';
  if (code !== 'UNAUTHENTICATED') return null;
  return message === WRONG_CODE ? 'secondFactorFailed' : 'signInFailed';
}

async function attemptSignIn(deps: AccountDeps, input: SignIn): Promise<SignedIn> {
  const attempt = await beginAttempt(deps, { ...input, ip: input.origin.ip });
  const found = await findAccountByEmail(deps.db, input.email);
  const isRight = await verifyPassword(found?.password_digest ?? null, input.password);
  if (!isRight || found === null || found.disabled_at !== null) throw refuse();
  if (found.totp_confirmed_at !== null && input.code === null) {
    await attempt.succeeded();
    throw new AppError('SECOND_FACTOR_REQUIRED', {
      detail: 'send the code of your authenticator app as "code"',
    });
  }
  const result = await withTransaction(deps.db, async (uow) => {
    const account = await lockAccount(uow.db, found.id);
    // Whatever changed since the password was checked: the lock shows the truth.
    if (account === null || account.disabled_at !== null || account.password_digest !== found.password_digest)
      throw refuse();
    if (account.totp_confirmed_at !== null) {
      const passed = input.code !== null && (await checkSecondFactor(deps, uow.db, account, input.code));
      if (!passed) throw new AppError('UNAUTHENTICATED', { detail: WRONG_CODE });
    }
    // Only whoever is who they say is told; the code is spent.
    const refusal = await refusalOfOrganization(uow.db, account);
    if (refusal !== null) return refusal;
    const tokens = await startSession(deps, uow.db, account.id, input.origin);
    await recordAudit(deps, uow.db, {
      orgId: account.org_id,
      actor: { kind: 'user', id: encodeId('user', account.id), name: account.email },
      action: 'signIn',
      resource: encodeId('sess', tokens.sessionId),
      origin: input.origin,
      before: null,
      after: null,
    });
    return { tokens, account };
  });
  // Also where it serves no more: no guess was wrong, and an office of such people would keep its owners out, behind one address.
  await attempt.succeeded();
  if (result instanceof AppError) throw result;
  return result;
}

/** Why nobody of the organization, or not this one, signs in with a password, however right; null where they do. */
async function refusalOfOrganization(
  db: Db,
  { blocked_at: blockedAt, role, org_id: orgId }: AccountRow,
): Promise<AppError | null> {
  if (blockedAt !== null)
    return new AppError('FORBIDDEN', { detail: 'whoever runs this service has blocked this organization' });
  if (role === 'owner' || !(await isSingleSignOnRequired(db, orgId))) return null;
  return new AppError('SINGLE_SIGN_ON_REQUIRED', {
    detail: 'your organization signs people in by its own provider',
    extensions: { organizationId: encodeId('org', orgId) },
  });
}
