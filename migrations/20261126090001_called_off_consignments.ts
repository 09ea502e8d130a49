import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Unknown of those that were called off before.
    alter table consignments add column cancelled_at timestamptz,
      add constraint consignments_cancelled_at check (cancelled_at is null or status = 'cancelled');
    create index consignments_called_off on consignments (org_id, cancelled_at desc, id desc)
      where cancelled_at is not null and dispatched_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table consignments drop column cancelled_at');
}
