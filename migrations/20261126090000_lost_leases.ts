import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Leases of a part that ran out one after another, with nothing heard of their workers: beyond a few of them the part is what ends them.
    alter table barcode_job_chunks add column lost_leases smallint not null default 0 check (lost_leases >= 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table barcode_job_chunks drop column lost_leases');
}
