import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints
      add column concurrency smallint check (concurrency between 1 and 100),
      add column rate_per_second smallint check (rate_per_second between 1 and 10000),
      add column fifo boolean not null default false,
      add column retry_delays integer[] check (cardinality(retry_delays) <= 30),
      -- Headers may hold a credential of the receiver's: sealed as the secrets are; the names alone are shown.
      add column header_names text[] not null default '{}',
      add column sealed_headers text,
      add column product_ids uuid[] check (cardinality(product_ids) between 1 and 100),
      -- One worker at a time serves an endpoint; with it, its concurrency and order hold over all processes.
      add column served_by uuid,
      add column served_until timestamptz,
      -- The token bucket of rate_per_second: tokens left at that time.
      add column rate_tokens double precision not null default 0,
      add column rate_at timestamptz,
      -- FIFO: the dispatch in front failed, and nothing overtakes it until then.
      add column held_until timestamptz,
      add column tested_at timestamptz,
      add check ((sealed_headers is null) = (cardinality(header_names) = 0)),
      add check ((served_by is null) = (served_until is null));

    alter table webhook_deliveries
      add column request_headers jsonb,
      -- A probe of an open circuit spends none of its event's attempts.
      add column is_probe boolean not null default false;

    -- Whether a dispatch is parked follows from its endpoint's circuit: opening and closing one rewrites no row.
    update webhook_dispatches set state = 'pending' where state = 'parked';
    drop index webhook_dispatches_parked;
    drop index webhook_dispatches_due;
    create index webhook_dispatches_due on webhook_dispatches (endpoint_id, due_at, event_id) where state = 'pending';
    alter table webhook_dispatches drop constraint webhook_dispatches_state_check,
      add constraint webhook_dispatches_state_check check (state in ('pending', 'delivered', 'exhausted', 'discarded'));

    -- What a person has to be told; whoever sends mail or keeps the audit log takes it from here.
    create table webhook_notices (
      id uuid primary key,
      org_id uuid not null references organizations,
      endpoint_id uuid not null references webhook_endpoints,
      kind text not null check (kind in ('webhook_endpoint.warned', 'webhook_endpoint.disabled')),
      data jsonb not null,
      created_at timestamptz not null,
      taken_at timestamptz
    );
    create index webhook_notices_waiting on webhook_notices (id) where taken_at is null;
    create index webhook_notices_of_endpoint on webhook_notices (endpoint_id, id desc);

    -- A recovery walks over the organization's events since a time and makes dispatches of those that did not arrive.
    create table webhook_recoveries (
      id uuid primary key,
      org_id uuid not null references organizations,
      endpoint_id uuid not null references webhook_endpoints,
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'cancelled')),
      since timestamptz not null,
      until timestamptz not null,
      rate_per_second smallint not null check (rate_per_second between 1 and 1000),
      -- The last event that was looked at.
      cursor_event_id uuid not null,
      total integer check (total >= 0),
      examined integer not null default 0 check (examined >= 0),
      recovered integer not null default 0 check (recovered >= 0),
      due_at timestamptz,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      check ((status in ('queued', 'running')) = (due_at is not null)),
      check ((status in ('completed', 'cancelled')) = (finished_at is not null)),
      check (since < until),
      check (recovered <= examined)
    );
    create unique index webhook_recoveries_open on webhook_recoveries (endpoint_id) where due_at is not null;
    create index webhook_recoveries_due on webhook_recoveries (due_at) where due_at is not null;
    create index webhook_recoveries_newest on webhook_recoveries (endpoint_id, id desc);

    -- Drops the monthly partitions of a table that end at that day or before. It waits at most 200 ms for the
    -- lock, for whoever comes behind it waits as well: the next round tries again.
    create function drop_month_partitions(parent text, until_day date) returns integer
    language plpgsql as $$
    declare
      partition text;
      dropped integer := 0;
    begin
      perform set_config('lock_timeout', '200ms', true);
      for partition in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\\d{4}_\\d{2}$')
           and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= until_day
         order by c.relname
      loop
        execute format('drop table %I', partition);
        dropped := dropped + 1;
      end loop;
      return dropped;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function drop_month_partitions;
    drop table webhook_recoveries;
    drop table webhook_notices;
    alter table webhook_dispatches drop constraint webhook_dispatches_state_check,
      add constraint webhook_dispatches_state_check
        check (state in ('pending', 'delivered', 'exhausted', 'parked', 'discarded'));
    drop index webhook_dispatches_due;
    create index webhook_dispatches_due on webhook_dispatches (endpoint_id, due_at) where state = 'pending';
    create index webhook_dispatches_parked on webhook_dispatches (endpoint_id) where state = 'parked';
    alter table webhook_deliveries drop column request_headers, drop column is_probe;
    alter table webhook_endpoints
      drop column concurrency, drop column rate_per_second, drop column fifo, drop column retry_delays,
      drop column header_names, drop column sealed_headers, drop column product_ids, drop column served_by,
      drop column served_until, drop column rate_tokens, drop column rate_at, drop column held_until,
      drop column tested_at;
  `);
}
