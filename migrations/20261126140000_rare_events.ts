import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Events of one type among millions of scans. Those themselves are left out: they are found soon enough without it, and recording a scan
    -- writes no further index.
    create index events_of_type on events (org_id, type, id desc) where type <> 'scan.recorded';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index events_of_type');
}
