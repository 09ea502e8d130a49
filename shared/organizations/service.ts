/** Organizations and their first owner. */
import { hash } from '@node-rs/argon2';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, constraintOf, invalidField } from '../errors.ts';
import { newUuid } from '../ids.ts';
import { insertOrganization, insertUser, organizationExists } from './repository.ts';

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane; 12.6 ms on one core.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MIN_PASSWORD_LENGTH = 10;

export { findOrganizationIdByEmail } from './repository.ts';

const emailSchema = z.email().max(254).toLowerCase();

/** @throws AppError VALIDATION_FAILED, or CONFLICT where the address belongs to somebody already. */
export async function createOrganization(
  deps: { clock: Clock },
  db: Db,
  input: { name: string; email: string; password: string },
): Promise<{ orgId: string; userId: string }> {
  const name = input.name.trim();
  if (name.length === 0 || name.length > 200) throw invalidField('name', 'must have 1 to 200 characters');
  const email = emailSchema.safeParse(input.email.trim());
  if (!email.success) throw invalidField('email', 'is not an e-mail address');
  if (input.password.length < MIN_PASSWORD_LENGTH) {
    throw invalidField('password', `must have at least ${MIN_PASSWORD_LENGTH} characters`);
  }
  const now = deps.clock.now();
  const orgId = newUuid();
  const userId = newUuid();
  const passwordDigest = await hash(input.password, ARGON2ID);
  await insertOrganization(db, { id: orgId, name, now });
  try {
    await insertUser(db, { id: userId, orgId, email: email.data, passwordDigest, role: 'owner', now });
  } catch (error) {
    if (constraintOf(error) !== 'users_email_key') throw error;
    throw new AppError('CONFLICT', { detail: 'this e-mail address already belongs to a user', cause: error });
  }
  return { orgId, userId };
}

/** @throws AppError NOT_FOUND */
export async function requireOrganization(db: Db, orgId: string): Promise<void> {
  if (!(await organizationExists(db, orgId)))
    throw new AppError('NOT_FOUND', { detail: 'no such organization' });
}
