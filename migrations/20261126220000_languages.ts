import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of the mails that a person gets.
    alter table users
      add column language text not null default 'en' check (language in ('en', 'de', 'fr', 'es', 'ja', 'ar'));
    -- Of the mail with the link, and of whoever uses it.
    alter table sign_ups
      add column language text not null default 'en' check (language in ('en', 'de', 'fr', 'es', 'ja', 'ar'));
    alter table invitations
      add column language text not null default 'en' check (language in ('en', 'de', 'fr', 'es', 'ja', 'ar'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table invitations drop column language;
    alter table sign_ups drop column language;
    alter table users drop column language;
  `);
}
