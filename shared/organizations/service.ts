/** Organizations, their first owner, and their settings. */
import { z } from 'zod';
import { hashPassword, vetPassword } from '../accounts/password.ts';
import type { UserActor } from '../actor.ts';
import { OPERATOR, recordAudit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, constraintOf, invalidField, refuseOvertaken } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import { DEFAULT_LANGUAGE, type Language } from '../languages.ts';
import { findInternalNetworks, storeInternalNetworks } from './internal-networks-repository.ts';
import {
  findOrganization,
  findRole,
  insertOrganization,
  insertUser,
  isActiveUser,
  lockOrganization,
  organizationExists,
  updateOrganization,
  type NewUser,
  type OrganizationFields,
  type OrganizationRow,
} from './repository.ts';

export {
  findLanguageByEmail,
  findOrganizationIdByEmail,
  lockOrganization,
  organizationExists,
  searchOrganizations,
  type ListedOrganization,
  type OrganizationRow,
} from './repository.ts';
export { blockOrganization } from './blocking.ts';
export { findInternalNetworks } from './internal-networks-repository.ts';

const emailSchema = z.email().max(254).toLowerCase();

/**
 * Creates an organization whose owner can sign in at once: for the operator, who answers for the address.
 * @throws AppError VALIDATION_FAILED, or CONFLICT where the address belongs to somebody already.
 */
export async function createOrganization(
  deps: { clock: Clock },
  db: Db,
  input: { name: string; email: string; password: string; language?: Language },
): Promise<{ orgId: string; userId: string }> {
  const name = input.name.trim();
  if (name.length === 0 || name.length > 200)
    throw invalidField(
      'name',
      refusal('WRONG_LENGTH', 'must have 1 to 200 characters', { minimum: 1, maximum: 200 }),
    );
  const email = emailSchema.safeParse(input.email.trim());
  if (!email.success)
    throw invalidField('email', refusal('NOT_AN_EMAIL_ADDRESS', 'is not an e-mail address'));
  vetPassword(input.password, [name, email.data]);
  const passwordDigest = await hashPassword(input.password);
  const ids = await foundOrganization(deps, db, {
    name,
    timeZone: 'UTC',
    email: email.data,
    ownerName: null,
    language: input.language ?? DEFAULT_LANGUAGE,
    passwordDigest,
  });
  await recordAudit(deps, db, {
    orgId: ids.orgId,
    actor: OPERATOR,
    action: 'createOrganization',
    resource: encodeId('org', ids.orgId),
    origin: null,
    before: null,
    after: { name, owner: email.data },
  });
  return ids;
}

/** An organization with its first owner. @throws AppError CONFLICT where the address belongs to somebody already. */
export async function foundOrganization(
  deps: { clock: Clock },
  db: Db,
  input: {
    name: string;
    timeZone: string;
    email: string;
    ownerName: string | null;
    language: Language;
    passwordDigest: string;
  },
): Promise<{ orgId: string; userId: string }> {
  const now = deps.clock.now();
  const orgId = newUuid();
  await insertOrganization(db, { id: orgId, name: input.name, timeZone: input.timeZone, now });
  const userId = await addUser(deps, db, {
    orgId,
    email: input.email,
    name: input.ownerName,
    language: input.language,
    passwordDigest: input.passwordDigest,
    role: 'owner',
  });
  return { orgId, userId };
}

/** A user of an organization. @returns the UUID. @throws AppError CONFLICT where the address belongs to somebody. */
export async function addUser(
  { clock }: { clock: Clock },
  db: Db,
  user: Omit<NewUser, 'id' | 'now'>,
): Promise<string> {
  const id = newUuid();
  try {
    await insertUser(db, { ...user, id, now: clock.now() });
  } catch (error) {
    if (constraintOf(error) !== 'users_email_key') throw error;
    throw new AppError('CONFLICT', { detail: 'this e-mail address already belongs to a user', cause: error });
  }
  return id;
}

/** @throws AppError NOT_FOUND */
export async function requireOrganization(db: Db, orgId: string): Promise<void> {
  if (!(await organizationExists(db, orgId)))
    throw new AppError('NOT_FOUND', { detail: 'no such organization' });
}

/** @throws AppError NOT_FOUND */
export async function getOrganization(db: Db, orgId: string): Promise<OrganizationRow> {
  const organization = await findOrganization(db, orgId);
  if (organization === null) throw new AppError('NOT_FOUND', { detail: 'no such organization' });
  return organization;
}

/**
 * Takes the organization's lock for somebody who decides about it. Whoever waited for it may have lost meanwhile what they had
 * when they asked.
 * @throws AppError FORBIDDEN
 */
export async function lockOrganizationFor(
  db: Db,
  { orgId, userId, role }: Pick<UserActor, 'orgId' | 'userId' | 'role'>,
): Promise<void> {
  await lockOrganization(db, orgId);
  if ((await findRole(db, orgId, userId)) !== role)
    throw new AppError('FORBIDDEN', { detail: 'your role was changed meanwhile' });
}

/** Changes the settings given and leaves the others. */
export async function changeOrganization(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  changes: Partial<OrganizationFields>,
): Promise<OrganizationRow> {
  await lockOrganization(db, orgId);
  const current = await getOrganization(db, orgId);
  await updateOrganization(db, orgId, { ...current, ...changes }, clock.now());
  return getOrganization(db, orgId);
}

/**
 * For the scans to come. The caller holds the organization's lock.
 * @param change with `expected`, only where these networks are still those that there are
 * @throws AppError CONFLICT
 */
export async function changeInternalNetworks(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  {
    networks,
    expected,
  }: { networks: readonly string[]; expected?: { networks?: readonly string[] | undefined } | undefined },
): Promise<void> {
  const current = await findInternalNetworks(db, orgId);
  refuseOvertaken<{ networks: readonly string[] }>(expected, { networks: current }, { networks });
  await storeInternalNetworks(db, orgId, networks, clock.now());
}

/** Refuses whoever cannot work: a stranger, and a user who was disabled or removed. @throws AppError VALIDATION_FAILED */
export async function requireAssignable(db: Db, orgId: string, assigneeId: string): Promise<void> {
  if (!(await isActiveUser(db, orgId, assigneeId)))
    throw invalidField('assigneeId', refusal('NO_SUCH_USER', 'is no active user of this organization'));
}
