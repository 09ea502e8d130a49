import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table batches
      -- Lots that printed codes may still name: GS1 codes carry the lot, and stay good when it is corrected (ADR 0107).
      add column former_lots text[] not null default '{}' check (cardinality(former_lots) <= 20),
      -- When lot or expiry changed last: what was printed before then says otherwise.
      add column relabelled_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table batches drop column former_lots, drop column relabelled_at');
}
