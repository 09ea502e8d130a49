import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- People's decisions on the unit before the one in force, oldest first, at most a hundred: [{"decision", "at"}]. A simulation
    -- heeds each from its time on. Those that were overwritten before this release are not known.
    alter table unit_risk_profiles add column earlier_decisions jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table unit_risk_profiles drop column earlier_decisions');
}
