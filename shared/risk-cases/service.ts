/** Cases: what people make of suspicious units. Closing one is a decision on the unit, which no signal overwrites. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField, invalidTransition, movedMeanwhile, refuseTaken } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid, uuidFloor } from '../ids.ts';
import { requireAssignable } from '../organizations/service.ts';
import type { RiskSignal } from '../risk/types.ts';
import { decideUnit, lockAnyProfile, lockProfile, raiseSuspicion } from '../scans/decisions.ts';
import { findNewestSignals } from '../scans/service.ts';
import { getUnit } from '../units/service.ts';
import {
  dismissConfirmed,
  findCase,
  findConfirmedCase,
  findOpenCase,
  insertCase,
  insertDecision,
  insertNote,
  listDecisions,
  listNotes,
  lockCase,
  setCaseState,
  type CasedUnit,
  type CaseRow,
  type DecisionRow,
  type NoteRow,
} from './repository.ts';
import { canMove, CLOSING_REASONS, isClosed, type CaseStatus, type ClosingReason } from './states.ts';

export { listCases, type CaseFilter, type CaseRow, type DecisionRow, type NoteRow } from './repository.ts';

export interface CaseWithNotes {
  row: CaseRow;
  notes: NoteRow[];
  /** All of them, the one in force last. */
  decisions: DecisionRow[];
  /** The newest signal of each kind that the case gathered. */
  evidence: RiskSignal[];
}

const noCase = () => new AppError('NOT_FOUND', { detail: 'no such case' });

/** @throws AppError NOT_FOUND */
export async function getCase(db: Db, orgId: string, id: string): Promise<CaseWithNotes> {
  const row = await findCase(db, orgId, id);
  if (row === null) throw noCase();
  const { unit_id: unitId, first_scan_id: firstScanId, last_scan_id: lastScanId } = row;
  const evidence =
    firstScanId === null || lastScanId === null
      ? []
      : await findNewestSignals(db, orgId, { unitId, firstScanId, until: evidenceUntil(row, lastScanId) });
  return { row, notes: await listNotes(db, id), decisions: await listDecisions(db, id), evidence };
}

/** Until the transaction ends, nobody else changes the case: neither scoring nor who decides another case of its unit. */
export async function lockUnitOfCase(db: Db, orgId: string, id: string): Promise<void> {
  const found = await findCase(db, orgId, id);
  if (found !== null) await lockProfile(db, found.unit_id);
}

/** Up to which scan each kind may have been seen. Scans since a person's confirmation say nothing but that, however many there are. */
function evidenceUntil(row: CaseRow, lastScanId: string): Map<string, string> {
  const end = row.status === 'confirmed' && row.closed_at !== null ? uuidFloor(row.closed_at) : null;
  return new Map(
    row.signals.map((type) => {
      const until = row.evidence_until[type] ?? lastScanId;
      return [type, end !== null && end < until ? end : until];
    }),
  );
}

export interface CaseDraft {
  /** UUID. */
  unitId: string;
  note?: string | undefined;
  /** UUID of a user of the organization. */
  assigneeId?: string | null | undefined;
  /** UUID of the counterfeit report about the unit that tells of it. */
  reportId?: string | null | undefined;
}

/**
 * Opens a case for what people know and scans do not show: a fake in a shop, a seizure. The unit is under suspicion until the
 * case is dismissed. That makes none of its scans suspicious: the rules may, and a confirmation does. A unit that has an open
 * case keeps that one and whose it is, and the note goes there.
 * @param author public id of who opens it
 * @throws AppError VALIDATION_FAILED for a unit or an assignee that is not the organization's; CONFLICT beside a confirmed case of the unit
 */
export async function openCase(
  deps: { clock: Clock },
  db: Db,
  orgId: string,
  { unitId, note, assigneeId, reportId = null }: CaseDraft,
  author: string,
): Promise<CaseWithNotes & { isNew: boolean }> {
  const unit = await getUnit(db, orgId, unitId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw invalidField('productUnitId', refusal('NO_SUCH_UNIT', 'no such unit'));
    throw error;
  });
  await lockAnyProfile(db, { orgId, unitId });
  await refuseBesideConfirmed(db, unitId);
  const { id, isNew } = await suspectUnit(deps, db, { orgId, unit, openedBy: author, reportId });
  const change = { note, ...(isNew ? { assigneeId } : {}) };
  return { ...(await changeCase(deps, db, orgId, id, change, author)), isNew };
}

/**
 * Opens a case because a report of a counterfeit was confirmed; nothing where the unit has an open or a confirmed one.
 * @param author public id of who confirmed the report
 * @returns the new case
 */
export async function openCaseOfReport(
  deps: { clock: Clock },
  db: Db,
  { id: reportId, orgId, unit }: { id: string; orgId: string; unit: CasedUnit },
  author: string,
): Promise<CaseRow | null> {
  await lockAnyProfile(db, { orgId, unitId: unit.id });
  if ((await findConfirmedCase(db, unit.id)) !== null) return null;
  const { id, isNew } = await suspectUnit(deps, db, { orgId, unit, openedBy: author, reportId });
  return isNew ? findCase(db, orgId, id) : null;
}

/**
 * Puts a unit under suspicion, with a case where none is open. The caller holds its profile; the time is taken only then, or it
 * could be before that of a decision for which the caller waited.
 */
