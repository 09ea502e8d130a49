/**
 * Alerts to people: what is new of what waits for somebody, for those who may see it. The first of it waits a while for more,
 * so that one mail tells of a wave.
 */
import { ROLE_TABLE } from '../access/roles.ts';
import type { Scope } from '../api-keys/scopes.ts';
import type { Db } from '../db.ts';
import { decodeId } from '../ids.ts';
import {
  knownAsDiverted,
  listDiversions,
  newCases,
  newDiscrepancies,
  newReports,
  type CaseAlertRow,
  type DiversionAlertRow,
  type DuePersonRow,
  type Period,
  type ReceiptAlertRow,
  type ReportAlertRow,
} from './repository.ts';

export { listDue, lockDue, storeTold, type DuePersonRow } from './repository.ts';

/** How often somebody is mailed at most. */
export const ALERT_MAILS = ['hourly', 'daily', 'never'] as const;

export type AlertMails = (typeof ALERT_MAILS)[number];

/** How long the first thing to tell waits for others. */
export const GATHERING_MINUTES = 10;

/** What is younger may have been written in a transaction that nobody sees yet: a statement may take as long as this, see `db.ts`. */
const UNSEEN_SECONDS = 60;

/** Until when alerts that are read now tell everything. */
export const toldUntil = (now: Date): Date => new Date(now.getTime() - UNSEEN_SECONDS * 1000);

/** Rows of each kind that are told one by one, and up to how many are counted. */
const EXTENT = { top: 5, most: 1_000 } as const;

/** Scans outside markets that are looked through: most may be of units that live abroad, and not told. */
const MOST_DIVERSIONS = 5_000;

export interface AlertSection<Row> {
  /** At most `most`; then there may be more. */
  count: number;
  hasMore: boolean;
  rows: Row[];
}

export interface Alerts {
  cases: AlertSection<CaseAlertRow>;
  diversions: AlertSection<DiversionAlertRow>;
  reports: AlertSection<ReportAlertRow>;
  receipts: AlertSection<ReceiptAlertRow>;
}

interface Told<Row> {
  section: AlertSection<Row>;
  oldest: Date | null;
}

const NOTHING = { section: { count: 0, hasMore: false, rows: [] }, oldest: null };

const sectionOf = <Row>(total: number, rows: Row[]): AlertSection<Row> => ({
  count: Math.min(total, EXTENT.most),
  hasMore: total > EXTENT.most,
  rows,
});

const counted = <Row extends { total: number; oldest: Date }>(rows: Row[]): Told<Row> => ({
  section: sectionOf(rows[0]?.total ?? 0, rows),
  oldest: rows[0]?.oldest ?? null,
});

/** Units that turned up outside their markets for the first time: those that live abroad would be told again and again. */
async function diversionsOf(db: Db, orgId: string, period: Period): Promise<Told<DiversionAlertRow>> {
  const told = await listDiversions(db, orgId, period, MOST_DIVERSIONS);
  // Each once, as it turned up first.
  const units = [...new Map(told.map((row) => [row.unit_id, row])).values()];
  const uuidOf = ({ unit_id: id }: DiversionAlertRow) => decodeId('unit', id)!;
  const late = told.filter((row) => row.scanned_at <= period.after);
  const lateIds = late.map((row) => decodeId('scan', row.scan_id)!);
  const known = await knownAsDiverted(db, orgId, units.map(uuidOf), lateIds, period.after);
  const fresh = units.filter((row) => !known.has(uuidOf(row)));
  const oldest = Math.min(...fresh.map((row) => row.created_at.getTime()));
  const { count, hasMore, rows } = sectionOf(fresh.length, fresh.slice(0, EXTENT.top));
  return {
    section: { count, hasMore: hasMore || told.length === MOST_DIVERSIONS, rows },
    oldest: fresh.length === 0 ? null : new Date(oldest),
  };
}

/** What somebody is to be told now; null where there is nothing, `'gathering'` where the first of it may still be followed by more. */
export async function readAlerts(
  db: Db,
  person: Pick<DuePersonRow, 'org_id' | 'role' | 'alerts_told_until'>,
  now: Date,
): Promise<Alerts | 'gathering' | null> {
  const { scopes } = ROLE_TABLE[person.role];
  const orgId = person.org_id;
  const period = { after: person.alerts_told_until, until: toldUntil(now) };
  const allowed = async <Row>(scope: Scope, read: () => Promise<Told<Row>>): Promise<Told<Row>> =>
    scopes.has(scope) ? read() : NOTHING;
  const cases = await allowed('scans.read', async () => counted(await newCases(db, orgId, period, EXTENT)));
  const diversions = await allowed('scans.read', () => diversionsOf(db, orgId, period));
  const reports = await allowed('reports.read', async () =>
    counted(await newReports(db, orgId, period, EXTENT)),
  );
  const receipts = await allowed('consignments.read', async () =>
    counted(await newDiscrepancies(db, orgId, period, EXTENT)),
  );
  const firsts = [cases, diversions, reports, receipts].flatMap(({ oldest }) => oldest ?? []);
  if (firsts.length === 0) return null;
  if (!firsts.some((first) => now.getTime() - first.getTime() >= GATHERING_MINUTES * 60_000))
    return 'gathering';
  return {
    cases: cases.section,
    diversions: diversions.section,
    reports: reports.section,
    receipts: receipts.section,
  };
}
