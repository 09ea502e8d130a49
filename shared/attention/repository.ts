/** What waits for a person, read across the domains: a count up to {@link MOST_COUNTED} and the newest few of each. */
import { isInForce } from '../recall-in-force.ts';
import type { BulkAction } from '../bulk-jobs/service.ts';
import type { Db } from '../db.ts';
import { unitsBy } from '../units-by.ts';

/** Rows beyond are not counted; one of them is read, to know that there are more. */
export const MOST_COUNTED = 1_000;

/** Rows carry the count of all in `total`. */
type Counted<Row> = Row & { total: number };

export interface WaitingCaseRow {
  id: string;
  unit_id: string;
  serial: string;
  product_name: string;
  status: 'open' | 'investigating';
  max_score: number;
  suspicious_scans: number;
  signals: string[];
  /** Of those that a person opened. */
  opened_by: string | null;
  report_id: string | null;
  updated_at: Date;
}

export async function waitingCases(db: Db, orgId: string, top: number): Promise<Counted<WaitingCaseRow>[]> {
  const { rows } = await db.query<Counted<WaitingCaseRow>>(
    `with waiting as (
       select id, unit_id, product_id, status, max_score, suspicious_scans, signals, opened_by, report_id, updated_at
         from risk_cases where org_id = $1 and status in ('open', 'investigating')
        order by id desc limit $3
     )
     select w.id, w.unit_id, u.serial, p.name as product_name, w.status, w.max_score, w.suspicious_scans, w.signals,
            w.opened_by, w.report_id, w.updated_at, (select count(*) from waiting) as total
       from (select * from waiting order by (status = 'open' and suspicious_scans = 0) desc, max_score desc, id desc limit $2) w
      cross join lateral ${unitsBy('org_id = $1 and id = w.unit_id')} u
       join products p on p.id = w.product_id
      order by (w.status = 'open' and w.suspicious_scans = 0) desc, w.max_score desc, w.id desc`,
    [orgId, top, MOST_COUNTED + 1],
  );
  return rows;
}

export interface NewReportRow {
  id: string;
  excerpt: string;
  country: string | null;
  product_name: string | null;
  photo_count: number;
  created_at: Date;
}

export async function newReports(db: Db, orgId: string, top: number): Promise<Counted<NewReportRow>[]> {
  const { rows } = await db.query<Counted<NewReportRow>>(
    `with waiting as (
       select id, description, country, product_id, created_at
         from counterfeit_reports where org_id = $1 and status = 'open'
        order by id desc limit $3
     )
     select w.id, left(w.description, 140) as excerpt, w.country, p.name as product_name, w.created_at,
            (select count(*) from counterfeit_report_photos where report_id = w.id)::integer as photo_count,
            (select count(*) from waiting) as total
       from (select * from waiting order by id desc limit $2) w
       left join products p on p.id = w.product_id
      order by w.id desc`,
    [orgId, top, MOST_COUNTED + 1],
  );
  return rows;
}

export interface TroubledEndpointRow {
  id: string;
  url: string;
  description: string | null;
  state: 'closed' | 'open' | 'half-open' | 'disabled';
  failing_since: Date | null;
}

/** Endpoints whose circuit is not closed, or whose last attempts failed. */
export async function troubledEndpoints(
  db: Db,
  orgId: string,
  top: number,
): Promise<Counted<TroubledEndpointRow>[]> {
  const { rows } = await db.query<Counted<TroubledEndpointRow>>(
    `select id, url, description, circuit_state as state,
            to_timestamp((circuit->>'failingSince')::double precision / 1000) as failing_since, count(*) over () as total
       from webhook_endpoints
      where org_id = $1 and deleted_at is null and (circuit_state <> 'closed' or circuit->>'failingSince' is not null)
      order by array_position(array['disabled', 'open', 'half-open', 'closed'], circuit_state), id desc
      limit $2`,
    [orgId, top],
  );
  return rows;
}

export interface NotableJobRow {
  id: string;
  kind: 'barcodes' | 'bulk';
  action: Exclude<BulkAction, 'preview-recall'> | null;
  batch_id: string | null;
  consignment_id: string | null;
  status: 'queued' | 'running' | 'failed';
  done: number;
  units: number | null;
  error: { code: string; message: string } | null;
  created_at: Date;
}

/** @param failedSince failures before it are old news. */
export async function notableBarcodeJobs(
  db: Db,
  orgId: string,
  failedSince: Date,
  top: number,
): Promise<Counted<NotableJobRow>[]> {
  const { rows } = await db.query<Counted<NotableJobRow>>(
    `with notable as (
       select id, batch_id, status, total as units, error, created_at from barcode_jobs
        where org_id = $1
          and (status in ('queued', 'running') or (status = 'failed' and finished_at >= $2))
        order by id desc limit $4
     )
     select n.id, 'barcodes' as kind, null as action, n.batch_id, null as consignment_id, n.status, n.units, n.error, n.created_at,
            -- As the job itself says it: what other parts had rendered when one failed came to nothing.
            (select coalesce(sum(case when c.state = 'done' then c.units
                                      when n.status in ('queued', 'running') then c.rendered else 0 end), 0)
               from barcode_job_chunks c where c.job_id = n.id) as done,
            (select count(*) from notable) as total
       from (select * from notable order by id desc limit $3) n
      order by n.id desc`,
    [orgId, failedSince, top, MOST_COUNTED + 1],
  );
  return rows;
}

