import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- How often a scan was scored for good: a second time when its visitor adds a position.
    alter table scans add column scorings smallint not null default 0;
    -- Finds the scan that a visitor made a moment ago. JSON clients have no session and cost nothing here.
    create index scans_of_session on scans (session_id, id desc) where session_id is not null;

    -- A person's decision stands beside what scoring finds; neither overwrites the other.
    alter table unit_risk_profiles
      add column decision text check (decision in ('dismissed', 'confirmed')),
      add column decided_at timestamptz,
      add column last_alert_at timestamptz,
      add column held_alerts integer not null default 0 check (held_alerts >= 0),
      add constraint unit_risk_profiles_decided check ((decision is null) = (decided_at is null));

    -- What an organization, or one of its products, changed about the rules.
    create table risk_policies (
      org_id uuid not null references organizations,
      product_id uuid,
      policy jsonb not null check (jsonb_typeof(policy) = 'object'),
      alert_cooldown_minutes integer check (alert_cooldown_minutes between 0 and 10080),
      updated_at timestamptz not null,
      foreign key (org_id, product_id) references products (org_id, id),
      constraint risk_policies_one unique nulls not distinct (org_id, product_id)
    );

    create table risk_cases (
      id uuid primary key,
      org_id uuid not null references organizations,
      unit_id uuid not null,
      product_id uuid not null,
      batch_id uuid not null,
      status text not null default 'open' check (status in ('open', 'investigating', 'confirmed', 'dismissed')),
      closing_reason text,
      assignee_id uuid,
      suspicious_scans integer not null check (suspicious_scans > 0),
      max_score smallint not null check (max_score between 0 and 100),
      signals text[] not null,
      first_scan_id uuid not null,
      last_scan_id uuid not null,
      opened_at timestamptz not null,
      updated_at timestamptz not null,
      closed_at timestamptz,
      check ((closed_at is not null) = (status in ('confirmed', 'dismissed'))),
      check ((closing_reason is not null) = (status in ('confirmed', 'dismissed'))),
      foreign key (org_id, assignee_id) references users (org_id, id),
      unique (org_id, id)
    );
    create index risk_cases_newest on risk_cases (org_id, id desc);
    create index risk_cases_of_unit on risk_cases (unit_id, id desc);
    -- Everything suspicious about a unit gathers in one case until somebody closes it.
    create unique index risk_cases_one_open on risk_cases (unit_id) where status in ('open', 'investigating');

    create table risk_case_notes (
      id uuid primary key,
      case_id uuid not null references risk_cases on delete cascade,
      author text not null,
      text text not null check (length(text) between 1 and 4000),
      at timestamptz not null
    );
    create index risk_case_notes_of_case on risk_case_notes (case_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table risk_case_notes;
    drop table risk_cases;
    drop table risk_policies;
    alter table unit_risk_profiles
      drop column decision, drop column decided_at, drop column last_alert_at, drop column held_alerts;
    drop index scans_of_session;
    alter table scans drop column scorings;
  `);
}
