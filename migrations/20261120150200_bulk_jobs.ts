import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row is a job over many units. It is done a slice at a time; each slice's effect and the cursor behind it commit
    -- together, so a job resumes where it stopped.
    create table bulk_jobs (
      id uuid primary key,
      org_id uuid not null references organizations,
      action text not null check (action in ('activate', 'suspend', 'recall', 'lift-recall', 'consign', 'preview-recall')),
      source jsonb not null,
      params jsonb not null default '{}',
      -- Of a consignment that units are added to.
      consignment_id uuid,
      phase text not null check (phase in ('load', 'work', 'undo')),
      status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
      total integer check (total >= 0),
      done integer not null default 0,
      changed integer not null default 0,
      unchanged integer not null default 0,
      refused integer not null default 0,
      cursor text,
      problems jsonb not null default '[]',
      result jsonb not null default '{}',
      error jsonb,
      due_at timestamptz not null,
      lease_until timestamptz,
      lease_epoch integer not null default 0,
      attempts integer not null default 0,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      check ((finished_at is not null) = (status in ('completed', 'failed'))),
      check ((action = 'consign') = (consignment_id is not null)),
      foreign key (org_id, consignment_id) references consignments (org_id, id),
      unique (org_id, id)
    );
    create index bulk_jobs_newest on bulk_jobs (org_id, id desc);
    create index bulk_jobs_open on bulk_jobs (due_at) where status in ('queued', 'running');
    -- One list at a time is added to a consignment.
    create unique index bulk_jobs_one_open on bulk_jobs (consignment_id) where status in ('queued', 'running');

    -- The lines of a list that a job works through; without a foreign key, as COPY would check it for each line.
    create table bulk_job_items (
      job_id uuid not null,
      line integer not null check (line > 0),
      ref text not null,
      -- What the unit is found by: its UUID, its serial, or its code in hexadecimal; null for a line that is not valid.
      key text,
      problem text,
      primary key (job_id, line),
      check ((key is null) = (problem is not null))
    );

    -- Files that were put into the storage and belong to no row yet; maintenance removes what stays.
    create table storage_intake (
      prefix text primary key,
      created_at timestamptz not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table storage_intake;
    drop table bulk_job_items;
    drop table bulk_jobs;
  `);
}
