import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Rounds of a job's parts that ended in the storage, one after another: of the job and not of a part, as they all wait for the same.
    alter table barcode_jobs
      add column storage_failures smallint not null default 0 check (storage_failures >= 0),
      -- Until then no part is given out.
      add column storage_due_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table barcode_jobs drop column storage_failures, drop column storage_due_at');
}
