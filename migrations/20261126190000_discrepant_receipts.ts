import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether what was told of its receipt differs from what was sent; false before anything was told.
    alter table consignments add column has_discrepancy boolean not null generated always as
      (coalesce(missing_count > 0 or damaged_count > 0 or counted <> unit_count, false)) stored;
    -- For what needs attention: the few of the last days among all that ever arrived.
    create index consignments_discrepant on consignments (org_id, received_at desc) where has_discrepancy;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table consignments drop column has_discrepancy');
}
