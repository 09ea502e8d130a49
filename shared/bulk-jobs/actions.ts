/** What each action does to one slice of units, or to a batch as a whole. */
import { holdUnits } from '../consignments/holding.ts';
import type { UnitOfWork } from '../db.ts';
import { refusal, type Refusal } from '../field-errors.ts';
import type { Waker } from '../queues.ts';
import {
  liftRecallOf,
  liftUnitRecalls,
  recallUnits,
  startRecall,
  summarizeScans,
  type RecallText,
} from '../recalls/service.ts';
import { moveUnits } from '../units/service.ts';
import type { Clock } from '../clock.ts';
import type { BulkJobRow, BulkProblem } from './repository.ts';
import type { SourceUnit } from './source-repository.ts';

export interface SliceOutcome {
  changed: number;
  unchanged: number;
  problems: BulkProblem[];
  /** Replaces the job's. */
  result?: Record<string, unknown>;
}

export type FoundUnit = SourceUnit & { unit_id: string };
export type Action = (
  deps: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  job: BulkJobRow,
  units: FoundUnit[],
) => Promise<SliceOutcome>;

const idsOf = (units: readonly FoundUnit[]): string[] => [...new Set(units.map((unit) => unit.unit_id))];

export const problemOf = ({ line, ref }: SourceUnit, refused: Refusal): BulkProblem => ({
  line,
  ref,
  ...refused,
});

const move =
  (to: 'active' | 'suspended'): Action =>
  async (deps, { db }, job, units) => {
    const from = job.params.onlyMinted === true ? (['minted'] as const) : undefined;
    const { moved, left } = await moveUnits(deps, db, job.org_id, idsOf(units), to, from);
    const problems: BulkProblem[] = [];
    for (const unit of units) {
      // Not the unit's own: that was read before another job, which was waited for, moved it.
      const status = left.get(unit.unit_id);
      if (status === undefined || status === to || from !== undefined) continue;
      const message = `cannot go from "${status}" to "${to}"`;
      problems.push(problemOf(unit, refusal('UNIT_STATE', message, { from: status, to })));
    }
    return { changed: moved.size, unchanged: units.length - moved.size - problems.length, problems };
  };

const textOf = ({ params }: BulkJobRow): RecallText => {
  const { reason = null, messages = {}, contact = null } = params;
  return { reason, messages, contact };
};

const recall: Action = async ({ clock }, { db }, job, units) => {
  const changed = await recallUnits(db, job.org_id, idsOf(units), textOf(job), clock.now());
  return { changed, unchanged: units.length - changed, problems: [] };
};

const lift: Action = async ({ clock }, { db }, job, units) => {
  const changed = await liftUnitRecalls(db, job.org_id, idsOf(units), clock.now());
  return { changed, unchanged: units.length - changed, problems: [] };
};

const consign: Action = async (_deps, { db }, job, units) => {
  const voided = units.filter((unit) => unit.status === 'voided');
  const target = { orgId: job.org_id, consignmentId: job.consignment_id!, jobId: job.id };
  const usable = units.filter((unit) => unit.status !== 'voided');
  const { added, problems } = await holdUnits(db, target, idsOf(usable));
  const refused = [
    ...voided.map((unit) => problemOf(unit, refusal('UNIT_VOIDED', 'is voided'))),
    ...usable
      .filter((unit) => problems.has(unit.unit_id))
      .map((unit) => problemOf(unit, problems.get(unit.unit_id)!)),
  ];
  return { changed: added.size, unchanged: units.length - added.size - refused.length, problems: refused };
};

/** `result` of a preview, as far as it has come. */
interface Preview {
  units: number;
  scannedUnits: number;
  scans: number;
  lastScannedAt: string | null;
  countries: Record<string, number>;
}

const preview: Action = async (_deps, { db }, job, units) => {
  const before = {
    units: 0,
    scannedUnits: 0,
    scans: 0,
    lastScannedAt: null,
    countries: {},
    ...job.result,
  } as Preview;
  const slice = await summarizeScans(db, idsOf(units));
  const countries = { ...before.countries };
  for (const [country, scans] of Object.entries(slice.countries))
    countries[country] = (countries[country] ?? 0) + scans;
  const last = slice.last_scanned_at?.toISOString() ?? null;
  const result: Preview = {
    units: before.units + units.length,
    scannedUnits: before.scannedUnits + slice.scanned_units,
    scans: before.scans + slice.scans,
    lastScannedAt:
      [before.lastScannedAt, last]
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? null,
    countries,
  };
  return { changed: 0, unchanged: units.length, problems: [], result: { ...result } };
};

export const ACTIONS: Record<BulkJobRow['action'], Action> = {
  activate: move('active'),
  suspend: move('suspended'),
  recall,
  'lift-recall': lift,
  consign,
  'preview-recall': preview,
};

/** @returns whether it changed anything. */
type BatchAction = (
  deps: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  job: BulkJobRow,
  batchId: string,
) => Promise<boolean>;

/** What is done to a batch as a whole, by one overlay, instead of to its units. */
export const BATCH_ACTIONS: Partial<Record<BulkJobRow['action'], BatchAction>> = {
  recall: async (deps, uow, job, id) =>
    (await startRecall(deps, uow, job.org_id, { scope: 'batch', id }, textOf(job))).isChanged,
  'lift-recall': (deps, { db }, job, id) => liftRecallOf(deps, db, job.org_id, { scope: 'batch', id }),
};
