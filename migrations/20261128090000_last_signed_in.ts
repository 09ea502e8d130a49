import type { Knex } from 'knex';

/** Of sessions that are deleted: of the others they say it themselves. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table users add column last_signed_in_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column last_signed_in_at');
}
