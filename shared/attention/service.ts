/** What needs somebody's attention now, each kind for those that may see it. */
import type { Scope } from '../api-keys/scopes.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { speakForAnother } from '../risk/calibration.ts';
import {
  closedCases,
  discrepantReceipts,
  MOST_COUNTED,
  newReports,
  notableBarcodeJobs,
  notableBulkJobs,
  overdueConsignments,
  troubledEndpoints,
  waitingCases,
} from './repository.ts';

export { MOST_COUNTED } from './repository.ts';

/** Rows of each kind that are shown. */
export const TOP = 5;
/** A consignment that is under way for longer is overdue. */
export const OVERDUE_DAYS = 14;
/** Receipts within these days that are not as was sent. */
export const RECEIPT_DAYS = 14;
/** Jobs that failed within these days. */
export const FAILED_DAYS = 7;
/** Cases closed within these days say whether the threshold fits. */
export const DECISION_DAYS = 365;
/** Who changed the risk policy or had one tried is left alone for these days. */
export const LOOKED_DAYS = 30;
const DAY_MS = 86_400_000;

/** A consignment that left before then, and that nobody has confirmed, is overdue. */
export const overdueBefore = (now: Date): Date => new Date(now.getTime() - OVERDUE_DAYS * DAY_MS);

/** The first instant of the last `days` days. */
export const receivedSince = (now: Date, days = RECEIPT_DAYS): Date =>
  new Date(now.getTime() - days * DAY_MS);

/** A job that failed before then is old news. */
export const failedSince = (now: Date): Date => new Date(now.getTime() - FAILED_DAYS * DAY_MS);

export interface Section<Row> {
  /** At most {@link MOST_COUNTED}. */
  count: number;
  hasMore: boolean;
  rows: Row[];
}

/** What decisions say of the risk policy, in at most one row. */
async function thresholdInDoubt(db: Db, orgId: string, now: Date) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const found = await closedCases(db, orgId, daysAgo(DECISION_DAYS), daysAgo(LOOKED_DAYS));
  return found !== null && speakForAnother(found) ? [{ ...found, total: 1 }] : [];
}

const sectionOf = <Row extends { total: number }>(rows: Row[]): Section<Row> => ({
  count: Math.min(rows[0]?.total ?? 0, MOST_COUNTED),
  hasMore: (rows[0]?.total ?? 0) > MOST_COUNTED,
  rows,
});

/** @param scopes of the caller; a kind that they do not cover is null. */
export async function readAttention(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  scopes: ReadonlySet<Scope>,
) {
  const now = clock.now();
  const since = failedSince(now);
  const allowed = async <Row extends { total: number }>(
    anyOf: readonly Scope[],
    read: () => Promise<Row[]>,
  ) => (anyOf.some((scope) => scopes.has(scope)) ? sectionOf(await read()) : null);
  return {
    cases: await allowed(['scans.read'], () => waitingCases(db, orgId, TOP)),
    thresholds: await allowed(['scans.write'], () => thresholdInDoubt(db, orgId, now)),
    reports: await allowed(['reports.read', 'reports.write'], () => newReports(db, orgId, TOP)),
    endpoints: await allowed(['webhooks.read', 'webhooks.write'], () => troubledEndpoints(db, orgId, TOP)),
    barcodeJobs: await allowed(['products.read', 'barcodes.generate'], () =>
      notableBarcodeJobs(db, orgId, since, TOP),
    ),
    bulkJobs: await allowed(['product_units.write', 'consignments.read', 'consignments.write'], () =>
      notableBulkJobs(db, orgId, since, TOP),
    ),
    receipts: await allowed(['consignments.read', 'consignments.write'], () =>
      discrepantReceipts(db, orgId, receivedSince(now), TOP),
    ),
    consignments: await allowed(['consignments.read', 'consignments.write'], () =>
      overdueConsignments(db, orgId, overdueBefore(now), TOP),
    ),
  };
}

export type Attention = Awaited<ReturnType<typeof readAttention>>;