async function suspectUnit(
  { clock }: { clock: Clock },
  db: Db,
  opened: Omit<Parameters<typeof insertCase>[1], 'id' | 'now'>,
): Promise<{ id: string; isNew: boolean }> {
  const now = clock.now();
  await raiseSuspicion(db, opened.unit.id, now);
  const open = await findOpenCase(db, opened.unit.id);
  if (open !== null) return { id: open, isNew: false };
  const id = newUuid();
  await insertCase(db, { id, now, ...opened });
  return { id, isNew: true };
}

export interface CaseChange {
  status?: CaseStatus | undefined;
  closingReason?: ClosingReason | undefined;
  /** UUID of a user of the organization; null for nobody. */
  assigneeId?: string | null | undefined;
  note?: string | undefined;
  /** UUID, null for nobody: nothing changes where the case is with somebody else by now. */
  expectedAssigneeId?: string | null | undefined;
  /** Nothing changes where the case has another status by now. */
  expectedStatus?: CaseStatus | undefined;
}

/** A case that another one's correction changed, as it was and is. */
export interface CorrectedCase {
  before: CaseRow;
  after: CaseRow;
}

/**
 * Changes a case in the caller's transaction. `confirmed` makes the unit suspicious for everybody; `dismissed` clears
 * it, and takes back what spoke against it until now, with all of its cases that said "confirmed".
 * @param author public id of who decides and writes the note
 * @returns the case, and the others that its correction changed
 * @throws AppError NOT_FOUND, INVALID_TRANSITION, VALIDATION_FAILED; CONFLICT for a dismissal beside a confirmed case of the same unit, and where it is with somebody else by now
 */
export async function changeCase(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
  change: CaseChange,
  author: string,
): Promise<CaseWithNotes & { corrected: CorrectedCase[] }> {
  // The profile first, as scoring takes them, or the two could wait for each other.
  await lockUnitOfCase(db, orgId, id);
  const before = await lockCase(db, orgId, id);
  // Not before the locks: of two who wait for each other, the later one decides later.
  const now = clock.now();
  if (before === null) throw noCase();
  const status = change.status ?? before.status;
  if (change.expectedStatus !== undefined && change.expectedStatus !== before.status)
    throw movedMeanwhile('case', change.expectedStatus, before.status);
  refuseTaken('case', change.expectedAssigneeId, before.assignee_id, change.assigneeId);
  if (!canMove(before.status, status)) throw invalidTransition(before.status, status);
  const closingReason = reasonFor(status, before, change.closingReason);
  // Whoever has it keeps it, also one who has left since.
  if (change.assigneeId && change.assigneeId !== before.assignee_id)
    await requireAssignable(db, orgId, change.assigneeId);
  const moved = status !== before.status;
  const isCorrected = moved && before.status === 'confirmed';
  if (moved && status === 'dismissed' && !isCorrected) await refuseBesideConfirmed(db, before.unit_id);
  await setCaseState(db, id, {
    status,
    closingReason,
    assigneeId: change.assigneeId === undefined ? before.assignee_id : change.assigneeId,
    closedAt: !isClosed(status) ? null : moved ? now : before.closed_at,
    now,
  });
  const others = isCorrected ? await dismissConfirmed(db, before.unit_id, closingReason, now) : [];
  if (moved && isClosed(status)) await decideUnit(db, before.unit_id, status, now);
  // Another case that is open goes on: what people said in it is not taken back with this one.
  if (isCorrected && (await findOpenCase(db, before.unit_id)) !== null)
    await raiseSuspicion(db, before.unit_id, now);
  if (isClosed(status) && closingReason !== null && (moved || closingReason !== before.closing_reason)) {
    const made = {
      orgId,
      unitId: before.unit_id,
      decision: status,
      closing_reason: closingReason,
      author,
      at: now,
    };
    for (const caseId of [...others.map((other) => other.id), id])
      await insertDecision(db, { id: newUuid(), caseId, ...made });
  }
  if (change.note !== undefined)
    await insertNote(db, { id: newUuid(), caseId: id, author, text: change.note, now });
  const closed = { status, closing_reason: closingReason, closed_at: now, updated_at: now };
  const corrected = others.map((other) => ({ before: other, after: { ...other, ...closed } }));
  return { ...(await getCase(db, orgId, id)), corrected };
}

/** One unit has one decision: a case that goes on saying "confirmed" is to be changed itself. @throws AppError CONFLICT */
async function refuseBesideConfirmed(db: Db, unitId: string): Promise<void> {
  const confirmed = await findConfirmedCase(db, unitId);
  if (confirmed === null) return;
  throw new AppError('CONFLICT', {
    detail: `another case of this unit is confirmed: ${encodeId('case', confirmed)}; change that one`,
  });
}

/** @throws AppError VALIDATION_FAILED where a closing lacks its reason, or a reason does not belong to the status */
function reasonFor(
  status: CaseStatus,
  before: CaseRow,
  given: ClosingReason | undefined,
): ClosingReason | null {
  if (!isClosed(status)) {
    if (given !== undefined)
      throw invalidField(
        'closingReason',
        refusal('ONLY_WHEN_CLOSED', 'is only for a case that is closed', { status }),
      );
    return null;
  }
  const reason = given ?? (status === before.status ? before.closing_reason : null);
  const known: readonly string[] = CLOSING_REASONS[status];
  if (reason === null)
    throw invalidField('closingReason', refusal('REQUIRED', `is needed: one of ${known.join(', ')}`));
  if (!known.includes(reason))
    throw invalidField(
      'closingReason',
      refusal('UNKNOWN_CHOICE', `must be one of ${known.join(', ')}`, { choices: [...known] }),
    );
  return reason;
}