/** Previews change nothing, and are not among them. */
export async function notableBulkJobs(
  db: Db,
  orgId: string,
  failedSince: Date,
  top: number,
): Promise<Counted<NotableJobRow>[]> {
  const { rows } = await db.query<Counted<NotableJobRow>>(
    `with notable as (
       select id, action, source, consignment_id, status, total as units, done, error, created_at from bulk_jobs
        where org_id = $1
          and action <> 'preview-recall'
          and (status in ('queued', 'running') or (status = 'failed' and finished_at >= $2))
        order by id desc limit $4
     )
     select id, 'bulk' as kind, action, (source->>'batchId')::uuid as batch_id, consignment_id, status, units, done, error, created_at,
            (select count(*) from notable) as total
       from notable order by id desc limit $3`,
    [orgId, failedSince, top, MOST_COUNTED + 1],
  );
  return rows;
}

export interface OverdueConsignmentRow {
  id: string;
  reference: string | null;
  destination: string | null;
  unit_count: number;
  dispatched_at: Date;
}

/** Consignments that left before `before` and that nobody has confirmed, the oldest first; nobody waits for recalled ones. */
export async function overdueConsignments(
  db: Db,
  orgId: string,
  before: Date,
  top: number,
): Promise<Counted<OverdueConsignmentRow>[]> {
  const { rows } = await db.query<Counted<OverdueConsignmentRow>>(
    `with overdue as (
       select id, reference, destination, unit_count, dispatched_at from consignments c
        where org_id = $1 and status = 'dispatched' and dispatched_at < $2
          and not exists (select 1 from recalls r
                           where r.target_id = c.id and ${isInForce('r')})
        order by dispatched_at limit $4
     )
     select id, reference, destination->>'name' as destination, unit_count, dispatched_at,
            (select count(*) from overdue) as total
       from overdue order by dispatched_at, id limit $3`,
    [orgId, before, top, MOST_COUNTED + 1],
  );
  return rows;
}

export interface DiscrepantReceiptRow {
  id: string;
  reference: string | null;
  destination: string | null;
  unit_count: number;
  missing_count: number;
  damaged_count: number;
  counted: number | null;
  received_at: Date;
}

/** Consignments received since `since` with units missing, damaged or too many, the newest receipt first. */
export async function discrepantReceipts(
  db: Db,
  orgId: string,
  since: Date,
  top: number,
): Promise<Counted<DiscrepantReceiptRow>[]> {
  const { rows } = await db.query<Counted<DiscrepantReceiptRow>>(
    `with discrepant as (
       select id, reference, destination, unit_count, missing_count, damaged_count, counted, received_at from consignments
        where org_id = $1 and has_discrepancy and received_at >= $2
        order by received_at desc limit $4
     )
     select id, reference, destination->>'name' as destination, unit_count, missing_count, damaged_count, counted, received_at,
            (select count(*) from discrepant) as total
       from discrepant order by received_at desc, id limit $3`,
    [orgId, since, top, MOST_COUNTED + 1],
  );
  return rows;
}

export interface ClosedCasesRow {
  confirmed: number;
  dismissed: number;
}

/**
 * How the cases that scans opened were closed since `since`, or since the organization last changed its policy or had one tried on
 * what all its products' scans say: the newest {@link MOST_COUNTED}. Null where one of these was after `notAfter`. Products with a
 * threshold of their own are left out.
 */
export async function closedCases(
  db: Db,
  orgId: string,
  since: Date,
  notAfter: Date,
): Promise<ClosedCasesRow | null> {
  const { rows } = await db.query<ClosedCasesRow>(
    `with looked as (
       select greatest((select updated_at from risk_policies where org_id = $1 and product_id is null),
                       (select max(created_at) from risk_simulations
                         where org_id = $1 and product_id is null and status not in ('failed', 'cancelled')),
                       (select risk_policy_tried_at from organizations where id = $1)) as at
     ), closed as (
       select status from risk_cases c
        where org_id = $1 and closed_at > coalesce(greatest((select at from looked), $2), $2) and suspicious_scans > 0
          and not exists (select 1 from risk_policies p
                           where p.org_id = $1 and p.product_id = c.product_id
                             and p.policy #> '{thresholds,suspicious}' is not null)
        order by closed_at desc limit $4
     )
     select count(*) filter (where status = 'confirmed') as confirmed,
            count(*) filter (where status = 'dismissed') as dismissed
       from closed
     having coalesce((select at from looked) <= $3, true)`,
    [orgId, since, notAfter, MOST_COUNTED],
  );
  return rows[0] ?? null;
}
