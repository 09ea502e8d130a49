import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table barcode_jobs (
      id uuid primary key,
      org_id uuid not null,
      batch_id uuid not null,
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
      symbology text not null,
      formats text[] not null check (cardinality(formats) > 0),
      options jsonb not null default '{}',
      activate boolean not null default false,
      total integer not null check (total > 0),
      error jsonb,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled'))),
      foreign key (org_id, batch_id) references batches (org_id, id),
      unique (org_id, id)
    );
    create index barcode_jobs_newest on barcode_jobs (org_id, id desc);
    create index barcode_jobs_of_batch on barcode_jobs (batch_id, id desc);
    -- One job at a time mints a batch; a second one waits for its end.
    create unique index barcode_jobs_one_open on barcode_jobs (batch_id) where status in ('queued', 'running');
    create index barcode_jobs_open on barcode_jobs (id) where status in ('queued', 'running');

    create table barcode_job_chunks (
      job_id uuid not null references barcode_jobs on delete cascade,
      index integer not null check (index >= 0),
      -- 'units' mints and renders a range of ordinals; 'assemble', the last one, joins the parts and ends the job.
      kind text not null check (kind in ('units', 'assemble')),
      first_ordinal integer not null check (first_ordinal >= 0),
      units integer not null check (units >= 0),
      state text not null default 'pending' check (state in ('pending', 'done')),
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      attempts integer not null default 0,
      last_error text,
      minted integer check (minted between 0 and units),
      done_at timestamptz,
      primary key (job_id, index),
      check ((state = 'done') = (done_at is not null))
    );
    create index barcode_job_chunks_due on barcode_job_chunks (job_id, due_at) where state = 'pending';

    create table barcode_artifacts (
      id uuid primary key,
      org_id uuid not null,
      job_id uuid not null,
      kind text not null check (kind in ('images', 'codes', 'manifest')),
      name text not null check (name ~ '^[a-z0-9][a-z0-9.-]{0,99}$'),
      media_type text not null,
      bytes bigint not null check (bytes >= 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      storage_key text not null,
      created_at timestamptz not null default now(),
      foreign key (org_id, job_id) references barcode_jobs (org_id, id) on delete cascade,
      unique (job_id, name)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table barcode_artifacts;
    drop table barcode_job_chunks;
    drop table barcode_jobs;
  `);
}
