import type { Knex } from 'knex';

/** An outage of the storage is waited for longer than any other error of an export, so its failures are counted apart. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table scan_exports add column storage_failures integer not null default 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table scan_exports drop column storage_failures');
}
