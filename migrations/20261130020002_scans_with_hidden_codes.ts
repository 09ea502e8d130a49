import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether the right hidden code was entered with the scan; null where none was.
    alter table scans add column hidden_code_correct boolean;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table scans drop column hidden_code_correct');
}
