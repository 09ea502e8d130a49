import type { Knex } from 'knex';

/** Overviews ask how many of the cases closed lately were dismissed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index risk_cases_closed on risk_cases (org_id, closed_at desc) where closed_at is not null',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index risk_cases_closed');
}
