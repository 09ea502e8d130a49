import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table counterfeit_reports
      -- Public id of the user or the key that said afterwards which unit or product it is; null where nobody did.
      add column identified_by text;
  `);
}

/** What people found out of a report stays with it. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table counterfeit_reports drop column identified_by`);
}
