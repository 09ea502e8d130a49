import type { Knex } from 'knex';

/** Coarser roll-ups beside the quarters, so that a long range reads few rows. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Nothing is folded while history is copied.
    lock table analytics_deltas, activity_rollups, country_rollups, cell_rollups in share row exclusive mode;

    -- The days (UTC) of activity_rollups and of country_rollups.
    create table activity_days (
      org_id uuid not null,
      product_id uuid not null,
      day date not null,
      kind text not null,
      result text not null,
      amount bigint not null
    );
    create table country_days (
      org_id uuid not null,
      product_id uuid not null,
      day date not null,
      country text not null,
      result text not null,
      amount bigint not null
    );
    -- Scans by hour, each dimension for itself: 'scans' (all of them), 'result/genuine' …, 'country/DE' …, 'country/' (unknown).
    -- The series comes before the time: the few that a chart shows are read without the others.
    create table series_hours (
      org_id uuid not null,
      product_id uuid not null,
      series text not null,
      hour timestamptz not null,
      amount bigint not null
    );
    -- Weeks begin on Monday.
    create table cell_weeks (
      org_id uuid not null,
      product_id uuid not null,
      week date not null,
      cell integer not null,
      result text not null,
      amount bigint not null
    );

    insert into activity_days
    select org_id, product_id, (quarter at time zone 'UTC')::date, kind, result, sum(amount)
      from activity_rollups group by 1, 2, 3, 4, 5;
    insert into country_days
    select org_id, product_id, (quarter at time zone 'UTC')::date, country, result, sum(amount)
      from country_rollups group by 1, 2, 3, 4, 5;
    insert into series_hours
    select org_id, product_id, s.series, date_trunc('hour', quarter, 'UTC'), sum(amount)
      from activity_rollups cross join lateral (values ('scans'), ('result/' || result)) as s (series)
     where kind = 'scan' group by 1, 2, 3, 4
    union all
    select org_id, product_id, 'country/' || country, date_trunc('hour', quarter, 'UTC'), sum(amount)
      from country_rollups group by 1, 2, 3, 4;
    insert into cell_weeks
    select org_id, product_id, date_trunc('week', day::timestamp)::date, cell, result, sum(amount)
      from cell_rollups group by 1, 2, 3, 4, 5;

    -- Now, because an index is made faster than it is kept.
    alter table activity_days add primary key (org_id, product_id, kind, day, result);
    alter table country_days add primary key (org_id, product_id, day, country, result);
    alter table series_hours add primary key (org_id, product_id, series, hour);
    alter table cell_weeks add primary key (org_id, product_id, week, cell, result);
    create index activity_days_by_time on activity_days (org_id, kind, day);

    -- A worker of the release before would fold into the quarters alone. What it cannot write to stops it: its statement
    -- fails, the deltas wait for a worker of this release. What still reads the old name is answered meanwhile.
    alter table cell_rollups rename to cell_days;
    alter table cell_days rename constraint cell_rollups_pkey to cell_days_pkey;
    create view cell_rollups as select * from cell_days offset 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop view cell_rollups;
    alter table cell_days rename constraint cell_days_pkey to cell_rollups_pkey;
    alter table cell_days rename to cell_rollups;
    drop table cell_weeks;
    drop table series_hours;
    drop table country_days;
    drop table activity_days;
  `);
}
