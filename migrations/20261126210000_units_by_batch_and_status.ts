import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The list of a batch's units, newest first: without it, all units that were minted since are read before those of a large, old batch.
    -- Units of a batch are minted in about this order, so that the index grows at one place.
    create index product_units_of_batch on product_units (batch_id, id desc);
    -- What most units are is found soon enough by the list's own order, and what was just minted is at its beginning: minting writes no entry.
    create index product_units_by_status on product_units (org_id, status, id desc) where status in ('suspended', 'voided');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index product_units_by_status; drop index product_units_of_batch');
}
