/** API keys: making, listing, rotating and revoking them. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidFields, invalidTransition } from '../errors.ts';
import { refusal, type FieldError } from '../field-errors.ts';
import { newUuid } from '../ids.ts';
import { cidrOf } from '../places/cidrs.ts';
import {
  findApiKey,
  insertApiKey,
  lockApiKey,
  markRevoked,
  replaceSecret,
  type ApiKeyRow,
} from './repository.ts';
import { isScope, type Scope } from './scopes.ts';
import { digestSecret, generateApiKeySecret } from './secret.ts';

export { deleteEndedSecrets, listApiKeys, type ApiKeyRow } from './repository.ts';
export { authenticateApiKey } from './authenticate.ts';

export interface ApiKeyDeps {
  clock: Clock;
  random(bytes: number): Buffer;
  pepper: string;
}

/** Longest time that the old secret of a rotated key may work on. */
export const MAX_GRACE_SECONDS = 7 * 24 * 3600;
export const DEFAULT_GRACE_SECONDS = 24 * 3600;
const MAX_CIDRS = 50;

export interface NewApiKeyInput {
  name: string;
  scopes: string[];
  expiresAt?: Date | null;
  /** Addresses or CIDRs from which alone the key works; empty for everywhere. */
  allowedCidrs?: string[];
  /** Who creates it; null for the operator. */
  createdBy?: string | null;
  /** Scopes of the creator's role; a key gets none beyond them. Left out for the operator. */
  grantable?: ReadonlySet<Scope>;
}

function wrongScopes(scopes: readonly string[]): FieldError[] {
  if (scopes.length === 0)
    return [{ path: 'scopes', ...refusal('TOO_FEW', 'at least one scope is needed', { minimum: 1 }) }];
  return scopes.flatMap((scope, index) =>
    isScope(scope)
      ? []
      : [{ path: `scopes.${index}`, ...refusal('NOT_A_SCOPE', `"${scope}" is not a scope`, { scope }) }],
  );
}

function wrongCidrs(entries: readonly string[]): FieldError[] {
  if (entries.length > MAX_CIDRS)
    return [
      {
        path: 'allowedCidrs',
        ...refusal('TOO_MANY', `has more than ${MAX_CIDRS} entries`, { maximum: MAX_CIDRS }),
      },
    ];
  return entries.flatMap((entry, index) =>
    cidrOf(entry) === null
      ? [
          {
            path: `allowedCidrs.${index}`,
            ...refusal('NOT_A_NETWORK', 'is neither an address nor a CIDR'),
          },
        ]
      : [],
  );
}

/**
 * @returns the key's id and its secret, which cannot be read again.
 * @throws AppError VALIDATION_FAILED; FORBIDDEN for a scope that the creator's role lacks
 */
export async function createApiKey(
  deps: ApiKeyDeps,
  db: Db,
  orgId: string,
  input: NewApiKeyInput,
): Promise<{ id: string; secret: string }> {
  const now = deps.clock.now();
  const { grantable, expiresAt = null } = input;
  const errors = [...wrongScopes(input.scopes), ...wrongCidrs(input.allowedCidrs ?? [])];
  if (expiresAt !== null && expiresAt <= now)
    errors.push({ path: 'expiresAt', ...refusal('NOT_IN_FUTURE', 'is not in the future') });
  if (errors.length > 0) throw invalidFields(errors);
  const scopes = [...new Set(input.scopes)] as Scope[];
  const beyond = scopes.find((scope) => grantable !== undefined && !grantable.has(scope));
  if (beyond !== undefined)
    throw new AppError('FORBIDDEN', { detail: `your role does not have the scope "${beyond}" to give` });
  const allowedCidrs = (input.allowedCidrs ?? []).map((entry) => cidrOf(entry)!);
  const id = newUuid();
  const secret = generateApiKeySecret(deps.random);
  await insertApiKey(db, {
    id,
    orgId,
    name: input.name,
    scopes,
    allowedCidrs,
    expiresAt,
    createdBy: input.createdBy ?? null,
    digest: digestSecret(secret, deps.pepper),
    lastFour: secret.slice(-4),
    now,
  });
  return { id, secret };
}

/** @throws AppError NOT_FOUND */
export async function getApiKey(
  { clock }: Pick<ApiKeyDeps, 'clock'>,
  db: Db,
  orgId: string,
  id: string,
): Promise<ApiKeyRow> {
  const key = await findApiKey(db, orgId, id, clock.now());
  if (key === null) throw new AppError('NOT_FOUND', { detail: 'no such API key' });
  return key;
}

/**
 * A new secret for the same key; the old one works on for `graceSeconds` (0 to {@link MAX_GRACE_SECONDS}).
 * @throws AppError NOT_FOUND, INVALID_TRANSITION for a key that was revoked or has expired: its new secret would be refused, too
 */
export async function rotateApiKey(
  deps: ApiKeyDeps,
  db: Db,
  orgId: string,
  id: string,
  graceSeconds: number,
): Promise<{ secret: string }> {
  const locked = await lockApiKey(db, orgId, id);
  if (locked === null) throw new AppError('NOT_FOUND', { detail: 'no such API key' });
  if (locked.revoked_at !== null) throw invalidTransition('revoked', 'rotated');
  const now = deps.clock.now();
  if (locked.expires_at !== null && locked.expires_at <= now) throw invalidTransition('expired', 'rotated');
  const secret = generateApiKeySecret(deps.random);
  await replaceSecret(db, id, {
    digest: digestSecret(secret, deps.pepper),
    lastFour: secret.slice(-4),
    now,
    graceEndsAt: new Date(now.getTime() + graceSeconds * 1000),
  });
  return { secret };
}

/** Ends every secret of a key at once and for good; revoking a revoked key changes nothing. @throws AppError NOT_FOUND */
export async function revokeApiKey(
  { clock }: Pick<ApiKeyDeps, 'clock'>,
  db: Db,
  orgId: string,
  id: string,
): Promise<void> {
  if ((await lockApiKey(db, orgId, id)) === null)
    throw new AppError('NOT_FOUND', { detail: 'no such API key' });
  await markRevoked(db, id, clock.now());
}
