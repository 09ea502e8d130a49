/** API keys: making them and recognising them. */
import type { KeyActor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { invalidField } from '../errors.ts';
import { newUuid } from '../ids.ts';
import { findKeyByDigest, insertApiKey } from './repository.ts';
import { isScope, type Scope } from './scopes.ts';
import { digestSecret, generateApiKeySecret, isWellFormedSecret } from './secret.ts';

export interface ApiKeyDeps {
  clock: Clock;
  random(bytes: number): Buffer;
  pepper: string;
}

/** @returns the key's id and its secret, which cannot be read again. @throws AppError VALIDATION_FAILED */
export async function createApiKey(
  deps: ApiKeyDeps,
  db: Db,
  orgId: string,
  input: { name: string; scopes: string[] },
): Promise<{ id: string; secret: string }> {
  if (input.scopes.length === 0) throw invalidField('scopes', 'at least one scope is needed');
  input.scopes.forEach((scope, index) => {
    if (!isScope(scope)) throw invalidField(`scopes.${index}`, `"${scope}" is not a scope`);
  });
  const id = newUuid();
  const secret = generateApiKeySecret(deps.random);
  await insertApiKey(db, {
    id,
    orgId,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    digest: digestSecret(secret, deps.pepper),
    lastFour: secret.slice(-4),
    now: deps.clock.now(),
  });
  return { id, secret };
}

/** @returns who holds this secret, or null where it is malformed, unknown, expired or revoked. */
export async function authenticateApiKey(
  deps: Pick<ApiKeyDeps, 'clock' | 'pepper'>,
  db: Db,
  secret: string,
): Promise<KeyActor | null> {
  if (!isWellFormedSecret(secret)) return null;
  const row = await findKeyByDigest(db, digestSecret(secret, deps.pepper), deps.clock.now());
  if (row === null) return null;
  return { kind: 'key', orgId: row.org_id, keyId: row.id, scopes: new Set(row.scopes as Scope[]) };
}
