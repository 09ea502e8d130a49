import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- When consignment.recalled was sent: when the recall begins, so a planned one waits for it.
    alter table recalls add column told_at timestamptz;
    -- Until now it was sent when a recall was made, planned or not.
    update recalls set told_at = created_at where scope = 'consignment';
    create index recalls_untold on recalls (starts_at) where scope = 'consignment' and told_at is null and lifted_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index recalls_untold; alter table recalls drop column told_at;');
}
