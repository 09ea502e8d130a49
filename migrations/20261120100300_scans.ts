import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The smallest UUIDv7 of a moment. Partitions are ranges of ids, so that a look-up by id prunes to one of them.
    create function uuid_floor(at timestamptz) returns uuid language sql immutable strict parallel safe as
      $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid $$;

    -- Makes the monthly partitions (UTC) of a table from one month to another, both included. Attaching takes a
    -- weaker lock than "create table … partition of", so scans go on meanwhile.
    create function ensure_month_partitions(parent text, from_month date, to_month date) returns integer
    language plpgsql as $$
    declare
      month date := date_trunc('month', from_month)::date;
      partition text;
      made integer := 0;
    begin
      perform pg_advisory_xact_lock(hashtext('partitions:' || parent));
      while month <= to_month loop
        partition := parent || '_' || to_char(month, 'YYYY_MM');
        if to_regclass(partition) is null then
          execute format('create table %I (like %I including all)', partition, parent);
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition,
            uuid_floor(month::timestamp at time zone 'UTC'),
            uuid_floor((month + interval '1 month')::timestamp at time zone 'UTC'));
          made := made + 1;
        end if;
        month := (month + interval '1 month')::date;
      end loop;
      return made;
    end $$;

    create table scans (
      id uuid not null,
      org_id uuid not null,
      unit_id uuid not null,
      product_id uuid not null,
      batch_id uuid not null,
      at timestamptz not null,
      session_id text,
      network_id text,
      ip inet,
      user_agent text check (length(user_agent) <= 512),
      country text check (country ~ '^[A-Z]{2}$'),
      lat double precision check (lat between -90 and 90),
      lon double precision check (lon between -180 and 180),
      accuracy_km real check (accuracy_km >= 0),
      place_source text,
      result text not null check (result in ('genuine', 'suspicious', 'diverted', 'suspended', 'recalled', 'expired', 'inactive')),
      assessment text not null default 'preliminary' check (assessment in ('preliminary', 'final')),
      risk_level text not null,
      risk_score smallint not null check (risk_score between 0 and 100),
      signals jsonb not null default '[]',
      check ((lat is null) = (lon is null)),
      primary key (id)
    ) partition by range (id);
    create index scans_newest on scans (org_id, id desc);
    create index scans_of_unit on scans (unit_id, id desc);
    create index scans_unscored on scans (unit_id, id) where assessment = 'preliminary';

    -- What scoring knows of a unit; also the lock that puts its scans in order. Made by the unit's first scan.
    create table unit_risk_profiles (
      unit_id uuid primary key,
      org_id uuid not null,
      state text not null default 'clear' check (state in ('clear', 'suspect', 'confirmed')),
      scan_count integer not null default 0 check (scan_count >= 0),
      first_scanned_at timestamptz,
      last_scanned_at timestamptz,
      profile jsonb,
      unscored_since timestamptz
    );
    -- Few rows at any moment: those that wait for a worker.
    create index unit_risk_profiles_unscored on unit_risk_profiles (unscored_since) where unscored_since is not null;

    select ensure_month_partitions('scans', now()::date, (now() + interval '3 months')::date);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table unit_risk_profiles;
    drop table scans;
    drop function ensure_month_partitions;
    drop function uuid_floor;
  `);
}
