import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The position that the visitor's browser told, whether or not the rules heed it; one a scan.
    -- The check is not valid, so that no partition is read whole for columns that are empty in all of them.
    alter table scans
      add column claimed_lat double precision,
      add column claimed_lon double precision,
      add column claimed_accuracy_km real,
      add constraint scans_claimed check (
        (claimed_lat is null and claimed_lon is null and claimed_accuracy_km is null)
        or (claimed_lat between -90 and 90 and claimed_lon between -180 and 180 and claimed_accuracy_km >= 0)
      ) not valid;
    -- Scans of the last hour may be asked for their position still, and have told it already.
    update scans set claimed_lat = lat, claimed_lon = lon, claimed_accuracy_km = accuracy_km
     where place_source = 'gps' and id >= uuid_floor(now() - interval '1 hour');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table scans drop constraint scans_claimed, drop column claimed_lat, drop column claimed_lon,
      drop column claimed_accuracy_km;
  `);
}
