/** Recorded scans by what an organization asks for. */
import { plainArray } from '../array-literals.ts';
import type { NfcTapOutcome } from '../nfc/outcome.ts';
import { BEGIN_IN_ORDER, withTransaction, type Db, type Pool } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { RiskSignal } from '../risk/types.ts';
import type { ScanResult } from './verdict.ts';
import { OF_ORGANIZATION } from '../of-organization.ts';

export interface ScanRow {
  id: string;
  unit_id: string;
  product_id: string;
  batch_id: string;
  at: Date;
  country: string | null;
  lat: number | null;
  lon: number | null;
  accuracy_km: number | null;
  place_source: string | null;
  /** What the visitor's browser told; the place above is that one where its source is `gps`. */
  claimed_lat: number | null;
  claimed_lon: number | null;
  claimed_accuracy_km: number | null;
  result: ScanResult;
  assessment: 'preliminary' | 'final';
  risk_level: string;
  risk_score: number;
  signals: RiskSignal[];
  /** Made from a network of the organization's own, and so neither judged nor counted. */
  is_internal: boolean;
  /** Whether the right hidden code was entered with it; null where none was. */
  hidden_code_correct: boolean | null;
  /** What the NFC tag's signature said that came with it; null where none came. */
  nfc_tap: NfcTapOutcome | null;
}

const COLUMNS = `id, unit_id, product_id, batch_id, at, country, lat, lon, accuracy_km, place_source, claimed_lat, claimed_lon,
  claimed_accuracy_km, result, assessment, risk_level, risk_score, signals, is_internal, hidden_code_correct, nfc_tap`;

export async function findScan(db: Db, orgId: string, id: string): Promise<ScanRow | null> {
  const { rows } = await db.query<ScanRow>(`select ${COLUMNS} from scans where org_id = $1 and id = $2`, [
    orgId,
    id,
  ]);
  return rows[0] ?? null;
}

export interface ScanFilter {
  /** At or after. */
  from?: Date | undefined;
  /** Before. */
  to?: Date | undefined;
  unitId?: string | undefined;
  productId?: string | undefined;
  batchId?: string | undefined;
  result?: ScanResult | undefined;
  country?: string | undefined;
  riskLevel?: string | undefined;
  isInternal?: boolean | undefined;
  /** With which a hidden code was entered, and whether the right one. */
  hiddenCode?: 'correct' | 'wrong' | undefined;
  /** That came with a tap of an NFC tag, and what that said. */
  nfcTap?: NfcTapOutcome | undefined;
  /** Of units that are, or were, in it. */
  consignmentId?: string | undefined;
}

/**
 * Of {@link valuesOf}; a consignment's scans are found in several ways. That a hidden code is wrong does not tell the planner that there is
 * one, for which alone it has an index.
 */
const NARROWED = `($2::uuid is null or unit_id = $2)
        and ($3::uuid is null or product_id = $3)
        and ($4::uuid is null or batch_id = $4)
        and ($5::text is null or result = $5)
        and ($6::text is null or country = $6)
        and ($7::text is null or risk_level = $7)
        and ($8::timestamptz is null or at >= $8)
        and ($9::timestamptz is null or at < $9)
        and ($10::boolean is null or is_internal = $10)
        and ($11::boolean is null or (hidden_code_correct is not null and hidden_code_correct = $11))
        and ($12::text is null or nfc_tap = $12)`;

const valuesOf = (orgId: string, filter: ScanFilter) => [
  orgId,
  filter.unitId ?? null,
  filter.productId ?? null,
  filter.batchId ?? null,
  filter.result ?? null,
  filter.country ?? null,
  filter.riskLevel ?? null,
  filter.from ?? null,
  filter.to ?? null,
  filter.isInternal ?? null,
  filter.hiddenCode === undefined ? null : filter.hiddenCode === 'correct',
  filter.nfcTap ?? null,
];

const OF_CONSIGNMENT = `($13::uuid is null
             or exists (select from consignment_units c where c.consignment_id = $13 and c.unit_id = scans.unit_id))`;

const AFTER_CURSOR = `($14::uuid is null or (at, id) < ((select at from scans where id = $14 and org_id = $1), $14))`;

/**
 * Newest first; the statement is not a named one, so that it is planned for the filters it is given and not for all.
 * @param db in a transaction that began with {@link BEGIN_IN_ORDER}
 * @returns up to `limit` scans after the one of `beforeId`.
 */
