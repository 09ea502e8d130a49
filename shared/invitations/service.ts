/** Invitations by mail: for seven days, once only. */
import { reaches, ROLE_TABLE, type Role } from '../access/roles.ts';
import { requireMayInvite } from '../accounts/attempts.ts';
import { newOneTimeToken, oneTimeTokenDigest } from '../accounts/one-time-token.ts';
import { hashPassword, vetPassword } from '../accounts/password.ts';
import { getAccount } from '../accounts/profile.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { Origin, UserActor } from '../actor.ts';
import { auditActor, recordAudit } from '../audit/service.ts';
import { withTransaction, type Db, type UnitOfWork } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { Language } from '../languages.ts';
import { invitation as invitationMail } from '../mail/messages.ts';
import { postMail, withdrawMail } from '../mail/outbox.ts';
import { addUser, getOrganization, lockOrganization, lockOrganizationFor } from '../organizations/service.ts';
import { isMember, requireReach } from '../users/service.ts';
import {
  acceptInvitation as takeInvitation,
  findInvitation,
  findInvitationByToken,
  findOpenInvitation,
  insertInvitation,
  markInvitationAccepted,
  markInvitationRevoked,
  type InvitationRow,
} from './repository.ts';

export { deleteOldInvitations, listInvitations, type InvitationRow } from './repository.ts';

const DAYS = 7;

/** An invitation stands only while whoever sent it may still give its role: their word outlives no demotion. */
const isWithdrawn = ({ revoked_at, inviter_role, role }: InvitationRow): boolean =>
  revoked_at !== null ||
  inviter_role === null ||
  !ROLE_TABLE[inviter_role].permissions.has('users.manage') ||
  !reaches(inviter_role, role);

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

export function invitationStatus(row: InvitationRow, now: Date): InvitationStatus {
  if (row.accepted_at !== null) return 'accepted';
  if (isWithdrawn(row)) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'pending';
}

/** @throws AppError NOT_FOUND */
export async function getInvitation(db: Db, orgId: string, id: string): Promise<InvitationRow> {
  const invitation = await findInvitation(db, orgId, id);
  if (invitation === null) throw new AppError('NOT_FOUND', { detail: 'no such invitation' });
  return invitation;
}

/**
 * Invites an address; an open invitation of the same address is replaced, which is taking it back. Whether the address has
 * an account elsewhere shows to nobody but its reader.
 * @param input `language` null for that of whoever invites
 * @throws AppError FORBIDDEN for a role above one's own, also of what would be replaced; CONFLICT for a member; RATE_LIMITED,
 *   UNAVAILABLE while Redis is away
 */
export async function invite(
  deps: AccountDeps,
  uow: UnitOfWork,
  actor: UserActor,
  input: { email: string; role: Role; language: Language | null; origin: Origin },
): Promise<InvitationRow> {
  const { email, role, origin } = input;
  requireReach(actor, role);
  // Before the lock: Redis, too, may take its time.
  await requireMayInvite(deps, actor.orgId, email);
  await lockOrganizationFor(uow.db, actor);
  if (await isMember(uow.db, actor.orgId, email))
    throw new AppError('CONFLICT', {
      detail: 'this address is a member already',
      errors: [{ path: 'email', ...refusal('ALREADY_MEMBER', 'is a member already') }],
    });
  const now = deps.clock.now();
  const open = await findOpenInvitation(uow.db, actor.orgId, email);
  if (open !== null) await replaceInvitation(deps, uow.db, actor, open, origin);
  const language = input.language ?? (await getAccount(uow.db, actor.userId)).language;
  const id = newUuid();
  const token = newOneTimeToken(deps.random);
  const expiresAt = new Date(now.getTime() + DAYS * 24 * 3600 * 1000);
  await insertInvitation(uow.db, {
    id,
    orgId: actor.orgId,
    email,
    role,
    language,
    tokenDigest: oneTimeTokenDigest(token, 'invitation', deps.tokenKey),
    invitedBy: actor.userId,
    now,
    expiresAt,
  });
  const { name } = await getOrganization(uow.db, actor.orgId);
  await postMail(
    deps,
    uow,
    'invitation',
    email,
    invitationMail(language, deps.publicUrl, {
      organizationName: name,
      invitedBy: actor.name,
      role,
      token,
    }),
    { id, expiresAt },
  );
  return getInvitation(uow.db, actor.orgId, id);
}

