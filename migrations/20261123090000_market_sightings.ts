import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What was scored before, with the markets of today. Before the tables, whose foreign keys lock the organizations.
    create temporary table seen on commit drop as
    select org_id, case when country = any(markets) then null else country end as country, markets
      from (select r.org_id, r.profile->>'seenIn' as country,
                   array(select distinct market collate "C"
                           from unnest(coalesce(s.expected_markets, b.markets, p.markets)) as market order by 1) as markets
              from unit_risk_profiles r
              join product_units u on u.org_id = r.org_id and u.id = r.unit_id
              join batches b on b.id = u.batch_id
              join products p on p.id = u.product_id
              join lateral unit_supply(u.id, u.batch_id, u.product_id) s on true
             where r.profile->'seenIn' is not null) as scored
     where markets <> '{}';
    analyze seen;

    -- Where an organization's units were first seen, by their markets: asked about a unit while too few of its batch were seen.
    -- Each counts once, as in batch_sightings, with the markets that it had when it was.
    create table market_sightings (
      org_id uuid not null references organizations on delete cascade,
      -- Sorted, with commas: AT,DE. Units without markets are not counted.
      markets text not null,
      units integer not null,
      -- Country outside the markets → units first seen there.
      outside jsonb not null default '{}' check (jsonb_typeof(outside) = 'object'),
      primary key (org_id, markets)
    );
    -- The same of all its units, and how many of them are sold in a country.
    create table organization_sightings (
      org_id uuid primary key references organizations on delete cascade,
      units integer not null,
      outside jsonb not null default '{}' check (jsonb_typeof(outside) = 'object'),
      sold_in jsonb not null default '{}' check (jsonb_typeof(sold_in) = 'object')
    );

    insert into market_sightings (org_id, markets, units, outside)
    select org_id, array_to_string(markets, ','), sum(units), coalesce(jsonb_object_agg(country, units) filter (where country is not null), '{}')
      from (select org_id, markets, country, count(*) as units from seen group by org_id, markets, country) as counted
     group by org_id, markets;

    insert into organization_sightings (org_id, units, outside, sold_in)
    select org_id, sum(units), coalesce(jsonb_object_agg(country, units) filter (where country is not null), '{}'), sold_in
      from (select org_id, country, count(*) as units from seen group by org_id, country) as by_country
      join (select org_id, jsonb_object_agg(market, units) as sold_in
              from (select org_id, market, count(*) as units from seen, unnest(markets) as market group by org_id, market) as by_market
             group by org_id) as sold using (org_id)
     group by org_id, sold_in;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table organization_sightings, market_sightings');
}
