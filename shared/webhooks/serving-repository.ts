/** The part of an endpoint's row that delivering needs and moves, for many endpoints in one statement. */
import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';
import type { EndpointFormat } from './body.ts';
import type { CircuitState } from './circuit-breaker.ts';
import type { RecentOutcomes } from './recent-outcomes.ts';

export interface ServedEndpoint {
  id: string;
  org_id: string;
  url: string;
  format: EndpointFormat;
  language: Language;
  circuit: CircuitState;
  concurrency: number | null;
  rate_per_second: number | null;
  fifo: boolean;
  /** It became FIFO, and what waits is not in the order of the events yet. */
  is_out_of_order: boolean;
  retry_delays: number[] | null;
  sealed_headers: string | null;
  served_by: string | null;
  served_until: Date | null;
  rate_tokens: number;
  rate_at: Date | null;
  held_until: Date | null;
  recent: RecentOutcomes;
  /** Those that are valid now, newest first. */
  sealed_secrets: string[];
}

/**
 * Locks the endpoints that nobody holds; whoever holds one (a request that changes it) must not hold up the others.
 * @returns those locked; `busy` are there but held, all others are deleted.
 */
export async function lockForServing(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<{ locked: Map<string, ServedEndpoint>; busy: Set<string> }> {
  const { rows } = await db.query<ServedEndpoint>({
    name: 'lock-for-serving',
    text: `select e.id, e.org_id, e.url, e.format, e.language, e.circuit, e.concurrency, e.rate_per_second, e.fifo, e.retry_delays,
                  e.sealed_headers, e.served_by, e.served_until, e.rate_tokens, e.rate_at, e.held_until, e.recent,
                  e.fifo and e.ordered_to_due_at is not null as is_out_of_order,
                  array(select s.sealed from webhook_secrets s
                         where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > $2)
                         order by s.created_at desc, s.id desc) as sealed_secrets
             from webhook_endpoints e
            where e.id = any($1::uuid[]) and e.deleted_at is null
            order by e.id
              for update of e skip locked`,
    values: [ids, now],
  });
  const locked = new Map(rows.map((row) => [row.id, row]));
  const missing = ids.filter((id) => !locked.has(id));
  if (missing.length === 0) return { locked, busy: new Set() };
  const held = await db.query<{ id: string }>(
    'select id from webhook_endpoints where id = any($1::uuid[]) and deleted_at is null',
    [missing],
  );
  return { locked, busy: new Set(held.rows.map((row) => row.id)) };
}

/** Circuit columns from the state: the phase and the next time at which it may move. */
export const circuitColumns = (circuit: CircuitState): [string, string, Date | null, string | null] => {
  const due =
    circuit.phase === 'open' ? circuit.openUntil : circuit.phase === 'half-open' ? circuit.probeUntil : null;
  return [
    circuit.phase,
    JSON.stringify(circuit),
    due === null ? null : new Date(due),
    circuit.disabledReason,
  ];
};

/** Writes what serving moved. */
export async function storeServing(db: Db, endpoints: readonly ServedEndpoint[]): Promise<void> {
  const circuits = endpoints.map((endpoint) => circuitColumns(endpoint.circuit));
  await db.query({
    name: 'store-serving',
    text: `update webhook_endpoints e
              set circuit_state = s.circuit_state, circuit = s.circuit, circuit_due_at = s.circuit_due_at,
                  disabled_reason = s.disabled_reason, served_by = s.served_by, served_until = s.served_until,
                  rate_tokens = s.rate_tokens, rate_at = s.rate_at, held_until = s.held_until,
                  recent = s.recent
             from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::timestamptz[], $5::text[], $6::uuid[],
                         $7::timestamptz[], $8::double precision[], $9::timestamptz[], $10::timestamptz[], $11::jsonb[])
               as s (id, circuit_state, circuit, circuit_due_at, disabled_reason, served_by, served_until, rate_tokens,
                     rate_at, held_until, recent)
            where e.id = s.id`,
    values: [
      endpoints.map((endpoint) => endpoint.id),
      circuits.map(([phase]) => phase),
      circuits.map(([, state]) => state),
      circuits.map(([, , dueAt]) => dueAt),
      circuits.map(([, , , reason]) => reason),
      endpoints.map((endpoint) => endpoint.served_by),
      endpoints.map((endpoint) => endpoint.served_until),
      endpoints.map((endpoint) => endpoint.rate_tokens),
      endpoints.map((endpoint) => endpoint.rate_at),
      endpoints.map((endpoint) => endpoint.held_until),
      endpoints.map((endpoint) => JSON.stringify(endpoint.recent)),
    ],
  });
}

/** Endpoints of an organization with something due that may go, or may probe. */
export async function listDueEndpointIds(db: Db, orgId: string, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-due-endpoints',
    // The one that is due longest of each, by the index: as a join with all that are due, others' may be read first, and there may be millions.
    text: `select e.id from webhook_endpoints e
            where e.org_id = $1 and e.deleted_at is null
              and (e.circuit_state = 'closed' or e.circuit_due_at <= $2)
              and (e.held_until is null or e.held_until <= $2)
              and (select true from webhook_dispatches d
                    where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= $2
                    order by d.due_at limit 1)`,
    values: [orgId, now],
  });
  return rows.map((row) => row.id);
}

/**
 * For the sweeper: endpoints that could be served and that nobody serves; and those whose worker has died, though their circuit lets
 * nothing go: whoever serves them next closes the attempts that were out.
 */
export async function listNeglectedEndpointIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select e.id from webhook_endpoints e
      where e.deleted_at is null
        and (e.served_until <= $1
             or (e.served_until is null
                 and (e.circuit_state = 'closed' or e.circuit_due_at <= $1)
                 and (e.held_until is null or e.held_until <= $1)
                 and exists (select 1 from webhook_dispatches d
                              where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= $1
                                and (d.lease_until is null or d.lease_until <= $1))))
      limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.id);
}
