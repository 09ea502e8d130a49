/** The second factor: set up, confirm, check, switch off. */
import type { UnitOfWork, Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { secondFactorChanged } from '../mail/messages.ts';
import { postMail } from '../mail/outbox.ts';
import { sealedIn } from '../reseal.ts';
import type { SecretOwner } from '../secret-box.ts';
import type { AccountDeps } from './deps.ts';
import { oneTimeTokenDigest } from './one-time-token.ts';
import {
  lockAccount,
  replaceRecoveryCodes,
  storeTotp,
  useRecoveryCode,
  type AccountRow,
} from './repository.ts';
import { matchTotp, newTotpSecret, otpauthUrl } from './totp.ts';

type Deps = Pick<AccountDeps, 'clock' | 'random' | 'secretBox' | 'waker' | 'tokenKey'>;

const RECOVERY_CODES = 10;
// Without what is mistaken for something else; 10 of 30 characters are 49 bits, behind the limit on attempts.
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz2345679';

const totpOwner = ({ id, org_id }: Pick<AccountRow, 'id' | 'org_id'>): SecretOwner => ({
  organizationId: org_id,
  resource: `totp:${id}`,
});

export const SECOND_FACTORS = sealedIn({ table: 'users', column: 'totp_sealed' }, totpOwner);

const normalize = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');

function newRecoveryCode(random: (bytes: number) => Buffer): string {
  let characters = '';
  while (characters.length < 10) {
    // 240 is the largest multiple of 30 in a byte: without the cut the first characters would be likelier.
    for (const byte of random(16))
      if (byte < 240 && characters.length < 10) characters += RECOVERY_ALPHABET[byte % 30]!;
  }
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

/** Makes a secret for the app; nothing changes until it is confirmed. @throws AppError CONFLICT where one is on */
export async function setUpTotp(
  deps: Deps,
  db: Db,
  userId: string,
): Promise<{ secret: string; otpauthUrl: string }> {
  const account = await lockOwnAccount(db, userId);
  if (account.totp_confirmed_at !== null)
    throw new AppError('CONFLICT', { detail: 'the second factor is on already' });
  const secret = newTotpSecret(deps.random);
  const sealed = deps.secretBox.seal(secret, totpOwner(account));
  await storeTotp(db, userId, { sealed, confirmedAt: null, lastStep: null });
  return { secret, otpauthUrl: otpauthUrl(secret, account.email) };
}

/** Switches the second factor on. @returns recovery codes, shown this once. @throws AppError CONFLICT, VALIDATION_FAILED */
export async function confirmTotp(
  deps: Deps,
  uow: UnitOfWork,
  userId: string,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const account = await lockOwnAccount(uow.db, userId);
  if (account.totp_sealed === null || account.totp_confirmed_at !== null)
    throw new AppError('CONFLICT', { detail: 'there is no second factor to confirm: set one up first' });
  const secret = deps.secretBox.open(account.totp_sealed, totpOwner(account));
  const step = matchTotp(secret, normalize(code), deps.clock.now(), null);
  if (step === null)
    throw invalidField('code', refusal('WRONG_SECOND_FACTOR', 'is not what the app shows now'));
  await storeTotp(uow.db, userId, {
    sealed: account.totp_sealed,
    confirmedAt: deps.clock.now(),
    lastStep: step,
  });
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(deps.random));
  const digests = recoveryCodes.map((each) =>
    oneTimeTokenDigest(normalize(each), 'recovery-code', deps.tokenKey),
  );
  await replaceRecoveryCodes(uow.db, userId, digests);
  const message = secondFactorChanged(account.language, true);
  await postMail(deps, uow, 'second-factor-changed', account.email, message);
  return { recoveryCodes };
}

/**
 * Checks a code of the app or a recovery code, each of which works once. The account's row must be locked, and the caller's
 * transaction must commit for the code to be spent.
 */
export async function checkSecondFactor(
  deps: Deps,
  db: Db,
  account: AccountRow,
  code: string,
): Promise<boolean> {
  const given = normalize(code);
  if (/^\d{6}$/.test(given)) {
    const secret = deps.secretBox.open(account.totp_sealed!, totpOwner(account));
    const step = matchTotp(secret, given, deps.clock.now(), account.totp_last_step);
    if (step === null) return false;
    await storeTotp(db, account.id, {
      sealed: account.totp_sealed,
      confirmedAt: account.totp_confirmed_at,
      lastStep: step,
    });
    return true;
  }
  return useRecoveryCode(db, account.id, oneTimeTokenDigest(given, 'recovery-code', deps.tokenKey));
}

/** Switches the second factor off and forgets its secret; the caller has checked password and code. */
export async function disableTotp(deps: Deps, uow: UnitOfWork, account: AccountRow): Promise<void> {
  await storeTotp(uow.db, account.id, { sealed: null, confirmedAt: null, lastStep: null });
  await replaceRecoveryCodes(uow.db, account.id, []);
  const message = secondFactorChanged(account.language, false);
  await postMail(deps, uow, 'second-factor-changed', account.email, message);
}

/** The account of a signed-in person, locked until the transaction ends. @throws AppError NOT_FOUND */
export async function lockOwnAccount(db: Db, userId: string): Promise<AccountRow> {
  const account = await lockAccount(db, userId);
  if (account === null) throw new AppError('NOT_FOUND', { detail: 'no such user' });
  return account;
}
