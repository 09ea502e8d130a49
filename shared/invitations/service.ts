/** Invitations by mail: for seven days, once only. */
import type { Role } from '../access/roles.ts';
import { newOneTimeToken, oneTimeTokenDigest } from '../accounts/one-time-token.ts';
import { hashPassword, vetPassword } from '../accounts/password.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { Origin, UserActor } from '../actor.ts';
import { recordAudit } from '../audit/service.ts';
import { withTransaction, type Db, type UnitOfWork } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import { invitation as invitationMail } from '../mail/messages.ts';
import { postMail } from '../mail/outbox.ts';
import { addUser, getOrganization, lockOrganization } from '../organizations/service.ts';
import { isMember, requireReach } from '../users/service.ts';
import {
  acceptInvitation as takeInvitation,
  findInvitation,
  insertInvitation,
  markInvitationRevoked,
  revokeOpenInvitations,
  type InvitationRow,
} from './repository.ts';

export { listInvitations, type InvitationRow } from './repository.ts';

const DAYS = 7;

/** @throws AppError NOT_FOUND */
export async function getInvitation(db: Db, orgId: string, id: string): Promise<InvitationRow> {
  const invitation = await findInvitation(db, orgId, id);
  if (invitation === null) throw new AppError('NOT_FOUND', { detail: 'no such invitation' });
  return invitation;
}

/**
 * Invites an address; an open invitation of the same address is replaced. Whether the address has an account elsewhere
 * shows to nobody but its reader. @throws AppError FORBIDDEN for a role above one's own, CONFLICT for a member
 */
export async function invite(
  deps: AccountDeps,
  uow: UnitOfWork,
  actor: UserActor,
  input: { email: string; role: Role },
): Promise<InvitationRow> {
  requireReach(actor, input.role);
  await lockOrganization(uow.db, actor.orgId);
  if (await isMember(uow.db, actor.orgId, input.email))
    throw new AppError('CONFLICT', { detail: 'this address is a member already' });
  const now = deps.clock.now();
  await revokeOpenInvitations(uow.db, actor.orgId, input.email, now);
  const id = newUuid();
  const token = newOneTimeToken(deps.random);
  await insertInvitation(uow.db, {
    id,
    orgId: actor.orgId,
    ...input,
    tokenDigest: oneTimeTokenDigest(token, 'invitation', deps.tokenKey),
    invitedBy: actor.userId,
    now,
    expiresAt: new Date(now.getTime() + DAYS * 24 * 3600 * 1000),
  });
  const { name } = await getOrganization(uow.db, actor.orgId);
  await postMail(
    deps,
    uow,
    'invitation',
    input.email,
    invitationMail(deps.publicUrl, {
      organizationName: name,
      invitedBy: actor.name,
      role: input.role,
      token,
    }),
  );
  return getInvitation(uow.db, actor.orgId, id);
}

/** Takes an invitation back; nothing happens where it was accepted or taken back. @throws AppError NOT_FOUND */
export async function revokeInvitation(
  { clock }: Pick<AccountDeps, 'clock'>,
  db: Db,
  orgId: string,
  id: string,
): Promise<InvitationRow> {
  await getInvitation(db, orgId, id);
  await markInvitationRevoked(db, id, clock.now());
  return getInvitation(db, orgId, id);
}

/**
 * Makes the invited person a user. The mail has shown that the address is theirs.
 * @throws AppError VALIDATION_FAILED for token or password, CONFLICT where the address has an account
 */
export async function acceptInvitation(
  deps: AccountDeps,
  input: { token: string; name: string | null; password: string; origin: Origin },
): Promise<{ orgId: string; userId: string }> {
  vetPassword(input.password, []);
  const passwordDigest = await hashPassword(input.password);
  return withTransaction(deps.db, async ({ db }) => {
    const digest = oneTimeTokenDigest(input.token, 'invitation', deps.tokenKey);
    const invitation = await takeInvitation(db, digest, deps.clock.now());
    if (invitation === null)
      throw invalidField(
        'token',
        refusal('LINK_NOT_VALID', 'is not valid any more; ask to be invited again'),
      );
    const { org_id: orgId, email, role, organization_name: organizationName } = invitation;
    vetPassword(input.password, [email, organizationName, ...(input.name === null ? [] : [input.name])]);
    const userId = await addUser(deps, db, { orgId, email, name: input.name, passwordDigest, role });
    await recordAudit(deps, db, {
      orgId,
      actor: { kind: 'user', id: encodeId('user', userId), name: email },
      action: 'acceptInvitation',
      resource: encodeId('inv', invitation.id),
      origin: input.origin,
      before: null,
      after: { userId: encodeId('user', userId), role },
    });
    return { orgId, userId };
  });
}
