/** What a person sees and changes about themselves. */
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { findAccount, storeProfile, type AccountRow } from './repository.ts';

export { countRecoveryCodes, type AccountRow } from './repository.ts';

/** @throws AppError NOT_FOUND */
export async function getAccount(db: Db, userId: string): Promise<AccountRow> {
  const account = await findAccount(db, userId);
  if (account === null) throw new AppError('NOT_FOUND', { detail: 'no such user' });
  return account;
}

export const renameSelf = (db: Db, userId: string, name: string | null): Promise<void> =>
  storeProfile(db, userId, name);
