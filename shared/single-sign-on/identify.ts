/** What workers do for single sign-on: ask providers what they are, and who somebody is that came back from one. */
import { setTimeout } from 'node:timers/promises';
import type { AccountDeps } from '../accounts/deps.ts';
import { NOBODYS_DIGEST } from '../accounts/password.ts';
import { endSessionsBegunBy } from '../accounts/sessions.ts';
import { recordAudit } from '../audit/service.ts';
import { withTransaction, type Db } from '../db.ts';
import { confirmedDomain, parseDomain } from '../domains/service.ts';
import { AppError } from '../errors.ts';
import { encodeId } from '../ids.ts';
import { acceptOpenInvitation } from '../invitations/service.ts';
import { addUser, lockOrganization } from '../organizations/service.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { SecretBoxError } from '../secret-box.ts';
import { ProviderError, type Identity, type ProviderCalls } from './provider.ts';
import {
  claimProviders,
  claimSignIns,
  findProvider,
  lockClaims,
  lockMember,
  lockSignIn,
  markProven,
  settleSignIn,
  storeLook,
  storeSubject,
  type ProviderRow,
  type Refusal,
  type WaitingSignIn,
} from './repository.ts';
import { clientOf, isSingleSignOnRequired } from './service.ts';
import { returnOwner, type Return } from './sign-ins.ts';

export interface IdentifyDeps extends Pick<AccountDeps, 'db' | 'clock' | 'log' | 'secretBox'> {
  providers: ProviderCalls;
  leaseSeconds: number;
  /** Once aborted, nothing more is begun. */
  stopping: AbortSignal;
}

/** Asked side by side: each may have to wait for a provider that does not answer. */
const AT_A_TIME = 20;
/** Of all that are asked: whoever signs up may name a provider that never answers, and have others wait. */
const AT_A_TIME_OF_ONE = 8;

/** Keys and addresses of a provider change within weeks, and are told ahead. */
const HOURS_UNTIL_NEXT_LOOK = 24;
const MINUTES_UNTIL_RETRY = 10;

/** How soon those who came are asked about while others are still waited for. */
const LOOK_AGAIN_MS = 500;

type Kind = 'signIns' | 'looks';

/** Begins as much of what is due as there is room for. */
async function begin(deps: IdentifyDeps, room: Record<Kind, number>): Promise<[Kind, Promise<void>][]> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.leaseSeconds * 1000);
  // Sign-ins last: what was claimed is nobody else's for a while where the other claim fails.
  const providers = room.looks > 0 ? await claimProviders(deps.db, room.looks, now, leaseUntil) : [];
  const limits = { limit: room.signIns, atProvider: AT_A_TIME_OF_ONE };
  const signIns =
    room.signIns > 0
      ? await withTransaction(deps.db, async ({ db }) => {
          await lockClaims(db);
          return claimSignIns(db, limits, now, leaseUntil);
        })
      : [];
  return [
    ...signIns.map((each): [Kind, Promise<void>] => ['signIns', serve(deps, each)]),
    ...providers.map((each): [Kind, Promise<void>] => ['looks', look(deps, each)]),
  ];
}

/**
 * Asks about sign-ins and looks at providers until none is due. It takes whoever comes while it still waits for others: a few slow providers would keep all loops busy else,
 * and a look is asked for as often as somebody likes, so that looks have a room of their own.
 * @returns how many were worked on
 */
export async function serveSingleSignOn(deps: IdentifyDeps): Promise<number> {
  const running = { signIns: new Set<Promise<void>>(), looks: new Set<Promise<void>>() };
  const failures: unknown[] = [];
  const all = () => [...running.signIns, ...running.looks];
  const follow = (kind: Kind, work: Promise<void>): void => {
    const followed: Promise<void> = work
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running[kind].delete(followed));
    running[kind].add(followed);
  };
  let served = 0;
  try {
    for (;;) {
      const room = { signIns: AT_A_TIME - running.signIns.size, looks: AT_A_TIME - running.looks.size };
      const begun = deps.stopping.aborted ? [] : await begin(deps, room);
      for (const [kind, work] of begun) follow(kind, work);
      served += begun.length;
      if (all().length === 0) break;
      await Promise.race([...all(), setTimeout(LOOK_AGAIN_MS)]);
    }
  } finally {
    await Promise.all(all());
  }
  if (failures.length > 0) throw failures[0];
  return served;
}

async function look(deps: IdentifyDeps, row: ProviderRow): Promise<void> {
  const found = await deps.providers.discover(row.issuer);
  const now = deps.clock.now();
  const minutes = 'metadata' in found ? HOURS_UNTIL_NEXT_LOOK * 60 : MINUTES_UNTIL_RETRY;
  const dueAt = new Date(now.getTime() + minutes * 60_000);
  await storeLook(deps.db, row, { metadata: null, problem: null, ...found, dueAt }, now);
}

