import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The first scan, since no copy was found, with which more visitors had come with used taps of the unit's tag than one package explains.
    alter table unit_risk_profiles add column nfc_tap_replayed_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table unit_risk_profiles drop column nfc_tap_replayed_at');
}
