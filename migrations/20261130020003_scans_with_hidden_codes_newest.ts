import type { Knex } from 'knex';

/** The list's filter for scans with which a hidden code was entered: they are few among all. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index scans_by_hidden_code on scans (org_id, hidden_code_correct, at desc, id desc) where hidden_code_correct is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index scans_by_hidden_code');
}
