import type { Knex } from 'knex';

/**
 * A scan remembers that its diversion was told. Visitors' own positions with a large radius stood in their events for ever: all of
 * that age are walked once more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table scans add column diversion_told boolean;
    delete from retention_marks where rule = 'events';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table scans drop column diversion_told');
}
