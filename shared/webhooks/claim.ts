/** Which of an endpoint's due dispatches may go now: its circuit, its rate, its order and its lease decide. */
import type { Db } from '../db.ts';
import { encodeIds, newUuids } from '../ids.ts';
import { claimProbe, permit } from './circuit-breaker.ts';
import {
  claimDueDispatches,
  findNextDueTimes,
  freeAbandonedLeases,
  type ClaimedDispatch,
} from './dispatch-repository.ts';
import { restoreEventOrder } from './event-order-repository.ts';
import { effectOn, recordNotices, type EndpointEffect } from './notices.ts';
import type { ServedEndpoint } from './serving-repository.ts';
import { nextTokenAt, refill } from './token-bucket.ts';
import { bodyOf } from './body.ts';
import type { TurnDeps } from './turn.ts';
import { holdUnreadable, openSecrets, type OpenedSecrets } from './unreadable-secrets.ts';

/** Of an endpoint's concurrency: how much a session holds at most, sent or not. */
export const MOST_ROUNDS_AHEAD = 32;

export interface ClaimRequest {
  endpointId: string;
  /** UUID of whoever serves the endpoint: one at a time does. */
  session: string;
  /** Dispatches wanted, at least one. */
  room: number;
  /** Whether the session still has deliveries to send or to settle: then it goes on serving though nothing is due. */
  hasWork: boolean;
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
  /** What is sent: the same at each attempt, see {@link bodyOf}. */
  body: Buffer;
}

export interface Claim {
  endpointId: string;
  url: string;
  /** In clear; newest first. */
  secrets: string[];
  /** The endpoint's own. */
  headers: Record<string, string>;
  concurrency: number;
  ratePerSecond: number | null;
  fifo: boolean;
  /** Of the endpoint when it was claimed, see {@link configurationOf}. */
  configuration: string;
  /** Set where the only delivery is the circuit's probe. */
  probeEpoch: number | null;
  /** Nothing may be sent that could not be over by then. */
  leaseUntil: Date;
  deliveries: ClaimedDelivery[];
}

export type ClaimResult =
  | { type: 'claimed'; claim: Claim }
  /** Nothing may go now; at `until` there may be something (null: not before the next event or a person's action). */
  | { type: 'idle'; until: Date | null }
  /** Another session serves the endpoint, and will see whatever is committed by now. */
  | { type: 'elsewhere' }
  /** The row is locked for a moment, or what waits is being brought into order: ask again. */
  | { type: 'busy' };

interface Admitted {
  request: ClaimRequest;
  endpoint: ServedEndpoint;
  limit: number;
  isProbe: boolean;
  opened: OpenedSecrets;
}

