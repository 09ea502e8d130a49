import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Made with the network's pseudonym, it goes with it.
    alter table counterfeit_reports alter column fingerprint drop not null;
    create index counterfeit_reports_pseudonyms on counterfeit_reports (created_at)
      where network_id is not null or fingerprint is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index counterfeit_reports_pseudonyms;
    -- No report has these words: they repeat none.
    update counterfeit_reports set fingerprint = sha256(convert_to(id::text, 'UTF8')) where fingerprint is null;
    alter table counterfeit_reports alter column fingerprint set not null;
  `);
}
