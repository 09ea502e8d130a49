import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How often somebody looked at an organization's units after the first visitor (looks), and how often it was somebody known (known);
    -- see shared/risk/audience.ts. What scorers add may be negative.
    alter table organization_audiences
      add column looks bigint not null default 0,
      add column known bigint not null default 0;
    insert into organization_audiences as a (org_id, chances, met, looks, known)
    select org_id, 0, 0, sum(least(3, greatest(0, jsonb_array_length(recent) - 1)) + known), sum(known)
      from (select org_id, profile->'recent' as recent,
                   least(3, (select count(*) from jsonb_array_elements(profile->'recent') visitor where (visitor->>4)::integer >= 10)) as known
              from unit_risk_profiles where profile is not null) as met
     group by org_id
    having sum(jsonb_array_length(recent) + known) > count(*)
        on conflict (org_id) do update set looks = excluded.looks, known = excluded.known;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table organization_audiences drop column looks, drop column known');
}
