/** What is new of what waits for a person, read across the domains; and who has been told until when. */
import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';
import { unitsBy } from '../units-by.ts';

/** Of a person's choice, the time between two mails. */
const INTERVAL = `case u.alert_mails when 'hourly' then interval '1 hour' else interval '1 day' end`;

/** People who take mails, can read them and had none for as long as they chose. @param now the parameter with the time */
const isDue = (now: string): string =>
  `u.alert_mails <> 'never' and u.disabled_at is null and o.blocked_at is null
   and (u.alerted_at is null or u.alerted_at <= ${now}::timestamptz - ${INTERVAL})`;

/**
 * Those in whose organization anything happened that they were not told of, which may since have been dealt with: the
 * newest of each kind says so, by one row of its index.
 * @param after the last of the page before, by id
 */
export async function listDue(db: Db, now: Date, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with due as materialized (
       select u.id, u.org_id, u.alerts_told_until from users u join organizations o on o.id = u.org_id where ${isDue('$1')}
     ), newest as materialized (
       select t.org_id, greatest(
                (select opened_at from risk_cases where org_id = t.org_id and status in ('open', 'investigating')
                  order by id desc limit 1),
                (select created_at from events where org_id = t.org_id and type = 'product.diverted' order by id desc limit 1),
                (select created_at from counterfeit_reports where org_id = t.org_id and status = 'open' order by id desc limit 1),
                (select received_at from consignments where org_id = t.org_id and has_discrepancy
                  order by received_at desc limit 1)) as at
         from (select distinct org_id from due) t
     )
     select due.id from due join newest on newest.org_id = due.org_id and newest.at > due.alerts_told_until
      where due.id > $2
      order by due.id limit $3`,
    [now, after, limit],
  );
  return rows.map(({ id }) => id);
}

export interface DuePersonRow {
  id: string;
  org_id: string;
  email: string;
  language: Language;
  role: Role;
  alert_mails: 'hourly' | 'daily';
  alerts_told_until: Date;
  organization_name: string;
}

/** Locks somebody who is still due; null where they no longer are, or somebody else tells them at this moment. */
export async function lockDue(db: Db, id: string, now: Date): Promise<DuePersonRow | null> {
  const { rows } = await db.query<DuePersonRow>(
    `select u.id, u.org_id, u.email, u.language, u.role, u.alert_mails, u.alerts_told_until, o.name as organization_name
       from users u join organizations o on o.id = u.org_id
      where u.id = $2 and ${isDue('$1')}
        for no key update of u skip locked`,
    [now, id],
  );
  return rows[0] ?? null;
}

/** @param alertedAt when a mail was posted about it; null where there was nothing to tell */
export async function storeTold(db: Db, id: string, until: Date, alertedAt: Date | null): Promise<void> {
  await db.query(
    `update users set alerts_told_until = greatest(alerts_told_until, $2), alerted_at = coalesce($3, alerted_at) where id = $1`,
    [id, until, alertedAt],
  );
}

/** After `after`, and until `until`. */
export interface Period {
  after: Date;
  until: Date;
}

/** How many rows are wanted, and up to how many are counted. */
export interface Extent {
  top: number;
  most: number;
}

/** Rows carry the count of all, and when the first of these was. */
type Counted<Row> = Row & { total: number; oldest: Date };

export interface CaseAlertRow {
  id: string;
  product_name: string;
  serial: string;
}

/** Cases that scans opened and nobody has taken, worst first. */
export async function newCases(
  db: Db,
  orgId: string,
  { after, until }: Period,
  { top, most }: Extent,
): Promise<Counted<CaseAlertRow>[]> {
  const { rows } = await db.query<Counted<CaseAlertRow>>(
    `with waiting as (
       select id, unit_id, product_id, status, opened_by, max_score, opened_at from risk_cases
        where org_id = $1 and status in ('open', 'investigating')
        order by id desc limit $5
     ), fresh as (
       select * from waiting where status = 'open' and opened_by is null and opened_at > $2 and opened_at <= $3
     )
     select f.id, p.name as product_name, u.serial, (select count(*) from fresh) as total,
            (select min(opened_at) from fresh) as oldest
       from (select * from fresh order by max_score desc, id desc limit $4) f
      cross join lateral ${unitsBy('org_id = $1 and id = f.unit_id')} u
       join products p on p.id = f.product_id
      order by f.max_score desc, f.id desc`,
    [orgId, after, until, top, most + 1],
  );
  return rows;
}

export interface DiversionAlertRow {
  /** Public. */
  unit_id: string;
  product_name: string;
  serial: string;
  country: string | null;
}

/** Of a scan outside its unit's markets. */
export interface DiversionRow extends DiversionAlertRow {
  /** Public. */
  scan_id: string;
  scanned_at: Date;
  created_at: Date;
}

/** What `product.diverted` told, newest first: of the organization's newest `most` of that type, those of the period. */
export async function listDiversions(
  db: Db,
  orgId: string,
  { after, until }: Period,
  most: number,
): Promise<DiversionRow[]> {
  const { rows } = await db.query<DiversionRow>(
    // The limit stands before the condition: no index ends the search where the period begins.
    `with newest as (
       select id, data, created_at from events where org_id = $1 and type = 'product.diverted' order by id desc limit $4
     )
     select data->>'productUnitId' as unit_id, data->>'productName' as product_name, data->>'serial' as serial,
            data->>'country' as country, data->>'scanId' as scan_id, (data->>'at')::timestamptz as scanned_at, created_at
       from newest where created_at > $2 and created_at <= $3
      order by id desc`,
    [orgId, after, until, most],
  );
  return rows;
}

/**
 * @param unitIds UUIDs
 * @param newScanIds UUIDs of scans of before that are told of only now: scored late, or again since their lot was looked through
 * @returns those of which another scan outside their markets is known from before
 */
export async function knownAsDiverted(
  db: Db,
  orgId: string,
  unitIds: readonly string[],
  newScanIds: readonly string[],
  before: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select t.id from unnest($2::uuid[]) as t (id)
      where exists (select 1 from scans
                     where unit_id = t.id and org_id = $1 and result = 'diverted' and at <= $4 and id <> all ($3::uuid[])
                       and (assessment = 'final' or scorings > 0))`,
    [orgId, unitIds, newScanIds, before],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface ReportAlertRow {
  id: string;
  product_name: string | null;
  country: string | null;
}

/** Reports that nobody has taken, newest first. */
export async function newReports(
  db: Db,
  orgId: string,
  { after, until }: Period,
  { top, most }: Extent,
): Promise<Counted<ReportAlertRow>[]> {
  const { rows } = await db.query<Counted<ReportAlertRow>>(
    `with waiting as (
       select id, country, product_id, created_at from counterfeit_reports where org_id = $1 and status = 'open'
        order by id desc limit $5
     ), fresh as (
       select * from waiting where created_at > $2 and created_at <= $3
     )
     select f.id, p.name as product_name, f.country, (select count(*) from fresh) as total,
            (select min(created_at) from fresh) as oldest
       from (select * from fresh order by id desc limit $4) f
       left join products p on p.id = f.product_id
      order by f.id desc`,
    [orgId, after, until, top, most + 1],
  );
  return rows;
}

export interface ReceiptAlertRow {
  id: string;
  reference: string;
  destination: string;
}

/** Receipts that are not as was sent, newest first. */
export async function newDiscrepancies(
  db: Db,
  orgId: string,
  { after, until }: Period,
  { top, most }: Extent,
): Promise<Counted<ReceiptAlertRow>[]> {
  const { rows } = await db.query<Counted<ReceiptAlertRow>>(
    `with fresh as (
       select id, reference, destination, received_at from consignments
        where org_id = $1 and has_discrepancy and received_at > $2 and received_at <= $3
        order by received_at desc limit $5
     )
     select id, reference, destination->>'name' as destination, (select count(*) from fresh) as total,
            (select min(received_at) from fresh) as oldest
       from fresh order by received_at desc, id limit $4`,
    [orgId, after, until, top, most + 1],
  );
  return rows;
}
