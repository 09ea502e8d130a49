import type { Knex } from 'knex';

/** Evidence and profiles become coarse with their scans now; those of scans that are coarse already are walked once more. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`delete from retention_marks where rule = 'addresses'`);
}

export async function down(): Promise<void> {
  // What was forgotten stays forgotten, and the mark is where the rule has come to.
}
