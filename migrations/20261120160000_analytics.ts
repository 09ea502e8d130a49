import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What happened, counted, written in the transaction of the fact and folded into the roll-ups soon after. Rows are
    -- only added and removed, so that no two facts wait for each other's counter.
    create table analytics_deltas (
      id bigint generated always as identity primary key,
      org_id uuid not null,
      product_id uuid not null,
      -- A quarter of an hour: the finest step by which time zones differ.
      quarter timestamptz not null,
      kind text not null check (kind in ('scan', 'first_scan', 'minted', 'activated')),
      result text not null default '',
      country text not null default '',
      -- One degree by one degree, numbered from the south-west: (lat + 90) * 360 + (lon + 180); -1 without a place.
      cell integer not null default -1 check (cell between -1 and 64799),
      amount integer not null check (amount <> 0)
    );

    -- Each roll-up has a row for the product and one for all products together (the zero UUID).
    create table activity_rollups (
      org_id uuid not null,
      product_id uuid not null,
      quarter timestamptz not null,
      kind text not null,
      result text not null,
      amount bigint not null,
      primary key (org_id, product_id, kind, quarter, result)
    );
    create index activity_rollups_by_time on activity_rollups (org_id, kind, quarter);
    create table country_rollups (
      org_id uuid not null,
      product_id uuid not null,
      quarter timestamptz not null,
      country text not null,
      result text not null,
      amount bigint not null,
      primary key (org_id, product_id, quarter, country, result)
    );
    create table cell_rollups (
      org_id uuid not null,
      product_id uuid not null,
      day date not null,
      cell integer not null,
      result text not null,
      amount bigint not null,
      primary key (org_id, product_id, day, cell, result)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table cell_rollups;
    drop table country_rollups;
    drop table activity_rollups;
    drop table analytics_deltas;
  `);
}
