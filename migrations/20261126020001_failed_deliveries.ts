import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Failed attempts among millions that succeeded. By the error's class and not by the outcome: an attempt that succeeds leaves that
    -- column as it was, so that settling it still writes no index (a HOT update, see docs/adr/0073).
    create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id desc) where error_class is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index webhook_deliveries_failed');
}
