import type { Db } from '../db.ts';

/** Since when the oldest work of each kind is due; null where none is. */
export interface OldestDue {
  barcode_chunks: Date | null;
  scans: Date | null;
  webhook_dispatches: Date | null;
  mails: Date | null;
  bulk_jobs: Date | null;
  webhook_recoveries: Date | null;
  report_photos: Date | null;
  simulations: Date | null;
  scan_exports: Date | null;
  unit_exports: Date | null;
  domains: Date | null;
  sign_ins: Date | null;
}

/** Each by a partial index of what waits. The dispatches of an endpoint that is disabled, open or held are not due. */
export async function findOldestDue(db: Db, now: Date): Promise<OldestDue> {
  const { rows } = await db.query<OldestDue>(
    `select (select min(c.due_at) from barcode_jobs j
               join barcode_job_chunks c on c.job_id = j.id and c.state = 'pending'
              where j.status in ('queued', 'running') and c.due_at <= $1) as barcode_chunks,
            (select min(unscored_since) from unit_risk_profiles where unscored_since is not null) as scans,
            (select min(d.due_at) from webhook_endpoints e
              cross join lateral (select due_at from webhook_dispatches
                                   where endpoint_id = e.id and state = 'pending' and due_at <= $1
                                   order by due_at limit 1) d
              where e.deleted_at is null and e.circuit_state = 'closed'
                and (e.held_until is null or e.held_until <= $1)) as webhook_dispatches,
            -- Due from the first: one that was refused waits for its next attempt, and its reader longer than that.
            (select min(created_at) from mails where state = 'pending') as mails,
            (select min(due_at) from bulk_jobs
              where status in ('queued', 'running') and due_at <= $1
                and (lease_until is null or lease_until <= $1)) as bulk_jobs,
            (select min(due_at) from webhook_recoveries where due_at <= $1) as webhook_recoveries,
            (select min(due_at) from counterfeit_report_photos
              where state = 'waiting' and due_at <= $1
                and (lease_until is null or lease_until <= $1)) as report_photos,
            (select min(due_at) from risk_simulations
              where status in ('queued', 'running') and due_at <= $1
                and (lease_until is null or lease_until <= $1)) as simulations,
            (select min(due_at) from scan_exports
              where status in ('queued', 'running') and due_at <= $1
                and (lease_until is null or lease_until <= $1)) as scan_exports,
            (select min(due_at) from unit_exports
              where status in ('queued', 'running') and due_at <= $1
                and (lease_until is null or lease_until <= $1)) as unit_exports,
            (select min(due_at) from organization_domains
              where due_at <= $1 and (lease_until is null or lease_until <= $1)) as domains,
            least((select min(created_at) from provider_sign_ins
                    where status = 'waiting' and expires_at > $1 and (lease_until is null or lease_until <= $1)),
                  (select min(due_at) from sign_in_providers
                    where due_at <= $1 and (lease_until is null or lease_until <= $1))) as sign_ins`,
    [now],
  );
  return rows[0]!;
}

export async function findPostgresVersion(db: Db): Promise<string> {
  const { rows } = await db.query<{ version: string }>(
    `select current_setting('server_version') as version from pg_settings where name = 'server_version'`,
  );
  return rows[0]!.version;
}

/** @returns names, as knex keeps them. */
export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from knex_migrations');
  return rows.map(({ name }) => name);
}
