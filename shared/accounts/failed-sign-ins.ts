/**
 * Failed sign-ins in the audit log of whoever has the account: the first of each kind in an hour, so that guessing fills no
 * log. All of it happens beside the answer, which neither waits for it nor differs by it: time does not tell whether there is
 * an account. A process that is killed in that moment loses the entry.
 */
import type { Origin } from '../actor.ts';
import { recordAudit } from '../audit/service.ts';
import { encodeId } from '../ids.ts';
import { accountDigest } from './attempts.ts';
import type { AccountDeps } from './deps.ts';
import { findAccountByEmail } from './repository.ts';

/**
 * A wrong password or a disabled user; a right password with a wrong code, also to switch the second factor off; an attempt
 * beyond the limit.
 */
export type SignInFailure = 'signInFailed' | 'secondFactorFailed' | 'signInLimited';

const HOUR_MS = 3_600_000;

/** @returns when it is written, or known to be nothing to write; never rejects. */
export async function noteFailedSignIn(
  deps: AccountDeps,
  failure: SignInFailure,
  input: { email: string; origin: Origin },
): Promise<void> {
  try {
    const { count } = await deps.counter.add(`audit:${failure}:${accountDigest(input.email)}`, HOUR_MS);
    if (count > 1) return;
    const account = await findAccountByEmail(deps.db, input.email);
    if (account === null) return;
    await recordAudit(deps, deps.db, {
      orgId: account.org_id,
      actor: { kind: 'anonymous', id: null, name: null },
      action: failure,
      resource: encodeId('user', account.id),
      origin: input.origin,
      before: null,
      after: null,
    });
  } catch (error) {
    deps.log.warn({ err: error }, 'a failed sign-in is missing from the audit log');
  }
}
