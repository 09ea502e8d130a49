/**
 * Single sign-on: an organization's people show who they are to its own provider, by OpenID Connect (ADR 142). The provider's word counts
 * for that organization alone: a person belongs to one, and nobody of another is found by it.
 */
import { endSessionsBegunBy } from '../accounts/sessions.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { Role } from '../access/roles.ts';
import type { UserActor } from '../actor.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { parseAllowedCidrs, vetUrlShape } from '../egress/address-guard.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import { lockOrganizationFor } from '../organizations/service.ts';
import { sealedIn } from '../reseal.ts';
import { SecretBoxError, type SecretBox } from '../secret-box.ts';
import { getUser, requireReach } from '../users/service.ts';
import type { Client } from './provider.ts';
import {
  deleteProvider,
  deleteSignInsAs,
  deleteSignInsOf,
  findProvider,
  forgetSubject,
  forgetSubjects,
  lockProvider,
  requestLook,
  storeProvider,
  type ProviderRow,
} from './repository.ts';

export { countDue, deleteExpiredSignIns, findProvider, REFUSALS, type ProviderRow } from './repository.ts';
export { PROVIDER_PROBLEMS } from './provider.ts';

export type NewcomerRole = Exclude<Role, 'owner'>;

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  /** Left out: as it is. */
  clientSecret?: string | undefined;
  isRequired: boolean;
  newcomerRole: NewcomerRole | null;
  /** With it, only where it was last changed then; null for never. */
  expectedUpdatedAt?: Date | null | undefined;
}

export interface SettingDeps extends Pick<AccountDeps, 'clock' | 'secretBox' | 'waker'> {
  /** Private networks that the service may call nevertheless. */
  allowedCidrs: readonly string[];
}

const WELL_KNOWN = '/.well-known/openid-configuration';

/** Of the texts in `sign_in_providers`. */
const secretOwner = (orgId: string, id: string) => ({
  organizationId: orgId,
  resource: `sign-in-provider:${id}`,
});

export const PROVIDER_SECRETS = sealedIn(
  { table: 'sign_in_providers', column: 'secret_sealed' },
  ({ id, org_id: orgId }) => secretOwner(orgId, id),
);

export const clientOf = (secretBox: SecretBox, row: ProviderRow): Client => ({
  metadata: row.metadata!,
  clientId: row.client_id,
  clientSecret: secretBox.open(row.secret_sealed, secretOwner(row.org_id, row.id)),
});

/** Where providers send browsers back to. */
export const redirectUrlOf = (publicUrl: string): string => new URL('/sso/callback', publicUrl).href;
/** Where an organization's people begin, for a tile on the provider's page. */
export const signInUrlOf = (publicUrl: string, orgId: string): string =>
  new URL(`/sso/${encodeId('org', orgId)}`, publicUrl).href;

/** @returns whether everybody but owners has to sign in by the provider: one by which nobody ever came may let nobody in. */
export async function isSingleSignOnRequired(db: Db, orgId: string): Promise<boolean> {
  const provider = await findProvider(db, orgId);
  return provider !== null && provider.is_required && provider.proven_at !== null;
}

/**
 * Names the organization's provider, to be looked at by a worker at once. Who is who at another client is not known yet. Where it is required from now on,
 * sessions end that others than owners began with a password; they count until somebody has come by it once.
 * @throws AppError VALIDATION_FAILED, FORBIDDEN; CONFLICT where somebody changed it since
 */
export async function setProvider(
  deps: SettingDeps,
  { db, afterCommit }: UnitOfWork,
  actor: UserActor,
  settings: ProviderSettings,
): Promise<ProviderRow> {
  const issuer = issuerOf(settings.issuer, deps.allowedCidrs);
  await lockOrganizationFor(db, actor);
  const { orgId } = actor;
  const current = await lockProvider(db, orgId);
  const isSame = current !== null && current.issuer === issuer && current.client_id === settings.clientId;
  if (!isSame && settings.clientSecret === undefined)
    throw invalidField('clientSecret', refusal('REQUIRED', 'is required for another issuer or client'));
  if (settings.expectedUpdatedAt !== undefined) refuseUnlessLastAt(current, settings.expectedUpdatedAt);
  const now = deps.clock.now();
  const id = isSame ? current.id : newUuid();
  if (current !== null && !isSame) await deleteSignInsOf(db, current.id);
  await storeProvider(
    db,
    {
      org_id: orgId,
      id,
      issuer,
      client_id: settings.clientId,
      secret_sealed:
        settings.clientSecret === undefined
          ? current!.secret_sealed
          : deps.secretBox.seal(settings.clientSecret, secretOwner(orgId, id)),
      is_required: settings.isRequired,
      newcomer_role: settings.newcomerRole,
      proven_at:
        isSame && isSecretOf(deps.secretBox, current, settings.clientSecret) ? current.proven_at : null,
    },
    now,
  );
  if (current !== null && !isSame) await forgetPeople(db, orgId, now);
  if (await isSingleSignOnRequired(db, orgId)) await endSessionsBegunBy(db, orgId, 'password', now);
  afterCommit(() => deps.waker.signPeopleIn());
  return (await findProvider(db, orgId))!;
}

