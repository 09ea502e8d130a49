import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints
      add column format text not null default 'event' check (format in ('event', 'slack', 'teams')),
      -- Of messages to a chat channel.
      add column language text not null default 'en';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table webhook_endpoints drop column format, drop column language');
}
