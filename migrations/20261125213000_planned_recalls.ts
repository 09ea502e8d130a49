import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The order of EPCIS events: a planned recall begins at its own time, one that is dated back when it was made.
    drop index recalls_begun;
    create index recalls_begun on recalls (org_id, greatest(created_at, starts_at) desc, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index recalls_begun;
    create index recalls_begun on recalls (org_id, created_at desc, id desc);
  `);
}
