import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How many people an organization's units meet: how often one had two, three or four visitors (chances), and how often
    -- another one came after that (met). What one more visitor says of a unit depends on it; see shared/risk/audience.ts.
    -- What scorers add may be negative, or have more met than chances, and a check would look at that before the sum.
    create table organization_audiences (
      org_id uuid primary key references organizations on delete cascade,
      chances bigint not null,
      met bigint not null
    );
    insert into organization_audiences (org_id, chances, met)
    select org_id, sum(least(3, visitors - 1)), sum(least(3, visitors - 2))
      from (select org_id, (profile->>'visitors')::integer as visitors from unit_risk_profiles where profile is not null) as met
     where visitors >= 2
     group by org_id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table organization_audiences');
}
