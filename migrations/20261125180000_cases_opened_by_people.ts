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
      add constraint risk_cases_first_scan check ((suspicious_scans = 0) = (first_scan_id is null)),
      add constraint risk_cases_last_scan check ((suspicious_scans = 0) = (last_scan_id is null)),
      add constraint risk_cases_opened check (suspicious_scans > 0 or opened_by is not null);

    -- When a person last put the unit under suspicion: a row may be there before the first scan.
    alter table unit_risk_profiles add column raised_at timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table unit_risk_profiles drop column raised_at;
    -- Which the release before cannot show.
    delete from risk_cases where suspicious_scans = 0;
    alter table risk_cases
      drop constraint risk_cases_opened,
      drop constraint risk_cases_last_scan,
      drop constraint risk_cases_first_scan,
      drop constraint risk_cases_suspicious_scans_check,
      add constraint risk_cases_suspicious_scans_check check (suspicious_scans > 0),
      alter column last_scan_id set not null,
      alter column first_scan_id set not null,
      drop column report_id,
      drop column opened_by;
  `);
}
