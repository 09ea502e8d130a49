import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The smallest id of the unit's unscored scans. With it the waiting scans are found through scans_of_unit, in the one
    -- or two partitions that they are in, whatever the clocks say; an index of their own cost every scan an entry more.
    alter table unit_risk_profiles add column unscored_from uuid;
    update unit_risk_profiles set unscored_from = '00000000-0000-0000-0000-000000000000' where unscored_since is not null;
    alter table unit_risk_profiles
      add constraint unit_risk_profiles_waiting check ((unscored_since is null) = (unscored_from is null));
    drop index scans_unscored;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index scans_unscored on scans (unit_id, id) where assessment = 'preliminary';
    alter table unit_risk_profiles drop column unscored_from;
  `);
}
