import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What is listed in an event's data is always there, null where it was not told.
    update events set data = data || '{"counted": null}' where type = 'consignment.received' and not jsonb_exists(data, 'counted')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`update events set data = data - 'counted' where type = 'consignment.received'`);
}
