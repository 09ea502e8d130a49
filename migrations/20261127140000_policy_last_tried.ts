import type { Knex } from 'knex';

/** Overviews count decisions since a policy was tried, for longer than the trial itself is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table organizations add column risk_policy_tried_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table organizations drop column risk_policy_tried_at');
}
