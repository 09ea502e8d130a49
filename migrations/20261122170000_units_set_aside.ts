import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Until when scoring passes over a unit whose scans it could not score.
    alter table unit_risk_profiles add column scoring_held_until timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table unit_risk_profiles drop column scoring_held_until');
}
