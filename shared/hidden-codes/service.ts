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
import type { RiskPolicy } from '../risk/policy.ts';
import { holdProfile } from '../scans/score-again.ts';
import { noteShownCopy } from '../scans/shown-copies.ts';
import { findVisitor } from '../scans/told-apart.ts';
import { isHiddenCode } from './hidden-code.ts';
import {
  countVisitorsSince,
  findEntered,
  findEnteringScan,
  findVisitorOfScan,
  markScan,
  noteAttempt,
  type EnteredRow,
  type EnteringScan,
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

const noHiddenCode = () => new AppError('CONFLICT', { detail: 'there is no hidden code on this package' });

/** Before a scan is made of what is refused all the same. @throws AppError CONFLICT where a unit's package has no hidden code */
export async function requireHiddenCode(unit: { hidden_codes: boolean } | null): Promise<void> {
  if (unit !== null && !unit.hidden_codes) throw noHiddenCode();
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
  if (scan === null || !scan.hidden_codes) throw noHiddenCode();
  // A GS1 Digital Link outlives the key of its unit's token: without it nobody knows which code is right.
  if (!tokenKeys.some(({ id }) => id === scan.token_key)) throw noHiddenCode();
  const isRight = isHiddenCode(tokenKeys, scan.code, scan.token_key, typed);
  const isNoted = !scan.is_internal && scan.is_on_sale;
  if (!isRight) {
    // Guesses wait for no scoring, and hold up nobody's scan.
    if (isNoted) await note(db, scan, null, clock.now());
    return { ...WRONG, isNoted };
  }
  if (isNoted) await holdProfile(db, scan.unit_id);
  // Not before the lock: a person may have decided meanwhile.
  const now = clock.now();
  const known = await findVisitor(db, 'hidden-code', scan);
  const entered = await findEntered(db, scan.unit_id);
  const visitor = known?.visitor ?? entered.visitors + 1;
  if (!isNoted) return { ...answerOf(visitor, entered), isNoted };
  await note(db, scan, visitor, now);
  const visitors = Math.max(entered.visitors, visitor);
  const shown = {
    by: 'hidden-code',
    visitors: async (since: Date | null) =>
      since === null ? visitors : countVisitorsSince(db, scan.unit_id, since),
    needed: ({ clone }: RiskPolicy) => clone.hiddenCodeVisitors,
  } as const;
  await noteShownCopy({ waker }, uow, scan, shown, now);
  return { ...answerOf(visitor, { first_at: entered.first_at ?? now, visitors }), isNoted };
}

/** @param visitor which of the unit's, from 1; null where it was wrong */
async function note(db: Db, scan: EnteringScan, visitor: number | null, now: Date): Promise<void> {
  await noteAttempt(db, scan, visitor, now);
  await markScan(db, scan.id, visitor !== null);
}

/**
 * What the visitor of a scan was told who had entered the right code, with that scan or another one of the same session, or a wrong one with
 * that scan.
 * @returns null for one who has not: of a network's people only who typed it is told what it says
 */
export async function findAnswer(db: Db, scanId: string): Promise<HiddenCodeAnswer | null> {
  const scan = await findVisitorOfScan(db, scanId);
  const known = await findVisitor(db, 'hidden-code', scan);
  if (known?.isSession === true) return answerOf(known.visitor, await findEntered(db, scan.unit_id));
  return scan.hidden_code_correct === false ? WRONG : null;
}

/** @param visitor which of the unit's, from 1, has entered the right code, or would be where that is not noted */
const answerOf = (visitor: number, { first_at: firstEnteredAt, visitors }: EnteredRow): HiddenCodeAnswer => ({
  outcome: visitor === 1 ? 'first' : 'repeated',
  firstEnteredAt,
  visitors,
});