export async function findScans(
  db: Db,
  orgId: string,
  filter: ScanFilter,
  page: PageRequest,
): Promise<ScanRow[]> {
  if (filter.unitId !== undefined) return findScansOfUnit(db, orgId, filter, page);
  const units = await fewUnitsOf(db, filter);
  if (units !== null && units.scanCount <= MOST_SCANS)
    return findScansOfUnits(db, orgId, units.ids, filter, page);
  const { rows } = await db.query<ScanRow>(
    `select ${COLUMNS} from scans
      where org_id = $1 and ${NARROWED} and ${OF_CONSIGNMENT} and ${AFTER_CURSOR}
      order by at desc, id desc
      limit $15`,
    [...valuesOf(orgId, filter), filter.consignmentId ?? null, page.beforeId, page.limit],
  );
  return rows;
}

/** In the order of the index that scoring needs anyway: ids are times, to the millisecond. */
async function findScansOfUnit(
  db: Db,
  orgId: string,
  filter: ScanFilter,
  page: PageRequest,
): Promise<ScanRow[]> {
  const { rows } = await db.query<ScanRow>(
    `select ${COLUMNS} from scans
      where org_id = $1 and ${NARROWED} and ${OF_CONSIGNMENT} and ($14::uuid is null or id < $14)
      order by id desc
      limit $15`,
    [...valuesOf(orgId, filter), filter.consignmentId ?? null, page.beforeId, page.limit],
  );
  return rows;
}

/** A consignment with more is found scan by scan, newest first: looking up so many, each in 18 months, takes a fifth of a second. */
const MOST_LOOKED_UP = 5_000;

/** Units with more scans than this are so, too: each page looks all of them up, and an export has as many pages as there are thousands. */
const MOST_SCANS = 50_000;

/** @returns the units of the consignment that is asked for, where they are few, with how often they were scanned. */
async function fewUnitsOf(
  db: Db,
  { consignmentId }: ScanFilter,
): Promise<{ ids: string[]; scanCount: number } | null> {
  if (consignmentId === undefined) return null;
  const { rows } = await db.query<{ unit_id: string; scan_count: number | null }>(
    `select unit_id, (select scan_count from unit_risk_profiles p where p.unit_id = c.unit_id) as scan_count
       from consignment_units c where consignment_id = $1 limit $2`,
    [consignmentId, MOST_LOOKED_UP + 1],
  );
  if (rows.length > MOST_LOOKED_UP) return null;
  return {
    ids: rows.map((row) => row.unit_id),
    scanCount: rows.reduce((sum, row) => sum + (row.scan_count ?? 0), 0),
  };
}

/**
 * Finds all before it puts them in order: asked for the newest at once, the planner reads an organization's scans from the newest on,
 * and all of them where the units have fewer than a page.
 */
async function findScansOfUnits(
  db: Db,
  orgId: string,
  unitIds: readonly string[],
  filter: ScanFilter,
  page: PageRequest,
): Promise<ScanRow[]> {
  const { rows } = await db.query<ScanRow>(
    `with of_units as materialized (
       select ${COLUMNS} from scans where ${OF_ORGANIZATION} and ${NARROWED} and unit_id = any($13::uuid[]) and ${AFTER_CURSOR}
     )
     select * from of_units order by at desc, id desc limit $15`,
    [...valuesOf(orgId, filter), plainArray(unitIds), page.beforeId, page.limit],
  );
  return rows;
}

export async function listScans(
  pool: Pool,
  orgId: string,
  filter: ScanFilter,
  page: PageRequest,
): Promise<Page<ScanRow>> {
  const scans = await withTransaction(
    pool,
    (uow) => findScans(uow.db, orgId, filter, { ...page, limit: page.limit + 1 }),
    BEGIN_IN_ORDER,
  );
  return pageOf(scans, page);
}

export async function countScans(db: Db, orgId: string, filter: ScanFilter): Promise<number> {
  const units = await fewUnitsOf(db, filter);
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from scans
      where org_id = $1 and ${NARROWED} and ${OF_CONSIGNMENT} and ($14::uuid[] is null or unit_id = any($14))`,
    [
      ...valuesOf(orgId, filter),
      units === null ? (filter.consignmentId ?? null) : null,
      units === null ? null : plainArray(units.ids),
    ],
  );
  return rows[0]!.count;
}
