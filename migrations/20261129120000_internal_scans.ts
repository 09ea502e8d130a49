import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table organizations
      -- CIDRs; null for none, as each verification reads it.
      add column internal_networks text[] check (cardinality(internal_networks) > 0);
    alter table scans
      -- Made from one of them: recorded, and neither judged nor counted.
      add column is_internal boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table scans drop column is_internal;
    alter table organizations drop column internal_networks;
  `);
}
