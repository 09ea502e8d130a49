import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What waits for a person, for the overview: few rows of each organization.
    create index risk_cases_waiting on risk_cases (org_id, id desc) where status in ('open', 'investigating');
    create index counterfeit_reports_waiting on counterfeit_reports (org_id, id desc) where status = 'open';
    create index consignments_under_way on consignments (org_id, dispatched_at) where status = 'dispatched';

    -- The moment in a UUIDv7.
    create function uuid_time(id uuid) returns timestamptz language sql immutable strict parallel safe as
      $$ select to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) $$;

    -- Changes of a unit's state after it was first activated, which \`activated_at\` tells.
    create table unit_transitions (
      id uuid primary key,
      unit_id uuid not null,
      org_id uuid not null,
      status text not null check (status in ('active', 'suspended')),
      at timestamptz not null
    );
    create index unit_transitions_of_unit on unit_transitions (unit_id, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table unit_transitions;
    drop function uuid_time;
    drop index consignments_under_way;
    drop index counterfeit_reports_waiting;
    drop index risk_cases_waiting;
  `);
}
