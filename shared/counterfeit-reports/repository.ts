import type { Db } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import { brandedBy, ORGANIZATION_COLUMNS, type OrganizationColumns } from '../scans/organization.ts';
import { searchPattern } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { Channel } from './states.ts';

export type ReportStatus = 'open' | 'investigating' | 'confirmed' | 'dismissed';
export type Resolution =
  | 'counterfeit'
  | 'tampered'
  | 'grey_market'
  | 'stolen'
  | 'genuine'
  | 'duplicate'
  | 'spam'
  | 'insufficient_information';

export interface ReportRow {
  id: string;
  org_id: string | null;
  unit_id: string | null;
  product_id: string | null;
  batch_id: string | null;
  serial: string | null;
  lot: string | null;
  scan_id: string | null;
  code: string | null;
  brand: string | null;
  description: string;
  purchased_from: string | null;
  price: string | null;
  language: string | null;
  country: string | null;
  contact_name: string | null;
  contact_email: string | null;
  contact_erased_at: Date | null;
  status: ReportStatus;
  resolution: Resolution | null;
  assignee_id: string | null;
  repetitions: number;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
  channel: Channel;
  /** Public id of the user or the key; null for a consumer. */
  filed_by: string | null;
  /** YYYY-MM-DD. */
  found_on: string | null;
  /** Public id of the user or the key that said afterwards what it is about. */
  identified_by: string | null;
  photo_count: number;
}

/** The reported unit, with what an event and a page of thanks say of it. */
export interface ReportedUnit extends OrganizationColumns {
  unit_id: string;
  product_id: string;
  product_name: string;
  sku: string;
  gtin: string | null;
  batch_id: string;
  serial: string;
  lot: string | null;
  brand: string | null;
}

export async function findReportedUnit(db: Db, code: Buffer): Promise<ReportedUnit | null> {
  const { rows } = await db.query<ReportedUnit>(
    `select u.org_id, u.id as unit_id, u.product_id, p.name as product_name, p.sku, p.gtin, u.batch_id, u.serial, b.lot, p.brand,
            ${ORGANIZATION_COLUMNS}
       from product_units u
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
       ${brandedBy('u.org_id')}
      where u.code = $1`,
    [code],
  );
  return rows[0] ?? null;
}

/** The reporter's own newest scan of the unit, where it can be told. Ids are times: of a unit that many scan, only its latest are read. */
export async function findScanOfNetwork(
  db: Db,
  unitId: string,
  networkId: string,
  since: Date,
): Promise<{ id: string; country: string | null } | null> {
  const { rows } = await db.query<{ id: string; country: string | null }>(
    `select id, country from scans
      where unit_id = $1 and network_id = $2 and at >= $3 and id >= $4 order by id desc limit 1`,
    [unitId, networkId, since, uuidFloor(since)],
  );
  return rows[0] ?? null;
}

/** Counts what came lately, under a lock on the network and the unit, so that many at once are counted one by one. */
export async function countRecentReports(
  db: Db,
  { networkId, unitId }: { networkId: string; unitId: string | null },
  since: Date,
): Promise<{ of_network: number; of_unit: number }> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended($1, 7205544))`, [networkId]);
  if (unitId !== null)
    await db.query(`select pg_advisory_xact_lock(hashtextextended($1, 7205545))`, [unitId]);
  const { rows } = await db.query<{ of_network: number; of_unit: number }>(
    `select (select count(*) from counterfeit_reports where network_id = $1 and created_at >= $3) as of_network,
            (select count(*) from counterfeit_reports
              where unit_id = $2 and created_at >= $3 and channel = 'consumer' and identified_by is null) as of_unit`,
    [networkId, unitId, since],
  );
  return rows[0]!;
}

/** @returns the report with the same fingerprint, filed since then and not decided, counted once more; or null. */
export async function foldRepetition(
  db: Db,
  fingerprint: Buffer,
  since: Date,
  now: Date,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `update counterfeit_reports set repetitions = repetitions + 1, updated_at = $3
      where fingerprint = $1 and created_at >= $2 and closed_at is null returning id`,
    [fingerprint, since, now],
  );
  return rows[0]?.id ?? null;
}

/** Takes a fingerprint, which only one report can have, from a report that takes no repetitions any more. */
export async function freeFingerprint(db: Db, fingerprint: Buffer): Promise<void> {
  await db.query(`update counterfeit_reports set fingerprint = null where fingerprint = $1`, [fingerprint]);
}

export type ReportedGoods = Pick<ReportedUnit, 'product_id' | 'batch_id' | 'serial' | 'lot' | 'unit_id'>;
/** What a report is about: a unit, or a product alone, or nothing that is known. */
export type Goods = ReportedGoods | { product_id: string } | null;

export interface NewReport {
  id: string;
  channel: Channel;
  filedBy: string | null;
  foundOn: string | null;
  orgId: string | null;
  unit: Goods;
  scanId: string | null;
  code: string | null;
  brand: string | null;
  description: string;
  purchasedFrom: string | null;
  price: string | null;
  language: string | null;
  country: string | null;
  networkId: string | null;
  fingerprint: Buffer | null;
  contactName: string | null;
  contactEmail: string | null;
  now: Date;
}

/** @returns whether it was written: not, where one with the same fingerprint is there by now. */
export async function insertReport(db: Db, report: NewReport): Promise<boolean> {
  const goods: Partial<ReportedGoods> = report.unit ?? {};
  const { rowCount } = await db.query(
    `insert into counterfeit_reports (id, org_id, unit_id, product_id, batch_id, serial, lot, scan_id, code, brand,
            description, purchased_from, price, language, country, network_id, fingerprint, contact_name, contact_email,
            created_at, updated_at, channel, filed_by, found_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20, $21, $22, $23)
         on conflict (fingerprint) do nothing`,
    [
      report.id,
      report.orgId,
      goods.unit_id ?? null,
      goods.product_id ?? null,
      goods.batch_id ?? null,
      goods.serial ?? null,
      goods.lot ?? null,
      report.scanId,
      report.code,
      report.brand,
      report.description,
      report.purchasedFrom,
      report.price,
      report.language,
      report.country,
      report.networkId,
      report.fingerprint,
      report.contactName,
      report.contactEmail,
      report.now,
      report.channel,
      report.filedBy,
      report.foundOn,
    ],
  );
  return rowCount === 1;
}

export async function findReport(db: Db, orgId: string, id: string): Promise<ReportRow | null> {
  const { rows } = await db.query<ReportRow>(
    `select r.*, (select count(*) from counterfeit_report_photos p where p.report_id = r.id)::integer as photo_count
       from counterfeit_reports r where r.org_id = $1 and r.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function lockReport(db: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from counterfeit_reports where org_id = $1 and id = $2 for no key update',
    [orgId, id],
  );
  return rowCount === 1;
}

