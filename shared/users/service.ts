/** The people of an organization. Decisions about them take the organization's lock, so that no two cross. */
import { reaches, type Role } from '../access/roles.ts';
import { voidPasswordResets } from '../accounts/passwords.ts';
import { endSessionsByRefusedPassword, endSessionsOf } from '../accounts/sessions.ts';
import type { UserActor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { lockOrganizationFor } from '../organizations/service.ts';
import { countActiveOwners, findUser, markUserRemoved, updateUser, type UserRow } from './repository.ts';

export {
  isMember,
  listAdministrators,
  listPeople,
  listUsers,
  type PersonRow,
  type UserRow,
} from './repository.ts';

interface Deps {
  clock: Clock;
}

/** @throws AppError NOT_FOUND */
export async function getUser(db: Db, orgId: string, id: string): Promise<UserRow> {
  const user = await findUser(db, orgId, id);
  if (user === null) throw new AppError('NOT_FOUND', { detail: 'no such user' });
  return user;
}

/** @throws AppError FORBIDDEN where the other's role, or the one to give, is above the actor's. */
export function requireReach(actor: UserActor, role: Role): void {
  if (!reaches(actor.role, role))
    throw new AppError('FORBIDDEN', {
      detail: `the role "${actor.role}" does not decide about the role "${role}"`,
    });
}

const LAST_OWNER = 'this is the last owner; make somebody else an owner first';

async function keepAnOwner(db: Db, orgId: string, user: UserRow): Promise<void> {
  const isActiveOwner = user.role === 'owner' && user.disabled_at === null;
  if (isActiveOwner && (await countActiveOwners(db, orgId)) === 1)
    throw new AppError('CONFLICT', {
      detail: LAST_OWNER,
      errors: [{ path: '', ...refusal('LAST_OWNER', LAST_OWNER) }],
    });
}

/**
 * Changes role or disables, which bites at the person's next request.
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT for the last owner
 */
export async function changeUser(
  { clock }: Deps,
  db: Db,
  actor: UserActor,
  id: string,
  changes: { role?: Role | undefined; disabled?: boolean | undefined },
): Promise<UserRow> {
  await lockOrganizationFor(db, actor);
  const user = await getUser(db, actor.orgId, id);
  requireReach(actor, user.role);
  const role = changes.role ?? user.role;
  requireReach(actor, role);
  const now = clock.now();
  const isDisabled = changes.disabled ?? user.disabled_at !== null;
  if (role !== 'owner' || isDisabled) await keepAnOwner(db, actor.orgId, user);
  await updateUser(db, id, { role, disabledAt: isDisabled ? (user.disabled_at ?? now) : null });
  if (isDisabled) {
    // Or one mailed before would choose a password once they are let in again.
    await voidPasswordResets(db, id);
    await endSessionsOf(db, id, null, 'disabled', now);
  }
  // Of an owner who is none any more: held alone, they would come back with the role.
  await endSessionsByRefusedPassword(db, id, now);
  return getUser(db, actor.orgId, id);
}

/** Takes a person out of the organization; oneself too. @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT for the last owner */
export async function removeUser({ clock }: Deps, db: Db, actor: UserActor, id: string): Promise<void> {
  await lockOrganizationFor(db, actor);
  const user = await getUser(db, actor.orgId, id);
  requireReach(actor, user.role);
  await keepAnOwner(db, actor.orgId, user);
  const now = clock.now();
  // Before their sessions: a change of their password locks the two in this order.
  await markUserRemoved(db, id, now);
  await voidPasswordResets(db, id);
  await endSessionsOf(db, id, null, 'disabled', now);
}
