import type { Knex } from 'knex';

const TABLES = ['scan_exports', 'unit_exports'];

export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES)
    await knex.raw(`alter table ${table} add column byte_order_mark boolean not null default false`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(`alter table ${table} drop column byte_order_mark`);
}