/** Claims for endpoints that are locked; moves their rows in `locked`, which the caller stores. */
export async function claimLocked(
  deps: TurnDeps,
  db: Db,
  { locked, busy }: { locked: Map<string, ServedEndpoint>; busy: Set<string> },
  requests: readonly ClaimRequest[],
): Promise<ClaimResult[]> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.leaseSeconds * 1000);
  const results = new Map<ClaimRequest, ClaimResult>();
  const admitted: Admitted[] = [];
  const blockedUntil = new Map<ClaimRequest, number>();
  const effects: EndpointEffect[] = [];
  const takenOver: ServedEndpoint[] = [];
  for (const request of requests) {
    const endpoint = locked.get(request.endpointId);
    if (endpoint === undefined) {
      results.set(request, busy.has(request.endpointId) ? { type: 'busy' } : { type: 'idle', until: null });
    } else if (isServedElsewhere(endpoint, request.session, now)) {
      results.set(request, { type: 'elsewhere' });
    } else {
      if (endpoint.served_by !== null && endpoint.served_by !== request.session) takenOver.push(endpoint);
      // At once: a second request for it in the same turn is served elsewhere.
      endpoint.served_by = request.session;
      endpoint.served_until = leaseUntil;
      if (endpoint.is_out_of_order && !(await restoreEventOrder(db, endpoint.id))) {
        results.set(request, { type: 'busy' });
        continue;
      }
      let allowed = admit(endpoint, request, now.getTime());
      // Before anything is claimed: no attempt is written down that could not be made.
      const opened = allowed.type === 'go' ? openSecrets(deps, endpoint) : null;
      if (allowed.type === 'go' && opened === null) {
        effects.push(...holdUnreadable(endpoint, now).map((effect) => effectOn(endpoint, effect)));
        allowed = admit(endpoint, request, now.getTime());
      }
      if (allowed.type === 'go') admitted.push({ ...allowed, request, endpoint, opened: opened! });
      else if (allowed.until === null) results.set(request, leave(endpoint, request, null));
      else blockedUntil.set(request, allowed.until);
    }
  }
  if (effects.length > 0) await recordNotices(deps, db, effects);

  if (takenOver.length > 0) await freeAbandoned(deps, db, takenOver, [], now);
  const claimed = await claimRows(deps, db, admitted, now, leaseUntil);
  for (const { request, endpoint, isProbe, opened } of admitted) {
    const rows = claimed.get(endpoint.id);
    if (rows === undefined) continue;
    if (isProbe) endpoint.circuit = claimProbe(endpoint.circuit, now.getTime(), deps.circuitPolicy)!;
    // Without a rate nothing is owed: one that is set later would begin with a debt.
    if (endpoint.rate_per_second !== null) endpoint.rate_tokens -= rows.length;
    results.set(request, {
      type: 'claimed',
      claim: claimOf(deps, endpoint, rows, { ...opened, isProbe, leaseUntil }),
    });
  }

  const idle = requests.filter((request) => !results.has(request));
  if (idle.length > 0) {
    // What a session without work finds leased was taken by a claim whose answer was lost: nobody else's.
    const sought = idle.map(({ endpointId, hasWork }) => ({ endpointId, ignoresLeases: !hasWork }));
    const nextDue = await findNextDueTimes(db, sought, now);
    for (const request of idle) {
      const due = nextDue.get(request.endpointId);
      const until =
        due === undefined ? null : new Date(Math.max(due.getTime(), blockedUntil.get(request) ?? 0));
      results.set(request, leave(locked.get(request.endpointId)!, request, until));
    }
  }
  return requests.map((request) => results.get(request)!);
}

const isServedElsewhere = (endpoint: ServedEndpoint, session: string, now: Date): boolean =>
  endpoint.served_by !== null && endpoint.served_by !== session && endpoint.served_until! > now;

/** Gives the endpoint free, unless the session still works for it. */
function leave(endpoint: ServedEndpoint, request: ClaimRequest, until: Date | null): ClaimResult {
  if (!request.hasWork) {
    endpoint.served_by = null;
    endpoint.served_until = null;
  }
  return { type: 'idle', until };
}

/** How many may go now, and as what; or when that may change (null: only by a person). */
function admit(
  endpoint: ServedEndpoint,
  { room, hasWork }: ClaimRequest,
  now: number,
): { type: 'go'; limit: number; isProbe: boolean } | { type: 'wait'; until: number | null } {
  const allowed = permit(endpoint.circuit, now);
  if (allowed.type === 'wait') return allowed;
  const heldUntil = endpoint.held_until?.getTime() ?? 0;
  if (heldUntil > now) return { type: 'wait', until: heldUntil };
  const isProbe = allowed.type === 'probe';
  // What was sent before the circuit opened must be settled first: its outcomes are no probe's.
  if (isProbe && hasWork) return { type: 'wait', until: now };
  const limit = isProbe ? 1 : room;
  if (endpoint.rate_per_second === null) return { type: 'go', limit, isProbe };
  const bucket = refill(
    { tokens: endpoint.rate_tokens, at: endpoint.rate_at?.getTime() ?? null },
    endpoint.rate_per_second,
    now,
  );
  endpoint.rate_tokens = bucket.tokens;
  endpoint.rate_at = new Date(now);
  const tokens = Math.floor(bucket.tokens);
  if (tokens === 0) return { type: 'wait', until: nextTokenAt(bucket, endpoint.rate_per_second) };
  return { type: 'go', limit: Math.min(limit, tokens), isProbe };
}

/**
 * What attempts go by, of what people change: two are equal where nothing of it was changed in between. A secret that has ended is a change
 * too; sealed anew by another key it looks like one, and costs a claim.
 */
