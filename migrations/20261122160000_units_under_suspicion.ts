import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The few units under suspicion, newest first. Scoring leaves "state" as it was nearly always, so that its updates stay
    -- off this index.
    create index unit_risk_profiles_suspected on unit_risk_profiles (org_id, state, unit_id desc) where state <> 'clear';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index unit_risk_profiles_suspected');
}
