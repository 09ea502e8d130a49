import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- When its owner used the unit up. No state: a bottle that was drunk may be suspended or recalled all the same.
    alter table product_units add column consumed_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table product_units drop column consumed_at');
}