/** Whether it is the one that is there; left out it is. */
function isSecretOf(secretBox: SecretBox, row: ProviderRow, secret: string | undefined): boolean {
  if (secret === undefined) return true;
  try {
    return clientOf(secretBox, row).clientSecret === secret;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

/** @throws AppError CONFLICT */
function refuseUnlessLastAt(row: ProviderRow | null, expected: Date | null): void {
  const updatedAt = row?.updated_at ?? null;
  if (expected?.getTime() === updatedAt?.getTime()) return;
  throw new AppError('CONFLICT', {
    detail: `single sign-on was changed meanwhile, last at ${updatedAt?.toISOString() ?? 'no time'}; read it again`,
    errors: [{ path: '', ...refusal('CHANGED_MEANWHILE', 'was changed meanwhile') }],
  });
}

/** @throws AppError VALIDATION_FAILED */
function issuerOf(given: string, allowedCidrs: readonly string[]): string {
  const trimmed = given.trim();
  const issuer = trimmed.endsWith(WELL_KNOWN) ? trimmed.slice(0, -WELL_KNOWN.length) : trimmed;
  const verdict = vetUrlShape(issuer, parseAllowedCidrs(allowedCidrs));
  if (!verdict.ok) throw invalidField('issuer', verdict.refused);
  // Of a document the library would not compare the issuer with what was asked for.
  if (issuer.includes('/.well-known/'))
    throw invalidField('issuer', refusal('INVALID', 'is the address of a document, and no issuer'));
  return issuer;
}

/** What it said of people holds no longer. */
async function forgetPeople(db: Db, orgId: string, now: Date): Promise<void> {
  await forgetSubjects(db, orgId);
  await endSessionsBegunBy(db, orgId, 'provider', now);
}

const NONE = { detail: 'the organization has no single sign-on' };

/** Ends the sessions that began by it. @throws AppError NOT_FOUND, FORBIDDEN */
export async function removeProvider(
  { clock }: Pick<AccountDeps, 'clock'>,
  db: Db,
  actor: UserActor,
): Promise<void> {
  await lockOrganizationFor(db, actor);
  if (!(await deleteProvider(db, actor.orgId))) throw new AppError('NOT_FOUND', NONE);
  await forgetPeople(db, actor.orgId, clock.now());
}

/** Looks at the provider now. @throws AppError NOT_FOUND */
export async function askForLook(
  deps: Pick<AccountDeps, 'clock' | 'waker'>,
  { db, afterCommit }: UnitOfWork,
  orgId: string,
): Promise<ProviderRow> {
  if (!(await requestLook(db, orgId, deps.clock.now()))) throw new AppError('NOT_FOUND', NONE);
  afterCommit(() => deps.waker.signPeopleIn());
  return (await findProvider(db, orgId))!;
}

/**
 * Lets somebody be known by another account at the provider: the next who signs in with their address. Whoever was known so far is out.
 * @throws AppError NOT_FOUND, FORBIDDEN for a role above one's own
 */
export async function forgetIdentity(
  { clock }: Pick<AccountDeps, 'clock'>,
  db: Db,
  actor: UserActor,
  userId: string,
): Promise<void> {
  const { orgId } = actor;
  // Nobody is identified meanwhile.
  await lockOrganizationFor(db, actor);
  requireReach(actor, (await getUser(db, orgId, userId)).role);
  // Before the person, as their browser does.
  await deleteSignInsAs(db, userId);
  if (await forgetSubject(db, orgId, userId))
    await endSessionsBegunBy(db, orgId, 'provider', clock.now(), userId);
}
