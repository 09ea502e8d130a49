import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { CircuitState } from './circuit-breaker.ts';

export interface EndpointRow {
  id: string;
  org_id: string;
  url: string;
  events: string[];
  description: string | null;
  circuit: CircuitState;
  created_at: Date;
  updated_at: Date;
}

/** Circuit columns from the state: the phase and the next time at which it may move. */
const circuitColumns = (circuit: CircuitState): unknown[] => {
  const due =
    circuit.phase === 'open' ? circuit.openUntil : circuit.phase === 'half-open' ? circuit.probeUntil : null;
  return [
    circuit.phase,
    JSON.stringify(circuit),
    due === null ? null : new Date(due),
    circuit.disabledReason,
  ];
};

export interface NewEndpoint {
  id: string;
  orgId: string;
  url: string;
  events: string[];
  description: string | null;
  circuit: CircuitState;
  secretId: string;
  sealedSecret: string;
  now: Date;
}

export async function insertEndpoint(db: Db, endpoint: NewEndpoint): Promise<void> {
  await db.query(
    `with endpoint as (
       insert into webhook_endpoints (id, org_id, url, events, description, circuit_state, circuit, circuit_due_at,
              disabled_reason, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id
     )
     insert into webhook_secrets (id, endpoint_id, sealed, created_at) select $11, id, $12, $10 from endpoint`,
    [
      endpoint.id,
      endpoint.orgId,
      endpoint.url,
      endpoint.events,
      endpoint.description,
      ...circuitColumns(endpoint.circuit),
      endpoint.now,
      endpoint.secretId,
      endpoint.sealedSecret,
    ],
  );
}

export async function findEndpoint(db: Db, orgId: string, id: string): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>(
    `select id, org_id, url, events, description, circuit, created_at, updated_at
       from webhook_endpoints where org_id = $1 and id = $2 and deleted_at is null`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Holds the endpoint, and with it its circuit, until the transaction ends. */
export async function lockEndpoint(db: Db, id: string): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>({
    name: 'lock-endpoint',
    text: `select id, org_id, url, events, description, circuit, created_at, updated_at
             from webhook_endpoints where id = $1 and deleted_at is null for update`,
    values: [id],
  });
  return rows[0] ?? null;
}

export async function countEndpoints(db: Db, orgId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) as count from webhook_endpoints where org_id = $1 and deleted_at is null',
    [orgId],
  );
  return rows[0]!.count;
}

export async function listEndpoints(db: Db, orgId: string, page: PageRequest): Promise<Page<EndpointRow>> {
  const { rows } = await db.query<EndpointRow>(
    `select id, org_id, url, events, description, circuit, created_at, updated_at
       from webhook_endpoints
      where org_id = $1 and deleted_at is null and ($2::uuid is null or id < $2)
      order by id desc
      limit $3`,
    [orgId, page.beforeId, page.limit + 1],
  );
  return pageOf(rows, page);
}

export async function updateEndpoint(
  db: Db,
  id: string,
  fields: { url: string; events: string[]; description: string | null },
  now: Date,
): Promise<void> {
  await db.query(
    'update webhook_endpoints set url = $2, events = $3, description = $4, updated_at = $5 where id = $1',
    [id, fields.url, fields.events, fields.description, now],
  );
}

export async function storeCircuit(db: Db, id: string, circuit: CircuitState): Promise<void> {
  await db.query({
    name: 'store-circuit',
    text: `update webhook_endpoints
              set circuit_state = $2, circuit = $3, circuit_due_at = $4, disabled_reason = $5
            where id = $1`,
    values: [id, ...circuitColumns(circuit)],
  });
}

/** Hides the endpoint and throws its secrets and its waiting dispatches away. */
export async function markEndpointDeleted(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `with endpoint as (
       update webhook_endpoints set deleted_at = $2, updated_at = $2 where id = $1 returning id
     ), secrets as (
       delete from webhook_secrets where endpoint_id in (select id from endpoint)
     )
     update webhook_dispatches set state = 'discarded', settled_at = $2, lease_until = null
      where endpoint_id in (select id from endpoint) and state in ('pending', 'parked')`,
    [id, now],
  );
}

/** Secrets that are valid at `now`, newest first. */
export async function listSealedSecrets(db: Db, endpointId: string, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ sealed: string }>({
    name: 'list-sealed-secrets',
    text: `select sealed from webhook_secrets
            where endpoint_id = $1 and (expires_at is null or expires_at > $2)
            order by created_at desc, id desc`,
    values: [endpointId, now],
  });
  return rows.map((row) => row.sealed);
}

/** Endpoints of an organization with something due, whatever their circuit. */
export async function listDueEndpointIds(db: Db, orgId: string, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'list-due-endpoints',
    text: `select e.id from webhook_endpoints e
            where e.org_id = $1 and e.deleted_at is null
              and exists (select 1 from webhook_dispatches d
                           where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= $2)`,
    values: [orgId, now],
  });
  return rows.map((row) => row.id);
}

/** For the sweeper: endpoints with an unclaimed due dispatch, or with a circuit whose time has come. */
export async function listNeglectedEndpointIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select e.id from webhook_endpoints e
      where e.deleted_at is null
        and ((e.circuit_due_at <= $1
              and exists (select 1 from webhook_dispatches d
                           where d.endpoint_id = e.id and d.state in ('pending', 'parked')))
             or (e.circuit_state = 'closed'
                 and exists (select 1 from webhook_dispatches d
                              where d.endpoint_id = e.id and d.state = 'pending' and d.due_at <= $1
                                and (d.lease_until is null or d.lease_until <= $1))))
      limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.id);
}
