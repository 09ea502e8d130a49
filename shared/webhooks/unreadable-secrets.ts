/**
 * An endpoint whose sealed secrets do not open: nothing can be signed or sent. For a while it is only held, because a new key
 * reaches the processes one after another; then it is disabled, and its organization is told.
 */
import { SecretBoxError } from '../secret-box.ts';
import { disableCircuit, type CircuitEffect } from './circuit-breaker.ts';
import type { Claim } from './claim.ts';
import { openHeaders } from './custom-headers.ts';
import { secretOwner } from './secret-owner.ts';
import type { ServedEndpoint } from './serving-repository.ts';
import type { TurnDeps } from './turn.ts';

/** Longer than a rolling restart. */
const UNREADABLE_GRACE_MS = 30 * 60_000;
/** Until somebody looks again: another process may have the key. */
const UNREADABLE_HOLD_MS = 60_000;

/** What goes into an attempt's headers, in clear. */
export type OpenedSecrets = Pick<Claim, 'secrets' | 'headers'>;

/** @returns null where one does not open. @throws nothing that is a matter of this endpoint's secrets */
export function openSecrets({ secretBox, log }: TurnDeps, endpoint: ServedEndpoint): OpenedSecrets | null {
  const { id, org_id, sealed_secrets, sealed_headers } = endpoint;
  const owner = secretOwner(org_id, id);
  try {
    const secrets = sealed_secrets.map((secret) => secretBox.open(secret, owner));
    const headers = sealed_headers === null ? {} : openHeaders(secretBox, sealed_headers, org_id, id);
    if (endpoint.circuit.unreadableSince) endpoint.circuit = { ...endpoint.circuit, unreadableSince: null };
    return { secrets, headers };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    log.error({ err: error, endpointId: id }, 'the secrets of a webhook endpoint do not open');
    return null;
  }
}

/** Holds the endpoint, or disables it where that has gone on for too long. @returns what people have to be told */
export function holdUnreadable(endpoint: ServedEndpoint, now: Date): CircuitEffect[] {
  const since = endpoint.circuit.unreadableSince ?? now.getTime();
  if (now.getTime() - since >= UNREADABLE_GRACE_MS) {
    const { state, effects } = disableCircuit(endpoint.circuit, 'unreadable', now.getTime());
    endpoint.circuit = { ...state, unreadableSince: null };
    return effects;
  }
  endpoint.circuit = { ...endpoint.circuit, unreadableSince: since };
  endpoint.held_until = new Date(now.getTime() + UNREADABLE_HOLD_MS);
  return [];
}
