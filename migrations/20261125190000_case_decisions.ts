import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Every decision on a case: the case itself has the one in force.
    create table risk_case_decisions (
      id uuid primary key,
      org_id uuid not null,
      case_id uuid not null,
      unit_id uuid not null,
      decision text not null check (decision in ('confirmed', 'dismissed')),
      closing_reason text not null,
      -- Public id of a user or key; null for those of before this table.
      author text,
      at timestamptz not null,
      foreign key (org_id, case_id) references risk_cases (org_id, id) on delete cascade
    );
    create index risk_case_decisions_of_case on risk_case_decisions (case_id, id);
    create index risk_case_decisions_of_unit on risk_case_decisions (unit_id, at);

    -- Those that were corrected before are in the audit log alone.
    insert into risk_case_decisions (id, org_id, case_id, unit_id, decision, closing_reason, at)
    select id, org_id, id, unit_id, status, closing_reason, closed_at from risk_cases where closed_at is not null;

    -- With those that a release before this one makes, beside it.
    create view every_case_decision as
    select id, org_id, case_id, unit_id, decision, closing_reason, author, at from risk_case_decisions
     union all
    select id, org_id, id, unit_id, status, closing_reason, null, closed_at
      from risk_cases c
     where closed_at is not null
       and not exists (select 1 from risk_case_decisions d where d.case_id = c.id and d.at = c.closed_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop view every_case_decision; drop table risk_case_decisions');
}