export const configurationOf = (endpoint: ServedEndpoint): string => {
  const { url, format, language, fifo, rate_per_second, sealed_headers, sealed_secrets } = endpoint;
  return JSON.stringify([url, format, language, fifo, rate_per_second, sealed_headers, sealed_secrets]);
};

const concurrencyOf = (
  { endpointConcurrency }: Pick<TurnDeps, 'endpointConcurrency'>,
  { fifo, concurrency }: ServedEndpoint,
): number => (fifo ? 1 : (concurrency ?? endpointConcurrency));

async function claimRows(
  deps: Pick<TurnDeps, 'endpointConcurrency'>,
  db: Db,
  admitted: readonly Admitted[],
  now: Date,
  leaseUntil: Date,
): Promise<Map<string, ClaimedDispatch[]>> {
  if (admitted.length === 0) return new Map();
  const most = admitted.reduce((sum, { limit }) => sum + limit, 0);
  const rows = await claimDueDispatches(
    db,
    admitted.map(({ endpoint, request, limit, isProbe }) => ({
      endpointId: endpoint.id,
      limit,
      isProbe,
      ignoresLeases: !request.hasWork,
    })),
    newUuids(most),
    now,
    leaseUntil,
  );
  const byEndpoint = new Map<string, ClaimedDispatch[]>();
  for (const row of rows) {
    const own = byEndpoint.get(row.endpoint_id);
    if (own === undefined) byEndpoint.set(row.endpoint_id, [row]);
    else own.push(row);
  }
  // A claim whose answer was lost may have taken more than this one had room for; had it taken less, it is all here.
  const cut = admitted.filter(
    ({ endpoint, request, limit }) => !request.hasWork && byEndpoint.get(endpoint.id)?.length === limit,
  );
  if (cut.length > 0) {
    const endpoints = cut.map(({ endpoint }) => endpoint);
    await freeAbandoned(deps, db, endpoints, rows, now);
  }
  return byEndpoint;
}

/** @param claimed what the endpoints' sessions have just taken */
async function freeAbandoned(
  deps: Pick<TurnDeps, 'endpointConcurrency'>,
  db: Db,
  endpoints: readonly ServedEndpoint[],
  claimed: readonly ClaimedDispatch[],
  now: Date,
): Promise<void> {
  const leased = endpoints.map((endpoint) => ({
    endpointId: endpoint.id,
    // One claim before, and what this one has taken. A session's first claim is made with the general concurrency.
    most: 2 * MOST_ROUNDS_AHEAD * Math.max(concurrencyOf(deps, endpoint), deps.endpointConcurrency),
  }));
  await freeAbandonedLeases(db, leased, claimed, now);
}

function claimOf(
  deps: Pick<TurnDeps, 'endpointConcurrency' | 'publicUrl'>,
  endpoint: ServedEndpoint,
  rows: readonly ClaimedDispatch[],
  { isProbe, leaseUntil, ...opened }: OpenedSecrets & { isProbe: boolean; leaseUntil: Date },
): Claim {
  return {
    endpointId: endpoint.id,
    url: endpoint.url,
    ...opened,
    concurrency: concurrencyOf(deps, endpoint),
    ratePerSecond: endpoint.rate_per_second,
    fifo: endpoint.fifo,
    configuration: configurationOf(endpoint),
    probeEpoch: isProbe ? endpoint.circuit.probeEpoch : null,
    leaseUntil,
    deliveries: deliveriesOf(endpoint, rows, deps.publicUrl),
  };
}

function deliveriesOf(
  endpoint: ServedEndpoint,
  rows: readonly ClaimedDispatch[],
  publicUrl: string,
): ClaimedDelivery[] {
  const eventIds = encodeIds(
    'evt',
    rows.map((row) => row.event_id),
  );
  const deliveryIds = encodeIds(
    'dlv',
    rows.map((row) => row.delivery_id),
  );
  return rows.map((row, index) => ({
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    leaseEpoch: row.lease_epoch,
    attempt: row.attempts,
    publicEventId: eventIds[index]!,
    publicDeliveryId: deliveryIds[index]!,
    eventType: row.event_type,
    body: bodyOf(
      endpoint,
      {
        id: eventIds[index]!,
        type: row.event_type,
        createdAt: row.event_created_at,
        data: row.event_data,
      },
      publicUrl,
    ),
  }));
}
