import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column alert_mails text not null default 'daily' check (alert_mails in ('hourly', 'daily', 'never')),
      -- What is older is told, or was there before the person was.
      add column alerts_told_until timestamptz not null default now(),
      -- When the last such mail was posted.
      add column alerted_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table users drop column alert_mails, drop column alerts_told_until, drop column alerted_at',
  );
}
