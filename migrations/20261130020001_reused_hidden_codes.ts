import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The first scan, since no copy was found, with which more visitors had entered the unit's hidden code than one package explains.
    alter table unit_risk_profiles add column hidden_code_reused_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table unit_risk_profiles drop column hidden_code_reused_at');
}
