import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Profiles tell when a unit was last suspicious. Of those with an open case, which are few, it is known from there; the others' scans
    -- tell it from now on.
    update unit_risk_profiles p
       set profile = p.profile || jsonb_build_object('suspectedAt', floor(extract(epoch from uuid_time(c.last_scan_id)) * 1000))
      from risk_cases c
     where c.unit_id = p.unit_id and c.closed_at is null and p.profile is not null
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `update unit_risk_profiles set profile = profile - 'suspectedAt' where jsonb_exists(profile, 'suspectedAt')`,
  );
}
