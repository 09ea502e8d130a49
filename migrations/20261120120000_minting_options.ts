import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Units of a chunk that are rendered while it is still pending: progress for people, no more than that.
    alter table barcode_job_chunks add column rendered integer not null default 0 check (rendered between 0 and units);

    alter table barcode_artifacts drop constraint barcode_artifacts_kind_check;
    alter table barcode_artifacts add constraint barcode_artifacts_kind_check
      check (kind in ('images', 'labels', 'codes', 'manifest'));

    -- Expired: nothing is given out any more. Removed: the files are gone too.
    alter table barcode_jobs
      add column artifacts_expired_at timestamptz,
      add column files_removed_at timestamptz,
      add check (files_removed_at is null or artifacts_expired_at is not null);
    create index barcode_jobs_with_files on barcode_jobs (finished_at)
      where finished_at is not null and files_removed_at is null;

    create table serial_uploads (
      id uuid primary key,
      org_id uuid not null,
      batch_id uuid not null,
      -- 'receiving' until every line is checked; an upload that is refused or breaks off is removed.
      state text not null check (state in ('receiving', 'ready')),
      serials integer not null default 0 check (serials >= 0),
      -- Each character that occurs, once, and one serial of each length: what a job's symbology is checked against.
      characters text not null default '',
      examples text[] not null default '{}',
      created_at timestamptz not null,
      foreign key (org_id, batch_id) references batches (org_id, id) on delete cascade
    );
    create unique index serial_uploads_one_ready on serial_uploads (batch_id) where state = 'ready';
    create index serial_uploads_unfinished on serial_uploads (created_at) where state = 'receiving';

    -- Written by COPY and read by ranges; no foreign key, for the reason that product_units has none.
    create table uploaded_serials (
      upload_id uuid not null,
      ordinal integer not null check (ordinal >= 0),
      line integer not null check (line > 0),
      serial text not null check (length(serial) between 1 and 20),
      primary key (upload_id, ordinal)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table uploaded_serials;
    drop table serial_uploads;
    drop index barcode_jobs_with_files;
    alter table barcode_jobs drop column files_removed_at, drop column artifacts_expired_at;
    delete from barcode_artifacts where kind = 'labels';
    alter table barcode_artifacts drop constraint barcode_artifacts_kind_check;
    alter table barcode_artifacts add constraint barcode_artifacts_kind_check check (kind in ('images', 'codes', 'manifest'));
    alter table barcode_job_chunks drop column rendered;
  `);
}
