/**
 * What somebody hears who types the hidden code of a package. The visible code can be copied from a picture; the hidden one only from a
 * package that was opened. So the first who enters it probably holds the original, and where it comes in from visitor after visitor,
 * both codes are on more packages than one.
 */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError } from '../errors.ts';
import type { Keyring } from '../keyring.ts';
import type { Waker } from '../queues.ts';
import { MAX_HIDDEN_CODE_VISITORS } from '../risk/policy.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import { findCounted, holdProfile, scoreAgain } from '../scans/score-again.ts';
import { isHiddenCode } from './hidden-code.ts';
import {
  findEnteringScan,
  findVisitorOfScan,
  findReuse,
  listEntries,
  markScan,
  noteAttempt,
  storeReuse,
  type EntryRow,
} from './repository.ts';

/** `first`: nobody else had entered it before. `repeated`: somebody had. */
export const HIDDEN_CODE_OUTCOMES = ['first', 'repeated', 'wrong'] as const;

export interface HiddenCodeAnswer {
  outcome: (typeof HIDDEN_CODE_OUTCOMES)[number];
  /** When it was entered first, by whomever; null where the answer is `wrong`, which is told no more. */
  firstEnteredAt: Date | null;
  /** Different visitors who have entered it, this one included; 0 where the answer is `wrong`. */
  visitors: number;
}

const WRONG: HiddenCodeAnswer = { outcome: 'wrong', firstEnteredAt: null, visitors: 0 };

export interface HiddenCodeDeps {
  clock: Clock;
  waker: Waker;
  tokenKeys: Keyring;
}

/**
 * Checks a hidden code that was typed with a scan, and notes it. Nothing is noted of a scan from the organization's own networks, nor of a
 * unit that is not on sale yet, whose codes are still being checked in production.
 * @param scanId UUID of the scan just made
 * @throws AppError CONFLICT where the unit's package has no hidden code
 */
export async function enterHiddenCode(
  { clock, waker, tokenKeys }: HiddenCodeDeps,
  uow: UnitOfWork,
  scanId: string,
  typed: string,
): Promise<HiddenCodeAnswer & { isNoted: boolean }> {
  const { db } = uow;
  const scan = await findEnteringScan(db, scanId);
  if (scan === null || !scan.hidden_codes)
    throw new AppError('CONFLICT', { detail: 'there is no hidden code on this package' });
  const isRight = isHiddenCode(tokenKeys, scan.code, scan.token_key, typed);
  const isNoted = !scan.is_internal && scan.result !== 'inactive';
  if (isNoted) {
    await holdProfile(db, scan.unit_id);
    await noteAttempt(db, scan, isRight, clock.now());
    await markScan(db, scan.id, isRight);
  }
  if (!isRight) return { ...WRONG, isNoted };
  if (isNoted && (await isNewlyReused(db, scan.unit_id))) {
    await storeReuse(db, scan.unit_id, scan.at);
    await scoreAgain({ waker }, uow, scanId, await findCounted(db, scanId), clock.now());
  }
  const { isEntered: _, ...answer } = await answerOf(db, scanId);
  return { ...answer, isNoted };
}

/** Whether more visitors have entered a unit's code than one package explains, since a person found no copy, and that is news. */
async function isNewlyReused(db: Db, unitId: string): Promise<boolean> {
  const { dismissed_at: dismissedAt, reused_at: reusedAt, ...policies } = await findReuse(db, unitId);
  if (reusedAt !== null && (dismissedAt === null || reusedAt > dismissedAt)) return false;
  const { clone } = effectivePolicy(policies.org_policy, policies.product_policy);
  return (
    countVisitors(await listEntries(db, unitId, dismissedAt, MAX_HIDDEN_CODE_VISITORS)) >=
    clone.hiddenCodeVisitors
  );
}

/**
 * What the visitor of a scan was told who had entered the right code, with that scan or another one.
 * @returns null for one who has not
 */
export async function findAnswer(db: Db, scanId: string): Promise<HiddenCodeAnswer | null> {
  const { isEntered, ...answer } = await answerOf(db, scanId);
  return isEntered ? answer : null;
}

/** For a visitor who has entered it, or is doing so without being noted. */
async function answerOf(db: Db, scanId: string): Promise<HiddenCodeAnswer & { isEntered: boolean }> {
  const { unit_id: unitId, ...visitor } = await findVisitorOfScan(db, scanId);
  const entries = await listEntries(db, unitId, null, MAX_HIDDEN_CODE_VISITORS);
  const own = entries.findIndex((entry) => entry.scan_id === scanId || isSame(entry, visitor));
  const before = own === -1 ? entries : entries.slice(0, own);
  return {
    isEntered: own !== -1,
    outcome: before.length === 0 ? 'first' : 'repeated',
    firstEnteredAt: entries[0]?.at ?? null,
    visitors: countVisitors(entries),
  };
}

type Visitor = Pick<EntryRow, 'session_id' | 'network_id'>;

/** A session is one visitor wherever it is, and so is a network. */
const isSame = (a: Visitor, b: Visitor): boolean =>
  (a.session_id !== null && a.session_id === b.session_id) ||
  (a.network_id !== null && a.network_id === b.network_id);

function countVisitors(entries: readonly Visitor[]): number {
  const known: Visitor[] = [];
  let visitors = 0;
  for (const entry of entries) {
    if (!known.some((other) => isSame(other, entry))) visitors += 1;
    known.push(entry);
  }
  return visitors;
}
