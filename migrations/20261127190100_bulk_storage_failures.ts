import type { Knex } from 'knex';

/** An outage of the storage is waited for longer than any other error of a job that reads its list, so its failures are counted apart. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table bulk_jobs add column storage_failures smallint not null default 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table bulk_jobs drop column storage_failures');
}
