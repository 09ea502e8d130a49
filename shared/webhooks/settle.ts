/** What came of attempts: rows, retries, the circuit, and what people have to be told. */
import type { Db } from '../db.ts';
import type { AttemptOutcome } from './attempt.ts';
import {
  earliestAttempt,
  recordOutcome,
  releaseProbe,
  type CircuitPolicy,
  type CircuitState,
  type CircuitEffect,
} from './circuit-breaker.ts';
import { configurationOf, type Claim, type ClaimedDelivery } from './claim.ts';
import { settleAttempts, type AttemptSettlement } from './dispatch-repository.ts';
import { effectOn, recordNotices, type EndpointEffect } from './notices.ts';
import { countOutcome } from './recent-outcomes.ts';
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
  claim: Pick<Claim, 'endpointId' | 'url' | 'probeEpoch' | 'fifo'>;
  session: string;
  result: DeliveryResult;
}

/** How the endpoint stands after a settlement: whether its session may go on sending what it holds. */
export interface Standing {
  mayGoOn: boolean;
  /** What is sent from now on goes by this one, see {@link configurationOf}; null where the endpoint is gone. */
  configuration: string | null;
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
      claim: settlement.claim,
      session: settlement.session,
      result: settlement.result,
      outcome: settlement.result.outcome!,
      dispatch: dispatchOf(deps, settlement, locked.get(settlement.claim.endpointId), now),
    }));
  const unsent = settlements.filter(({ result }) => result.outcome === null);

  const effects: EndpointEffect[] = [];
  for (const { claim, session, outcome, result, dispatch } of sent) {
    const endpoint = locked.get(claim.endpointId);
    if (endpoint === undefined) continue;
    if (outcome.errorClass !== 'aborted')
      endpoint.recent = countOutcome(endpoint.recent, outcome.ok, result.endedAt.getTime());
    // An old receiver's late answer says nothing about the one that the endpoint has moved to.
    if (claim.url !== endpoint.url) continue;
    const step = fold(
      endpoint.circuit,
      outcome,
      claim.probeEpoch,
      result.endedAt.getTime(),
      deps.circuitPolicy,
    );
    endpoint.circuit = step.state;
    const isOnlyOne = claim.fifo && endpoint.served_by === session;
    if (endpoint.fifo) endpoint.held_until = heldInOrder(endpoint.held_until, isOnlyOne, dispatch);
    // The endpoint alone waits for that long, and not the event: a new URL or `enable` ends it for both.
    endpoint.held_until = later(endpoint.held_until, retryAfterAt(outcome, now));
    effects.push(...step.effects.map((effect) => effectOn(endpoint, effect)));
  }
  for (const { claim, result } of unsent) {
    const endpoint = locked.get(claim.endpointId);
    if (endpoint === undefined || claim.probeEpoch === null) continue;
    endpoint.circuit = releaseProbe(endpoint.circuit, claim.probeEpoch, result.endedAt.getTime());
  }
  // After the circuits: the log announces no attempt that they will not let go.
  const settled = sent.map(({ dispatch }) => ({
    ...dispatch,
    nextAttemptAt: announced(locked.get(dispatch.endpointId), dispatch.nextAttemptAt),
  }));
  await settleAttempts(db, [...settled, ...unsent.map(untouched)], now);
  await recordNotices(deps, db, effects);
  return standings(deps, locked, settlements, now);
}

const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);

/**
 * Until when FIFO order holds an endpoint after an attempt. One claimed before it was FIFO, or by a session that has lost the endpoint, is not
 * the only one out: it ends no other's hold.
 */
function heldInOrder(
  heldUntil: Date | null,
  isOnlyOne: boolean,
  { nextAttemptAt }: Pick<AttemptSettlement, 'nextAttemptAt'>,
): Date | null {
  return isOnlyOne ? nextAttemptAt : later(heldUntil, nextAttemptAt);
}

/** When a failed dispatch really goes again; null where its endpoint is disabled or deleted. */
const announced = (endpoint: ServedEndpoint | undefined, dueAt: Date | null): Date | null =>
  endpoint === undefined || dueAt === null
    ? null
    : earliestAttempt(endpoint.circuit, endpoint.held_until, dueAt);

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
    // Of what was claimed before the endpoint was FIFO several are out: only when they have ended is there an order.
    const isInOrder = claim.fifo || endpoint?.fifo !== true;
    const mayGoOn = isOurs && endpoint.circuit.phase === 'closed' && !isHeld && isInOrder;
    const known = standing.get(claim.endpointId);
    if (known !== undefined) known.mayGoOn &&= mayGoOn;
    else {
      const configuration = endpoint === undefined ? null : configurationOf(endpoint);
      standing.set(claim.endpointId, { mayGoOn, configuration });
    }
  }
  return standing;
}

type Fate = Omit<AttemptSettlement, 'endpointId' | 'eventId' | 'deliveryId' | 'leaseEpoch'>;

/** Name by name: a spread with names behind it costs a hidden class for each of them, each time (ADR 0120). */
const settlementOf = (
  { claim, result: { delivery } }: Settlement,
  { state, dueAt, refundAttempt, outcome, requestHeaders, nextAttemptAt }: Fate,
): AttemptSettlement => ({
  endpointId: claim.endpointId,
  eventId: delivery.eventId,
  deliveryId: delivery.deliveryId,
  leaseEpoch: delivery.leaseEpoch,
  state,
  dueAt,
  refundAttempt,
  outcome,
  requestHeaders,
  nextAttemptAt,
});

const untouched = (settlement: Settlement): AttemptSettlement =>
  settlementOf(settlement, {
    state: 'pending',
    dueAt: null,
    refundAttempt: true,
    outcome: null,
    requestHeaders: {},
    nextAttemptAt: null,
  });

/** @param endpoint as it is by now, with the order and the delays that were asked for meanwhile; undefined where it is gone */
function dispatchOf(
  deps: TurnDeps,
  settlement: Settlement,
  endpoint: ServedEndpoint | undefined,
  now: Date,
): AttemptSettlement {
  const { claim, result } = settlement;
  const { delivery, requestHeaders } = result;
  const outcome = result.outcome!;
  const over = (state: 'delivered' | 'exhausted') =>
    settlementOf(settlement, {
      state,
      dueAt: null,
      refundAttempt: false,
      outcome,
      requestHeaders,
      nextAttemptAt: null,
    });
  const again = (retryAt: Date, refundAttempt: boolean) =>
    settlementOf(settlement, {
      state: 'pending',
      // In FIFO order a dispatch keeps its place in the queue; the endpoint as a whole is held instead.
      dueAt: endpoint?.fifo === true ? null : retryAt,
      refundAttempt,
      outcome,
      requestHeaders,
      nextAttemptAt: retryAt,
    });
  if (outcome.ok) return over('delivered');
  // We stopped it ourselves: it is due again at once and costs the receiver no attempt.
  if (outcome.errorClass === 'aborted') return again(now, true);
  // A probe asks how the receiver is, once an hour perhaps: it must not use up the event's schedule. Due now, it
  // stands behind what was due before, so that the next probe tries another event than one that is always refused.
  if (claim.probeEpoch !== null) return again(now, true);
  const delaysSeconds = endpoint?.retry_delays ?? null;
  const retryAt = nextAttempt({
    attempts: delivery.attempt,
    now,
    random: deps.randomUniform,
    ...(delaysSeconds === null ? {} : { delaysSeconds }),
  });
  return retryAt === null ? over('exhausted') : again(retryAt, false);
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
