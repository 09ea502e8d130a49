import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether the file holds what scans tell, as whoever asked for it could read that.
    alter table scan_exports add column with_scans boolean not null default true;
    -- As scan_exports; a table of its own, so that a worker of an earlier release takes none of them for an export of scans.
    create table unit_exports (like scan_exports including all, foreign key (org_id) references organizations);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table unit_exports; alter table scan_exports drop column with_scans');
}
