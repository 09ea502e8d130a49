/** Recognises API keys. Calls that come at once share one query, which keeps authentication cheap under load. */
import { timingSafeEqual } from 'node:crypto';
import type { KeyActor } from '../actor.ts';
import { createBatcher } from '../batcher.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { isWithin } from '../places/cidrs.ts';
import { findKeysByDigests, touchKeys, type KnownKeyRow } from './repository.ts';
import type { Scope } from './scopes.ts';
import { digestSecret, isWellFormedSecret } from './secret.ts';

export interface AuthenticateDeps {
  clock: Clock;
  pepper: string;
}

/**
 * @param ip the caller's address, asked for only where a key is bound to addresses: working it out costs as much as a hash.
 * @returns who holds a secret and calls from there, or null where it is malformed, unknown, expired, revoked or out of place.
 */
export type ApiKeyAuthenticator = (secret: string, ip: () => string | null) => Promise<KeyActor | null>;

// `lastUsedAt` is as coarse as this: one write per key in five minutes, however many requests.
const LAST_USED_MS = 5 * 60_000;

const MAX_BATCH = 200;
// One statement under way: what arrives meanwhile gathers, and twice as many share the next one (ADR 0064).
const CONCURRENCY = 1;

interface KnownKey {
  actor: KeyActor;
  allowedCidrs: string[];
}

/** @returns the authenticator of this process; it remembers nothing, so a revocation bites at the next request. */
export function createApiKeyAuthenticator({ clock, pepper }: AuthenticateDeps, db: Db): ApiKeyAuthenticator {
  const find = createBatcher<string, KnownKey | null>({
    maxItems: MAX_BATCH,
    concurrency: CONCURRENCY,
    run: async (secrets) => {
      const now = clock.now();
      // A busy integration sends the same key many times at once: one hash, one parameter and one actor for all of them.
      const digests = new Map<string, Buffer>();
      for (const secret of secrets)
        if (!digests.has(secret)) digests.set(secret, digestSecret(secret, pepper));
      const rows = await findKeysByDigests(db, [...digests.values()], now);
      await noteUse(db, rows, now);
      const known = new Map<string, KnownKey>();
      for (const [secret, digest] of digests) {
        const row = rows.find((candidate) => timingSafeEqual(candidate.digest, digest));
        if (row !== undefined) known.set(secret, knownKey(row));
      }
      return secrets.map((secret) => known.get(secret) ?? null);
    },
  });
  return async (secret, ip) => {
    if (!isWellFormedSecret(secret)) return null;
    const known = await find(secret);
    if (known === null || !isAllowedFrom(known.allowedCidrs, ip)) return null;
    return known.actor;
  };
}

const knownKey = (row: KnownKeyRow): KnownKey => ({
  actor: {
    kind: 'key',
    orgId: row.org_id,
    keyId: row.id,
    name: row.name,
    scopes: new Set(row.scopes as Scope[]),
  },
  allowedCidrs: row.allowed_cidrs,
});

/** One look-up by itself, for a command or a script. */
export const authenticateApiKey = (
  deps: AuthenticateDeps,
  db: Db,
  secret: string,
): Promise<KeyActor | null> => createApiKeyAuthenticator(deps, db)(secret, () => null);

async function noteUse(db: Db, rows: KnownKeyRow[], now: Date): Promise<void> {
  const staleBefore = new Date(now.getTime() - LAST_USED_MS);
  const stale = rows.filter((row) => row.last_used_at === null || row.last_used_at < staleBefore);
  if (stale.length === 0) return;
  // A note about the past must not cost the request that it is about.
  await touchKeys(
    db,
    stale.map((row) => row.id),
    now,
    staleBefore,
  ).catch(() => undefined);
}

function isAllowedFrom(cidrs: string[], addressOf: () => string | null): boolean {
  if (cidrs.length === 0) return true;
  const ip = addressOf();
  return ip !== null && isWithin(cidrs, ip);
}
