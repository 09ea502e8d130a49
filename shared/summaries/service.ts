/** What a week came to, for people who want to be told: the calendar week of their organization's time zone, once it is over. */
import { listEdges } from '../analytics/edges.ts';
import { readSummary, type Range } from '../analytics/service.ts';
import type { Pool } from '../db.ts';
import { findWorkload } from './repository.ts';

export { listSubscribers, lockSubscriber, storeSummarized, type SubscriberRow } from './repository.ts';

/** Whether somebody is mailed what their organization's weeks came to. */
export const SUMMARY_MAILS = ['weekly', 'never'] as const;

export type SummaryMails = (typeof SUMMARY_MAILS)[number];

const DAY_MS = 86_400_000;
/** After the week's end: late scans are scored and counted by then, and the mail is there in the morning. */
const READ_AFTER_MS = 6 * 3_600_000;
const TOP = 5;

export interface Week extends Range {
  before: Range;
  /** Who was told until then, or began to be, is told of this week. */
  dueUntil: Date;
}

/** The last week that is over for six hours, from Monday to Sunday. @param timeZone an IANA name */
export function lastWeek(timeZone: string, now: Date): Week {
  const [first, second, end] = lastEdges(timeZone, new Date(now.getTime() - READ_AFTER_MS));
  // Not all of the week: in another zone, which the organization had when they were told, it ended up to a day before or after.
  const dueUntil = new Date((second.getTime() + end.getTime()) / 2);
  return { from: second, to: end, before: { from: first, to: second }, dueUntil };
}

/** When the week began in which somebody asks to be told: it is the first that they are told of. */
export const weekOf = (timeZone: string, now: Date): Date => lastEdges(timeZone, now)[2];

/** The last three Mondays that had begun. */
function lastEdges(timeZone: string, now: Date): [Date, Date, Date] {
  // The moment itself counts.
  const to = new Date(now.getTime() + 1);
  const edges = listEdges({ from: new Date(to.getTime() - 21 * DAY_MS), to }, { interval: 'week', timeZone });
  return edges.slice(-3) as [Date, Date, Date];
}

export interface WeekSummary {
  week: Week;
  /** The organization's. */
  timeZone: string;
  scans: number;
  /** Of the week before. */
  scansBefore: number;
  suspicious: number;
  diverted: number;
  /** Units scanned for the first time. */
  firstScanned: number;
  /** Those with most scans; '' where the place was not known. */
  countries: { country: string; scans: number }[];
  /** Those with most that is suspicious or outside its markets, then those with most scans. */
  products: { id: string; name: string; scans: number; doubtful: number }[];
  cases: { opened: number; open: number };
  reports: { received: number; open: number };
}

export async function readWeek(
  pool: Pool,
  { orgId, timeZone, week }: { orgId: string; timeZone: string; week: Week },
): Promise<WeekSummary> {
  const told = await readSummary(pool, { orgId, from: week.from, to: week.to });
  const { scans: scansBefore } = await readSummary(pool, { orgId, ...week.before });
  const workload = await findWorkload(pool, orgId, week);
  return {
    week,
    timeZone,
    scans: told.scans,
    scansBefore,
    suspicious: told.byResult['suspicious'] ?? 0,
    diverted: told.byResult['diverted'] ?? 0,
    firstScanned: told.units.firstScanned,
    countries: told.topCountries.slice(0, TOP).map(({ key, scans }) => ({ country: key, scans })),
    products: told.topProducts.slice(0, TOP).map((product) => ({
      id: product.product_id,
      name: product.name,
      scans: product.scans,
      doubtful: product.suspicious + product.diverted,
    })),
    cases: { opened: workload.cases_opened, open: workload.cases_open },
    reports: { received: workload.reports, open: workload.reports_open },
  };
}

/** A week in which nothing came, after one in which nothing came either, is told to nobody. */
export const isQuiet = ({ scans, scansBefore, cases, reports }: WeekSummary): boolean =>
  scans + scansBefore + cases.opened + reports.received === 0;
