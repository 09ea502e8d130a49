import type { Knex } from 'knex';

/** Who chose nothing keeps scans and events as long as the installation, also where that is longer than its default. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The most that the columns take: no installation keeps longer, and an earlier release reads it in the same way.
    alter table organizations
      alter column scan_retention_days set default 3650,
      alter column event_retention_days set default 3650;
    -- The defaults of before, which nobody had to choose.
    update organizations set scan_retention_days = 3650 where scan_retention_days = 730;
    update organizations set event_retention_days = 3650 where event_retention_days = 90;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update organizations set scan_retention_days = 730 where scan_retention_days = 3650;
    update organizations set event_retention_days = 90 where event_retention_days = 3650;
    alter table organizations
      alter column scan_retention_days set default 730,
      alter column event_retention_days set default 90;
  `);
}
