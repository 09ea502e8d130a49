import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How often somebody looked at an organization's units after the first visitor (looks), and how often in a session that was known
    -- (known); see shared/risk/audience.ts. Profiles of before do not tell, so it is counted from now on. What scorers add may be negative.
    alter table organization_audiences
      add column looks bigint not null default 0,
      add column known bigint not null default 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table organization_audiences drop column looks, drop column known');
}
