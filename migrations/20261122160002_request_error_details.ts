import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table request_errors
      -- What the answer said, where it named no fields; the service's own words, never what was sent.
      add column detail text,
      -- The fields that were refused, by name.
      add column paths text[] not null default '{}';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table request_errors drop column detail, drop column paths');
}
