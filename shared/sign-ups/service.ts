/** Signing up: nothing comes into being until the link in the mail is used, and nothing tells whether an address is known. */
import { mayMail } from '../accounts/attempts.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { newOneTimeToken, oneTimeTokenDigest } from '../accounts/one-time-token.ts';
import { hashPassword, vetPassword } from '../accounts/password.ts';
import type { Origin } from '../actor.ts';
import { recordAudit } from '../audit/service.ts';
import { withTransaction } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { Language } from '../languages.ts';
import { alreadySignedUp, confirmSignUp } from '../mail/messages.ts';
import { postMail } from '../mail/outbox.ts';
import { findLanguageByEmail, foundOrganization } from '../organizations/service.ts';
import { hasSignUp, insertSignUp, takeSignUp } from './repository.ts';

export { deleteExpiredSignUps } from './repository.ts';

const LINK_HOURS = 24;

export interface SignUp {
  organizationName: string;
  name: string | null;
  /** In lower case. */
  email: string;
  language: Language;
  password: string;
}

/**
 * Mails a link to the address; whoever has an account already is told so by mail instead, in their own language. The same statements run in both
 * cases, behind the same hash. @throws AppError VALIDATION_FAILED for the password, UNAVAILABLE while Redis is away
 */
export async function signUp(deps: AccountDeps, input: SignUp): Promise<void> {
  const { organizationName, name, email, language, password } = input;
  vetPassword(password, [organizationName, email, ...(name === null ? [] : [name])]);
  const isAllowed = await mayMail(deps, 'sign-up', email);
  const passwordDigest = await hashPassword(password);
  await withTransaction(deps.db, async (uow) => {
    const knownLanguage = await findLanguageByEmail(uow.db, email);
    const token = newOneTimeToken(deps.random);
    const now = deps.clock.now();
    const expiresAt = new Date(now.getTime() + LINK_HOURS * 3600 * 1000);
    await insertSignUp(uow.db, {
      id: newUuid(),
      organizationName,
      name,
      email,
      language,
      passwordDigest,
      tokenDigest: oneTimeTokenDigest(token, 'sign-up', deps.tokenKey),
      now,
      expiresAt: knownLanguage === null ? expiresAt : now,
    });
    const message =
      knownLanguage === null
        ? confirmSignUp(language, deps.publicUrl, organizationName, token)
        : alreadySignedUp(knownLanguage, deps.publicUrl);
    await postMail(deps, uow, 'sign-up', email, isAllowed ? message : null, { expiresAt });
  });
}

/** @returns whether a sign-up's link still works. */
export const isSignUpOpen = (
  { db, tokenKey, clock }: Pick<AccountDeps, 'db' | 'tokenKey' | 'clock'>,
  token: string,
): Promise<boolean> => hasSignUp(db, oneTimeTokenDigest(token, 'sign-up', tokenKey), clock.now());

/** Makes the organization and its owner. @throws AppError VALIDATION_FAILED for a token that is used, expired or made up */
export async function verifySignUp(
  deps: AccountDeps,
  input: { token: string; timeZone: string; origin: Origin },
): Promise<{ orgId: string; userId: string }> {
  return withTransaction(deps.db, async ({ db }) => {
    const digest = oneTimeTokenDigest(input.token, 'sign-up', deps.tokenKey);
    const taken = await takeSignUp(db, digest, deps.clock.now());
    if (taken === null)
      throw invalidField('token', refusal('LINK_NOT_VALID', 'is not valid any more; sign up again'));
    const ids = await foundOrganization(deps, db, {
      name: taken.organization_name,
      timeZone: input.timeZone,
      email: taken.email,
      ownerName: taken.name,
      language: taken.language,
      passwordDigest: taken.password_digest,
    }).catch((error: unknown) => {
      // Invited, or signed up in another window, meanwhile.
      if (error instanceof AppError && error.code === 'CONFLICT')
        throw invalidField(
          'token',
          refusal('LINK_NOT_VALID', 'is not valid any more: this address has an account'),
        );
      throw error;
    });
    await recordAudit(deps, db, {
      orgId: ids.orgId,
      actor: { kind: 'user', id: encodeId('user', ids.userId), name: taken.email },
      action: 'verifySignUp',
      resource: encodeId('org', ids.orgId),
      origin: input.origin,
      before: null,
      after: { name: taken.organization_name, timeZone: input.timeZone },
    });
    return ids;
  });
}
