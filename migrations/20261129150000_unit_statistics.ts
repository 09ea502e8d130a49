import type { Knex } from 'knex';

/**
 * Postgres counts a table anew when a tenth of it has changed. Of fifty million units that is five million, and until then it takes those
 * of a new organization for one: it then reads all of them for each page. 100,000 are read in a fifth of a second, and counting
 * looks at 30,000 rows however many there are.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table product_units set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table product_units reset (autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)',
  );
}
