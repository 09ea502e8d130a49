import type { Knex } from 'knex';

/** A scan remembers that its diversion was told. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table scans add column diversion_told boolean');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table scans drop column diversion_told');
}
