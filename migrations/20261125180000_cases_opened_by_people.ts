import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table risk_cases
      -- Public id of the user or key that opened it; null where its first suspicious scan did.
      add column opened_by text,
      -- The counterfeit report whose confirmation opened it.
      add column report_id uuid,
      add foreign key (org_id, report_id) references counterfeit_reports (org_id, id),
      alter column first_scan_id drop not null,
      alter column last_scan_id drop not null,
      drop constraint risk_cases_suspicious_scans_check,
      add constraint risk_cases_suspicious_scans_check check (suspicious_scans >= 0),
      -- Not the other way round: the release before counts on in a confirmed case without setting the first one.
      add constraint risk_cases_scans check (suspicious_scans > 0 or (first_scan_id is null and last_scan_id is null)),
      add constraint risk_cases_opened check (suspicious_scans > 0 or opened_by is not null);

    -- When people put the unit under suspicion and dismissed it, by turns, in order, at most a hundred. A row may be there before the first scan.
    alter table unit_risk_profiles add column raised_at timestamptz[] not null default '{}';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The release before cannot show cases without scans, and could not undo what was decided in them.
    update unit_risk_profiles p
       set state = case other.status when 'confirmed' then 'confirmed' when 'open' then 'suspect' when 'investigating' then 'suspect' else 'clear' end,
           decision = case when p.decision = 'dismissed' or other.status = 'confirmed' then p.decision when p.earlier_decisions -> -1 ->> 'decision' = 'dismissed' then 'dismissed' end,
           earlier_decisions = case when p.decision = 'dismissed' or other.status = 'confirmed' then p.earlier_decisions
                                    else nullif(p.earlier_decisions - (-1), '[]') end,
           decided_at = case when p.decision = 'dismissed' or other.status = 'confirmed' then p.decided_at
                             when p.earlier_decisions -> -1 ->> 'decision' = 'dismissed' then (p.earlier_decisions -> -1 ->> 'at')::timestamptz end
      from (select distinct unit_id from risk_cases where suspicious_scans = 0) gone
      left join lateral (select status from risk_cases c
                          where c.unit_id = gone.unit_id and c.suspicious_scans > 0 and c.status <> 'dismissed'
                          order by c.status = 'confirmed' desc limit 1) other on true
     where p.unit_id = gone.unit_id and p.state <> 'clear';
    delete from risk_cases where suspicious_scans = 0;
    update risk_cases set first_scan_id = last_scan_id where first_scan_id is null;
    alter table unit_risk_profiles drop column raised_at;
    alter table risk_cases
      drop constraint risk_cases_opened,
      drop constraint risk_cases_scans,
      drop constraint risk_cases_suspicious_scans_check,
      add constraint risk_cases_suspicious_scans_check check (suspicious_scans > 0),
      alter column last_scan_id set not null,
      alter column first_scan_id set not null,
      drop column report_id,
      drop column opened_by;
  `);
}
