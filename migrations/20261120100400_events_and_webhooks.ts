import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table events (
      id uuid not null,
      org_id uuid not null,
      type text not null check (type ~ '^[a-z_]+\\.[a-z_]+$'),
      product_id uuid,
      data jsonb not null check (jsonb_typeof(data) = 'object'),
      created_at timestamptz not null,
      primary key (id)
    ) partition by range (id);
    create index events_newest on events (org_id, id desc);

    create table webhook_endpoints (
      id uuid primary key,
      org_id uuid not null references organizations,
      url text not null check (url like 'https://%' and length(url) <= 2000),
      events text[] not null check (cardinality(events) > 0),
      description text check (length(description) <= 500),
      circuit_state text not null default 'closed' check (circuit_state in ('closed', 'open', 'half-open', 'disabled')),
      circuit jsonb not null default '{}',
      circuit_due_at timestamptz,
      disabled_reason text,
      deleted_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((circuit_state in ('open', 'half-open')) = (circuit_due_at is not null)),
      unique (org_id, id)
    );
    create index webhook_endpoints_newest on webhook_endpoints (org_id, id desc) where deleted_at is null;
    create index webhook_endpoints_circuit_due on webhook_endpoints (circuit_due_at) where circuit_due_at is not null;

    -- The secret is encrypted (AES-256-GCM, bound to organization and endpoint); several are valid during a rotation.
    create table webhook_secrets (
      id uuid primary key,
      endpoint_id uuid not null references webhook_endpoints on delete cascade,
      sealed text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz
    );
    create index webhook_secrets_of_endpoint on webhook_secrets (endpoint_id, created_at desc);

    -- An event for one endpoint. Partitioned by the event's id, that is by the event's month.
    create table webhook_dispatches (
      event_id uuid not null,
      endpoint_id uuid not null,
      org_id uuid not null,
      state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted', 'parked', 'discarded')),
      attempts integer not null default 0 check (attempts >= 0),
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      settled_at timestamptz,
      primary key (event_id, endpoint_id)
    ) partition by range (event_id);
    create index webhook_dispatches_due on webhook_dispatches (endpoint_id, due_at) where state = 'pending';
    create index webhook_dispatches_parked on webhook_dispatches (endpoint_id) where state = 'parked';

    -- One HTTP attempt: written before it is sent, settled after. Partitioned by month.
    create table webhook_deliveries (
      id uuid not null,
      org_id uuid not null,
      endpoint_id uuid not null,
      event_id uuid not null,
      event_type text not null,
      attempt integer not null check (attempt > 0),
      started_at timestamptz not null,
      settled_at timestamptz,
      outcome text check (outcome in ('delivered', 'failed')),
      error_class text,
      error_message text,
      response_status smallint,
      response_headers jsonb,
      response_snippet text,
      response_truncated boolean not null default false,
      timings jsonb,
      next_attempt_at timestamptz,
      primary key (id),
      check ((outcome is null) = (settled_at is null))
    ) partition by range (id);
    create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, id desc);
    create index webhook_deliveries_of_event on webhook_deliveries (event_id, id desc);

    select ensure_month_partitions(parent, now()::date, (now() + interval '3 months')::date)
      from unnest(array['events', 'webhook_dispatches', 'webhook_deliveries']) as parent;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table webhook_deliveries;
    drop table webhook_dispatches;
    drop table webhook_secrets;
    drop table webhook_endpoints;
    drop table events;
  `);
}
