import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Null where a file may lie: also for those that expired before this column, whose removal may have failed.
    alter table scan_exports add column files_removed_at timestamptz;
    drop index scan_exports_to_expire;
    create index scan_exports_to_clear on scan_exports (finished_at) where files_removed_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index scan_exports_to_clear;
    alter table scan_exports drop column files_removed_at;
    create index scan_exports_to_expire on scan_exports (finished_at) where expired_at is null;
  `);
}
