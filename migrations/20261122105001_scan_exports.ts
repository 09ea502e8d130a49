import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row is one file of scans, written by a worker. The file appears whole or not at all: whoever takes an export over
    -- from a worker that died writes it anew.
    create table scan_exports (
      id uuid primary key,
      org_id uuid not null references organizations,
      format text not null check (format in ('csv', 'ndjson')),
      -- As the caller gave them; times as text.
      filter jsonb not null check (jsonb_typeof(filter) = 'object'),
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      total bigint check (total >= 0),
      done bigint not null default 0 check (done >= 0),
      bytes bigint check (bytes >= 0),
      sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
      error jsonb,
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      attempts integer not null default 0,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      expired_at timestamptz,
      check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled'))),
      check ((status = 'completed') = (sha256 is not null) and (sha256 is null) = (bytes is null)),
      unique (org_id, id)
    );
    create index scan_exports_newest on scan_exports (org_id, id desc);
    create index scan_exports_open on scan_exports (due_at) where status in ('queued', 'running');
    create index scan_exports_to_expire on scan_exports (finished_at) where expired_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table scan_exports');
}