export interface ReportFilter {
  channel?: Channel | undefined;
  status?: ReportStatus | undefined;
  resolution?: Resolution | undefined;
  productId?: string | undefined;
  batchId?: string | undefined;
  unitId?: string | undefined;
  assigneeId?: string | undefined;
  country?: string | undefined;
  /** Part of serial, lot, brand, shop or description, without case. */
  q?: string | undefined;
}

export async function listReports(
  db: Db,
  orgId: string,
  filter: ReportFilter,
  page: PageRequest,
): Promise<Page<ReportRow>> {
  const { rows } = await db.query<ReportRow>(
    `select r.*, (select count(*) from counterfeit_report_photos p where p.report_id = r.id)::integer as photo_count
       from counterfeit_reports r
      where r.org_id = $1
        and ($2::uuid is null or r.id < $2)
        and ($3::text is null or r.status = $3)
        and ($4::text is null or r.resolution = $4)
        and ($5::uuid is null or r.product_id = $5)
        and ($6::uuid is null or r.batch_id = $6)
        and ($7::uuid is null or r.unit_id = $7)
        and ($8::uuid is null or r.assignee_id = $8)
        and ($9::text is null or r.country = $9)
        and ($11::text is null or r.search_text like search_form($11))
        and ($12::text is null or r.channel = $12)
      order by r.id desc
      limit $10`,
    [
      orgId,
      page.beforeId,
      filter.status ?? null,
      filter.resolution ?? null,
      filter.productId ?? null,
      filter.batchId ?? null,
      filter.unitId ?? null,
      filter.assigneeId ?? null,
      filter.country ?? null,
      page.limit + 1,
      filter.q === undefined ? null : searchPattern(filter.q),
      filter.channel ?? null,
    ],
  );
  return pageOf(rows, page);
}

export async function updateReport(
  db: Db,
  id: string,
  change: {
    status: ReportStatus;
    resolution: Resolution | null;
    assigneeId: string | null;
    closedAt: Date | null;
  },
  now: Date,
): Promise<void> {
  await db.query(
    `update counterfeit_reports set status = $2, resolution = $3, assignee_id = $4, closed_at = $5, updated_at = $6
      where id = $1`,
    [id, change.status, change.resolution, change.assigneeId, change.closedAt, now],
  );
}

/** @param by public id of who says it; null where the report is about nothing that is known */
export async function updateGoods(
  db: Db,
  id: string,
  goods: Goods,
  by: string | null,
  now: Date,
): Promise<void> {
  const { unit_id, product_id, batch_id, serial, lot }: Partial<ReportedGoods> = goods ?? {};
  await db.query(
    `update counterfeit_reports
        set unit_id = $2, product_id = $3, batch_id = $4, serial = $5, lot = $6, identified_by = $7, updated_at = $8
      where id = $1`,
    [id, unit_id ?? null, product_id ?? null, batch_id ?? null, serial ?? null, lot ?? null, by, now],
  );
}

export interface NoteRow {
  id: string;
  author: string;
  text: string;
  created_at: Date;
}

export async function insertNote(
  db: Db,
  note: { id: string; orgId: string; reportId: string; author: string; text: string; now: Date },
): Promise<void> {
  await db.query(
    `insert into counterfeit_report_notes (id, org_id, report_id, author, text, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [note.id, note.orgId, note.reportId, note.author, note.text, note.now],
  );
}

/** The newest 500, in order of time. */
export async function listNotes(db: Db, reportId: string): Promise<NoteRow[]> {
  const { rows } = await db.query<NoteRow>(
    'select id, author, text, created_at from counterfeit_report_notes where report_id = $1 order by id desc limit 500',
    [reportId],
  );
  return rows.reverse();
}

/** Of the oldest `limit` reports. @returns in how many the reporter's network was forgotten. */
export async function erasePseudonyms(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `update counterfeit_reports set network_id = null, fingerprint = null
      where id in (select id from counterfeit_reports
                    where (network_id is not null or fingerprint is not null) and created_at < $1
                    order by created_at limit $2 for no key update)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** The fingerprint goes with them: contact details could be guessed and tried against it. @returns in how many reports, `limit` at the most. */
export async function eraseContacts(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `update counterfeit_reports set contact_name = null, contact_email = null, contact_erased_at = $2,
            fingerprint = null
      where id in (select id from counterfeit_reports
                    where (contact_name is not null or contact_email is not null) and created_at < $1
                      and (closed_at is null or closed_at < $1)
                    order by created_at limit $3 for no key update)`,
    [before, now, limit],
  );
  return rowCount ?? 0;
}