/** Its mail, where that waits still, would lead to nothing. */
async function takeBack(deps: Pick<AccountDeps, 'clock'>, db: Db, id: string): Promise<void> {
  await markInvitationRevoked(db, id, deps.clock.now());
  await withdrawMail(deps, db, id);
}

async function replaceInvitation(
  deps: AccountDeps,
  db: Db,
  actor: UserActor,
  open: InvitationRow,
  origin: Origin,
): Promise<void> {
  const now = deps.clock.now();
  const status = invitationStatus(open, now);
  // One without force stands for nobody's decision any more.
  if (status === 'pending') requireReach(actor, open.role);
  await takeBack(deps, db, open.id);
  await recordAudit(deps, db, {
    orgId: actor.orgId,
    actor: auditActor(actor),
    action: 'revokeInvitation',
    resource: encodeId('inv', open.id),
    origin,
    before: { status },
    after: { status: 'revoked' },
  });
}

/**
 * Takes an invitation back; nothing happens where it was accepted or taken back.
 * @throws AppError NOT_FOUND, FORBIDDEN for a role above one's own
 */
export async function revokeInvitation(
  { clock }: Pick<AccountDeps, 'clock'>,
  db: Db,
  actor: UserActor,
  id: string,
): Promise<InvitationRow> {
  // Before the invitation itself, as where it is accepted.
  await lockOrganizationFor(db, actor);
  const invitation = await getInvitation(db, actor.orgId, id);
  requireReach(actor, invitation.role);
  await takeBack({ clock }, db, id);
  return getInvitation(db, actor.orgId, id);
}

/** @returns whether an invitation's link still works. */
export async function isInvitationOpen(
  { db, tokenKey, clock }: Pick<AccountDeps, 'db' | 'tokenKey' | 'clock'>,
  token: string,
): Promise<boolean> {
  const found = await findInvitationByToken(db, oneTimeTokenDigest(token, 'invitation', tokenKey));
  return found !== null && invitationStatus(found, clock.now()) === 'pending';
}

/**
 * Accepts what is open for an address that somebody has shown to be theirs in another way than by the mail. The caller holds the organization's lock.
 * @returns null where nobody invited them, or that stands no longer
 */
export async function acceptOpenInvitation(
  { clock }: Pick<AccountDeps, 'clock'>,
  db: Db,
  orgId: string,
  email: string,
): Promise<InvitationRow | null> {
  const open = await findOpenInvitation(db, orgId, email);
  if (open === null || invitationStatus(open, clock.now()) !== 'pending') return null;
  await markInvitationAccepted(db, open.id, clock.now());
  await withdrawMail({ clock }, db, open.id);
  return open;
}

/**
 * Makes the invited person a user. The mail has shown that the address is theirs.
 * @param input `language` null for that of the invitation
 * @throws AppError VALIDATION_FAILED for token or password, CONFLICT where the address has an account
 */
export async function acceptInvitation(
  deps: AccountDeps,
  input: {
    token: string;
    name: string | null;
    password: string;
    language: Language | null;
    origin: Origin;
  },
): Promise<{ orgId: string; userId: string }> {
  vetPassword(input.password, []);
  const passwordDigest = await hashPassword(input.password);
  return withTransaction(deps.db, async ({ db }) => {
    const digest = oneTimeTokenDigest(input.token, 'invitation', deps.tokenKey);
    const found = await findInvitationByToken(db, digest);
    // Before the invitation itself, as in `invite`: nobody demotes the inviter meanwhile.
    if (found !== null) await lockOrganization(db, found.org_id);
    const invitation = await takeInvitation(db, digest, deps.clock.now());
    if (invitation === null || isWithdrawn(invitation))
      throw invalidField(
        'token',
        refusal('LINK_NOT_VALID', 'is not valid any more; ask to be invited again'),
      );
    const { org_id: orgId, email, role, organization_name: organizationName } = invitation;
    vetPassword(input.password, [email, organizationName, ...(input.name === null ? [] : [input.name])]);
    const userId = await addUser(deps, db, {
      orgId,
      email,
      name: input.name,
      language: input.language ?? invitation.language,
      passwordDigest,
      role,
    });
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
