/**
 * The two transactions around sending: `claimDeliveries` decides under the endpoint's lock what may go and writes the
 * attempts down; `settleDeliveryOutcomes` writes what came of them and moves the circuit. Between them the worker sends.
 */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { withTransaction } from '../db.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { AttemptOutcome } from './attempt.ts';
import { claimProbe, permit, recordOutcome, releaseProbe, type CircuitState } from './circuit-breaker.ts';
import { insertDeliveries, settleDeliveries } from './delivery-repository.ts';
import {
  claimDueDispatches,
  countInFlight,
  findNextDueAt,
  parkDispatches,
  releaseParkedDispatches,
  settleDispatches,
  type DispatchSettlement,
} from './dispatch-repository.ts';
import { listSealedSecrets, lockEndpoint, storeCircuit } from './endpoint-repository.ts';
import { nextAttempt } from './retry-schedule.ts';
import { secretOwner } from './secret-owner.ts';
import type { SecretBox } from '../secret-box.ts';

export { listDueEndpointIds, listNeglectedEndpointIds } from './endpoint-repository.ts';

export interface DeliveryDeps {
  db: Pool;
  clock: Clock;
  secretBox: SecretBox;
  /** Uniform in [0, 1), for the jitter. */
  randomUniform(): number;
  leaseSeconds: number;
  /** Dispatches that one claim takes at the most. */
  claimLimit: number;
}

/** An attempt that is written down and may now be sent. */
export interface ClaimedDelivery {
  deliveryId: string;
  eventId: string;
  leaseEpoch: number;
  attempt: number;
  /** Public forms, for the headers. */
  publicEventId: string;
  publicDeliveryId: string;
  eventType: string;
  /** The envelope's bytes: the same at each attempt. */
  body: Buffer;
}

export interface Claim {
  endpointId: string;
  url: string;
  /** In clear; newest first. */
  secrets: string[];
  /** Set where the only delivery is the circuit's probe. */
  probeEpoch: number | null;
  leaseUntil: Date;
  deliveries: ClaimedDelivery[];
}

export type ClaimResult =
  | { type: 'claimed'; claim: Claim }
  /** Nothing may go now; at `until` there may be something (null: not before the next event or a person's action). */
  | { type: 'idle'; until: Date | null };

const idle = (until: Date | null): ClaimResult => ({ type: 'idle', until });

/** Claims what is due for an endpoint, as far as its circuit allows. */
export async function claimDeliveries(deps: DeliveryDeps, endpointId: string): Promise<ClaimResult> {
  return withTransaction(deps.db, async ({ db }) => {
    const endpoint = await lockEndpoint(db, endpointId);
    if (endpoint === null) return idle(null);
    const now = deps.clock.now();
    const allowed = permit(endpoint.circuit, now.getTime());
    if (allowed.type === 'wait') {
      await parkDispatches(db, endpointId, now);
      return idle(allowed.until === null ? null : new Date(allowed.until));
    }
    const isProbe = allowed.type === 'probe';
    const room = isProbe ? 1 : deps.claimLimit - (await countInFlight(db, endpointId, now));
    if (room <= 0) return idle(await findNextDueAt(db, endpointId));
    const leaseUntil = new Date(now.getTime() + deps.leaseSeconds * 1000);
    const dispatches = await claimDueDispatches(db, {
      endpointId,
      now,
      leaseUntil,
      limit: room,
      fromParked: isProbe,
    });
    if (dispatches.length === 0) return idle(await findNextDueAt(db, endpointId));

    const probing = isProbe ? claimProbe(endpoint.circuit, now.getTime()) : null;
    if (probing !== null) await storeCircuit(db, endpointId, probing);
    const deliveries = dispatches.map((dispatch): ClaimedDelivery => {
      const deliveryId = newUuid();
      const publicEventId = encodeId('evt', dispatch.event_id);
      const envelope = {
        id: publicEventId,
        type: dispatch.event_type,
        createdAt: dispatch.event_created_at.toISOString(),
        data: dispatch.event_data,
      };
      return {
        deliveryId,
        eventId: dispatch.event_id,
        leaseEpoch: dispatch.lease_epoch,
        attempt: dispatch.attempts,
        publicEventId,
        publicDeliveryId: encodeId('dlv', deliveryId),
        eventType: dispatch.event_type,
        body: Buffer.from(JSON.stringify(envelope)),
      };
    });
    await insertDeliveries(
      db,
      { id: endpointId, orgId: endpoint.org_id },
      deliveries.map((d) => ({
        id: d.deliveryId,
        eventId: d.eventId,
        eventType: d.eventType,
        attempt: d.attempt,
      })),
      now,
    );
    const owner = secretOwner(endpoint.org_id, endpointId);
    const sealed = await listSealedSecrets(db, endpointId, now);
    return {
      type: 'claimed',
      claim: {
        endpointId,
        url: endpoint.url,
        secrets: sealed.map((secret) => deps.secretBox.open(secret, owner)),
        probeEpoch: probing?.probeEpoch ?? null,
        leaseUntil,
        deliveries,
      },
    };
  });
}