async function serve(deps: IdentifyDeps, { digest, sealed, provider }: WaitingSignIn): Promise<void> {
  let identity: Identity;
  try {
    const { returned, secrets } = JSON.parse(
      deps.secretBox.open(sealed, returnOwner(provider.org_id, digest)),
    ) as Return;
    identity = await deps.providers.identify(clientOf(deps.secretBox, provider), new URL(returned), secrets);
  } catch (error) {
    // A secret whose key is not in the ring opens at no later try either.
    if (!(error instanceof ProviderError || error instanceof SecretBoxError)) throw error;
    deps.log.warn({ err: error, orgId: encodeId('org', provider.org_id) }, 'a provider identified nobody');
    const isUnreachable = error instanceof ProviderError && error.isUnreachable;
    return settleSignIn(deps.db, digest, {
      reason: isUnreachable ? 'PROVIDER_UNREACHABLE' : 'PROVIDER_FAILED',
    });
  }
  await withTransaction(deps.db, async ({ db }) => {
    await lockOrganization(db, provider.org_id);
    // Before the person: a browser that asks what came of it locks the two in this order.
    await lockSignIn(db, digest);
    const found = await memberFor(deps, db, provider, identity);
    if ('userId' in found) await noteProven(deps, db, provider);
    // With the rest: who forgets the person's account meanwhile would find nobody identified by it.
    await settleSignIn(db, digest, found);
  }).catch((error: unknown) => {
    // Somebody of another organization has the address, which is said to nobody.
    if (error instanceof AppError && error.code === 'CONFLICT')
      return settleSignIn(deps.db, digest, { reason: 'NOT_A_MEMBER' });
    throw error;
  });
}

/** Somebody has come by the provider: where it is required, that counts from the first time on. */
async function noteProven({ clock }: IdentifyDeps, db: Db, claimed: ProviderRow): Promise<void> {
  const { org_id: orgId } = claimed;
  const now = clock.now();
  const isFirst = await markProven(db, claimed, now);
  if (isFirst && (await isSingleSignOnRequired(db, orgId)))
    await endSessionsBegunBy(db, orgId, 'password', now);
}

/** Whom of the organization's people an identity is: known by it, by an address that the provider vouches for, or new. The caller holds the organization's lock. */
async function memberFor(
  deps: IdentifyDeps,
  db: Db,
  claimed: ProviderRow,
  { subject, email, isEmailVerified, name }: Identity,
): Promise<{ userId: string } | { reason: Refusal }> {
  const { org_id: orgId } = claimed;
  const provider = await findProvider(db, orgId);
  // Another provider, or none, by now.
  if (provider === null || provider.id !== claimed.id) return { reason: 'EXPIRED' };
  const member = await lockMember(db, orgId, subject, isEmailVerified ? email : null);
  if (member?.provider_subject === subject)
    return member.disabled_at === null ? { userId: member.id } : { reason: 'DISABLED' };
  if (email === null) return { reason: 'NO_EMAIL' };
  if (!isEmailVerified) return { reason: 'EMAIL_NOT_VERIFIED' };
  if (member !== null) {
    if (member.disabled_at !== null) return { reason: 'DISABLED' };
    // The address of somebody who left may be given to somebody who came.
    if (member.provider_subject !== null) return { reason: 'OTHER_IDENTITY' };
    await storeSubject(db, member.id, subject);
    await audit(deps, db, orgId, 'linkIdentity', { id: member.id, email });
    return { userId: member.id };
  }
  const userId = await newcomer(deps, db, provider, { email, name });
  if (userId === null) return { reason: 'NOT_A_MEMBER' };
  await storeSubject(db, userId, subject);
  return { userId };
}

/**
 * Somebody whom no account is for yet. Of the organization's own domain alone: a provider is its organization's to command, and would otherwise
 * take others' addresses.
 */
async function newcomer(
  deps: IdentifyDeps,
  db: Db,
  { org_id: orgId, newcomer_role: newcomerRole }: ProviderRow,
  { email, name }: { email: string; name: string | null },
): Promise<string | null> {
  const domain = await confirmedDomain(db, orgId);
  if (domain === null || parseDomain(email.slice(email.lastIndexOf('@') + 1)) !== domain) return null;
  const invitation = await acceptOpenInvitation(deps, db, orgId, email);
  const role = invitation?.role ?? newcomerRole;
  if (role === null) return null;
  const id = await addUser(deps, db, {
    orgId,
    email,
    name,
    language: invitation?.language ?? DEFAULT_LANGUAGE,
    passwordDigest: NOBODYS_DIGEST,
    role,
  });
  await audit(deps, db, orgId, 'joinBySingleSignOn', { id, email, role });
  return id;
}

const audit = (
  deps: IdentifyDeps,
  db: Db,
  orgId: string,
  action: 'linkIdentity' | 'joinBySingleSignOn',
  { id, email, role }: { id: string; email: string; role?: string },
): Promise<void> =>
  recordAudit(deps, db, {
    orgId,
    actor: { kind: 'user', id: encodeId('user', id), name: email },
    action,
    resource: encodeId('user', id),
    origin: null,
    before: null,
    after: role === undefined ? null : { role },
  });
