/** What came of attempts: rows, retries, the circuit, and what people have to be told. */
import type { Db } from '../db.ts';
import type { AttemptOutcome } from './attempt.ts';
import {
  recordOutcome,
  releaseProbe,
  type CircuitPolicy,
  type CircuitState,
  type CircuitEffect,
} from './circuit-breaker.ts';
import type { Claim, ClaimedDelivery } from './claim.ts';
import { deleteUnsent, settleDeliveries } from './delivery-repository.ts';
import { settleDispatches, type DispatchSettlement } from './dispatch-repository.ts';
import { recordNotices, type EndpointEffect } from './notices.ts';
import { nextAttempt, retryAfterAt } from './retry-schedule.ts';
import type { ServedEndpoint } from './serving-repository.ts';
import type { TurnDeps } from './turn.ts';

export interface DeliveryResult {
  delivery: ClaimedDelivery;
  /** Null where nothing was sent, because the circuit opened or the process stops: it never happened. */
  outcome: AttemptOutcome | null;
  /** As they went out, fit for the log. */
  requestHeaders: Record<string, string>;
  /** When the attempt ended. */
  endedAt: Date;
}

export interface Settlement {
  claim: Pick<Claim, 'endpointId' | 'probeEpoch' | 'retryDelays' | 'fifo'>;
  session: string;
  result: DeliveryResult;
}

/** How the endpoint stands after a settlement: whether its session may go on sending what it holds. */
export interface Standing {
  mayGoOn: boolean;
}

/**
 * Settles attempts of endpoints that are locked (or deleted), in the order in which they ended; moves their rows in
 * `locked`, which the caller stores.
 */
export async function settleLocked(
  deps: TurnDeps,
  db: Db,
  locked: Map<string, ServedEndpoint>,
  settlements: readonly Settlement[],
): Promise<Map<string, Standing>> {
  const now = deps.clock.now();
  const sent = settlements
    .filter(({ result }) => result.outcome !== null)
    .sort((a, b) => a.result.endedAt.getTime() - b.result.endedAt.getTime())
    .map((settlement) => ({
      ...settlement,
      outcome: settlement.result.outcome!,
      dispatch: dispatchOf(deps, settlement, now),
    }));
  const unsent = settlements.filter(({ result }) => result.outcome === null);

  if (unsent.length > 0)
    await deleteUnsent(
      db,
      unsent.map(({ result }) => result.delivery.deliveryId),
    );
  if (sent.length > 0) {
    await settleDeliveries(
      db,
      sent.map(({ result, outcome, dispatch }) => ({
        id: result.delivery.deliveryId,
        outcome,
        requestHeaders: result.requestHeaders,
        nextAttemptAt: dispatch.retryAt,
      })),
      now,
    );
  }
  await settleDispatches(
    db,
    [...sent.map(({ dispatch }) => dispatch.row), ...unsent.map((settlement) => untouched(settlement))],
    now,
  );

  const effects: EndpointEffect[] = [];
  for (const { claim, outcome, result, dispatch } of sent) {
    const endpoint = locked.get(claim.endpointId);
    if (endpoint === undefined) continue;
    const step = fold(
      endpoint.circuit,
      outcome,
      claim.probeEpoch,
      result.endedAt.getTime(),
      deps.circuitPolicy,
    );
    endpoint.circuit = step.state;
    if (claim.fifo) endpoint.held_until = outcome.ok ? null : dispatch.retryAt;
    for (const effect of step.effects) {
      effects.push({ orgId: endpoint.org_id, endpointId: endpoint.id, url: endpoint.url, effect });
    }
  }
  for (const { claim, result } of unsent) {
    const endpoint = locked.get(claim.endpointId);
    if (endpoint === undefined || claim.probeEpoch === null) continue;
    endpoint.circuit = releaseProbe(endpoint.circuit, claim.probeEpoch, result.endedAt.getTime());
  }
  await recordNotices(deps, db, effects);
  return standings(deps, locked, settlements, now);
}

/** Renews the sessions' leases and says who may go on. */
function standings(
  deps: TurnDeps,
  locked: Map<string, ServedEndpoint>,
  settlements: readonly Settlement[],
  now: Date,
): Map<string, Standing> {
  const standing = new Map<string, Standing>();
  for (const { claim, session } of settlements) {
    const endpoint = locked.get(claim.endpointId);
    const isOurs = endpoint !== undefined && endpoint.served_by === session;
    if (isOurs) endpoint.served_until = new Date(now.getTime() + deps.leaseSeconds * 1000);
    const isHeld = (endpoint?.held_until ?? now) > now;
    standing.set(claim.endpointId, { mayGoOn: isOurs && endpoint.circuit.phase === 'closed' && !isHeld });
  }
  return standing;
}

function untouched({ claim, result }: Settlement): DispatchSettlement {
  const { eventId, leaseEpoch } = result.delivery;
  return {
    endpointId: claim.endpointId,
    eventId,
    leaseEpoch,
    state: 'pending',
    dueAt: null,
    refundAttempt: true,
  };
}

function dispatchOf(
  deps: TurnDeps,
  { claim, result }: Settlement,
  now: Date,
): { row: DispatchSettlement; retryAt: Date | null } {
  const { delivery } = result;
  const outcome = result.outcome!;
  const row = { endpointId: claim.endpointId, eventId: delivery.eventId, leaseEpoch: delivery.leaseEpoch };
  const again = (retryAt: Date, refundAttempt: boolean) => ({
    // In FIFO order a dispatch keeps its place in the queue; the endpoint as a whole is held instead.
    row: { ...row, state: 'pending' as const, dueAt: claim.fifo ? null : retryAt, refundAttempt },
    retryAt,
  });
  if (outcome.ok)
    return { row: { ...row, state: 'delivered', dueAt: null, refundAttempt: false }, retryAt: null };
  // We stopped it ourselves: it is due again at once and costs the receiver no attempt.
  if (outcome.errorClass === 'aborted') return again(now, true);
  const { status, retryAfter } = outcome;
  // A probe asks how the receiver is, once an hour perhaps: it must not use up the event's schedule. Due now, it
  // stands behind what was due before, so that the next probe tries another event than one that is always refused.
  if (claim.probeEpoch !== null) return again(retryAfterAt({ status, retryAfter, now }) ?? now, true);
  const retryAt = nextAttempt({
    attempts: delivery.attempt,
    now,
    status,
    retryAfter,
    random: deps.randomUniform,
    ...(claim.retryDelays === null ? {} : { delaysSeconds: claim.retryDelays }),
  });
  if (retryAt !== null) return again(retryAt, false);
  return { row: { ...row, state: 'exhausted', dueAt: null, refundAttempt: false }, retryAt: null };
}

function fold(
  circuit: CircuitState,
  outcome: AttemptOutcome,
  probeEpoch: number | null,
  at: number,
  policy: CircuitPolicy,
): { state: CircuitState; effects: CircuitEffect[] } {
  if (outcome.errorClass === 'aborted') {
    return { state: probeEpoch === null ? circuit : releaseProbe(circuit, probeEpoch, at), effects: [] };
  }
  return recordOutcome(circuit, { ok: outcome.ok, status: outcome.status, probeEpoch }, at, policy);
}
