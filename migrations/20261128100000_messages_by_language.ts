import type { Knex } from 'knex';

/** What an organization tells all of its consumers, by language, as recalls do; `consumer_message` is for all other languages. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table organizations
    add column consumer_messages jsonb check (jsonb_typeof(consumer_messages) = 'object')`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table organizations drop column consumer_messages');
}
