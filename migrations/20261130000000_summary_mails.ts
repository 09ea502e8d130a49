import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column summary_mails text not null default 'never' check (summary_mails in ('weekly', 'never')),
      -- The end of the last week that was told, or the beginning of that in which the person asked to be told.
      add column summarized_until timestamptz not null default now();
    create index users_to_summarize on users (org_id, id) where summary_mails <> 'never';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop index users_to_summarize; alter table users drop column summary_mails, drop column summarized_until',
  );
}
