/**
 * Idempotency-Key: the stored response commits with the effect, so there is no moment in which one exists without
 * the other, whenever the process dies.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import type { SecretBox } from '../secret-box.ts';
import { deleteExpiredKeys, findStoredResponse, storeResponse, tryLockKey } from './repository.ts';

const KEPT_MS = 24 * 3600 * 1000;
const MAX_KEY_LENGTH = 255;

export interface IdempotentResponse {
  status: number;
  headers: Record<string, string>;
  /** What becomes the JSON body; undefined for none. */
  body: unknown;
}

export interface IdempotentRequest {
  orgId: string;
  key: string;
  method: string;
  /** With its query. */
  path: string;
  /** The parsed body, as sent. */
  body: unknown;
}

/** A client whose maps have no order writes the same object otherwise when it repeats itself (RFC 8259, section 4). */
const withSortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Runs `effect` once for a key, within the caller's transaction; a repeat gets the first response again.
 * Only a response that `effect` returns is kept: an error rolls back with everything else and may be tried again.
 * @throws AppError IDEMPOTENCY_KEY_REUSED with another request, CONFLICT while the first is still running,
 *   VALIDATION_FAILED for a key that is empty or too long.
 */
export async function runIdempotently(
  deps: { clock: Clock; secretBox: SecretBox },
  db: Db,
  request: IdempotentRequest,
  effect: () => Promise<IdempotentResponse>,
): Promise<IdempotentResponse & { replayed: boolean }> {
  if (request.key.length === 0 || request.key.length > MAX_KEY_LENGTH) {
    throw invalidField(
      'headers.idempotency-key',
      refusal('WRONG_LENGTH', `must have 1 to ${MAX_KEY_LENGTH} characters`, {
        minimum: 1,
        maximum: MAX_KEY_LENGTH,
      }),
    );
  }
  const requestDigest = createHash('sha256')
    .update(JSON.stringify([request.method, request.path, request.body ?? null], withSortedKeys))
    .digest();
  if (!(await tryLockKey(db, request.orgId, request.key))) {
    throw new AppError('CONFLICT', { detail: 'a request with this Idempotency-Key is still running' });
  }
  const now = deps.clock.now();
  const owner = { organizationId: request.orgId, resource: `idempotency-key:${request.key}` };
  const stored = await findStoredResponse(db, request.orgId, request.key, new Date(now.getTime() - KEPT_MS));
  if (stored !== null) {
    if (!stored.request_digest.equals(requestDigest)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    const { status, headers, sealed_body: sealed } = stored;
    const body: unknown = sealed === null ? undefined : JSON.parse(deps.secretBox.open(sealed, owner));
    return { status, headers, body, replayed: true };
  }
  const response = await effect();
  const { status, headers, body } = response;
  const sealedBody = body === undefined ? null : deps.secretBox.seal(JSON.stringify(body), owner);
  await storeResponse(db, request.orgId, request.key, now, { requestDigest, status, headers, sealedBody });
  return { ...response, replayed: false };
}

/** Removes what is older than 24 hours. @returns how many. */
export async function forgetExpiredKeys(deps: { clock: Clock }, db: Db): Promise<number> {
  return deleteExpiredKeys(db, new Date(deps.clock.now().getTime() - KEPT_MS));
}