export interface DeliveryResult {
  delivery: ClaimedDelivery;
  outcome: AttemptOutcome;
  /** When the attempt ended. */
  endedAt: Date;
}

/** Settles attempts in the order in which they ended: rows, retries, circuit, parked dispatches, in one transaction. */
export async function settleDeliveryOutcomes(
  deps: DeliveryDeps,
  claim: Pick<Claim, 'endpointId' | 'probeEpoch'>,
  results: readonly DeliveryResult[],
): Promise<void> {
  const { endpointId, probeEpoch } = claim;
  await withTransaction(deps.db, async ({ db }) => {
    const now = deps.clock.now();
    const endpoint = await lockEndpoint(db, endpointId);
    const settled = results.map((result) => ({ result, settlement: settlementOf(deps, result, now) }));
    await settleDeliveries(
      db,
      settled.map(({ result, settlement }) => ({
        id: result.delivery.deliveryId,
        outcome: result.outcome,
        nextAttemptAt: settlement.state === 'pending' ? settlement.dueAt : null,
      })),
      now,
    );
    await settleDispatches(
      db,
      endpointId,
      settled.map(({ settlement }) => settlement),
      now,
    );
    if (endpoint === null) return;
    const moved = foldOutcomes(endpoint.circuit, results, probeEpoch);
    await storeCircuit(db, endpointId, moved);
    if (moved.phase === 'closed') await releaseParkedDispatches(db, endpointId);
    else await parkDispatches(db, endpointId, now);
  });
}

function settlementOf(
  deps: DeliveryDeps,
  { delivery, outcome }: DeliveryResult,
  now: Date,
): DispatchSettlement {
  const { eventId, leaseEpoch } = delivery;
  if (outcome.ok) return { eventId, leaseEpoch, state: 'delivered', dueAt: now, refundAttempt: false };
  // We stopped it ourselves: it is due again at once and costs the receiver no attempt.
  if (outcome.errorClass === 'aborted')
    return { eventId, leaseEpoch, state: 'pending', dueAt: now, refundAttempt: true };
  const retryAt = nextAttempt({
    attempts: delivery.attempt,
    now,
    status: outcome.status,
    retryAfter: outcome.retryAfter,
    random: deps.randomUniform,
  });
  return {
    eventId,
    leaseEpoch,
    state: retryAt === null ? 'exhausted' : 'pending',
    dueAt: retryAt ?? now,
    refundAttempt: false,
  };
}

function foldOutcomes(
  circuit: CircuitState,
  results: readonly DeliveryResult[],
  probeEpoch: number | null,
): CircuitState {
  return results.reduce((state, { outcome, endedAt }) => {
    const at = endedAt.getTime();
    if (outcome.errorClass === 'aborted')
      return probeEpoch === null ? state : releaseProbe(state, probeEpoch, at);
    return recordOutcome(state, { ok: outcome.ok, status: outcome.status, probeEpoch }, at).state;
  }, circuit);
}

/** When the endpoint wants to be woken next, or null. */
export async function nextDueAt(deps: Pick<DeliveryDeps, 'db'>, endpointId: string): Promise<Date | null> {
  return findNextDueAt(deps.db, endpointId);
}
