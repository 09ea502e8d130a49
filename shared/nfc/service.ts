/**
 * What a tap of a package's NFC tag says. The tag signs a counter that grows with each tap, so an address that was copied from it, onto
 * whatever many other tags, says a counter that somebody came with before, or that a later one has overtaken.
 */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import type { Keyring } from '../keyring.ts';
import type { Waker } from '../queues.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import { holdProfile } from '../scans/score-again.ts';
import { noteShownCopy } from '../scans/shown-copies.ts';
import { findVisitor } from '../scans/told-apart.ts';
import {
  countReplayers,
  findFirstTap,
  findLastVisitor,
  findOvertakenSince,
  findOwnTap,
  findTapOfScan,
  findTappingScan,
  insertTap,
  markScan,
  type FirstTapRow,
  type TappingScan,
  type TapRow,
} from './repository.ts';
import type { NfcTapOutcome } from './outcome.ts';
import { tagKeysOf } from './tag-keys.ts';
import { counterOfTap, type SentTap } from './tap.ts';

export interface NfcTapAnswer {
  outcome: NfcTapOutcome;
  /** Which of the tag's taps it was; null where it is invalid. */
  counter: number | null;
  /** Since when somebody else had come with this tap or a later one; null unless it is replayed. */
  staleSince: Date | null;
}

/** For so long a browser without cookies is known by its network and its name. */
const WITHOUT_COOKIE_MS = 10 * 60_000;

/** So long a phone with bad reception takes to come with a tap, while somebody taps behind it, and comes first: no replay is told of that. */
const ON_THE_WAY_MS = 2 * 60_000;

const INVALID: NfcTapAnswer = { outcome: 'invalid', counter: null, staleSince: null };

const answerOf = ({ counter, stale_since: staleSince }: TapRow): NfcTapAnswer => ({
  outcome: staleSince === null ? 'fresh' : 'replayed',
  counter,
  staleSince,
});

export interface NfcDeps {
  clock: Clock;
  waker: Waker;
  tokenKeys: Keyring;
}

/**
 * Checks a tap with which a scan was made of a unit whose package has a tag, and notes it. Nothing is noted of a scan from the
 * organization's own networks, nor of a unit that is not on sale yet, whose tags are still being checked in production.
 * @param scanId UUID of the scan just made
 * @param isLinked whether the visitor came by a link of another site: what they were sent is told as it is, and speaks for no copy
 * @returns null where nobody knows what the tag signs
 */
export async function noteNfcTap(
  { clock, waker, tokenKeys }: NfcDeps,
  uow: UnitOfWork,
  scanId: string,
  sent: SentTap | 'malformed',
  isLinked: boolean,
): Promise<NfcTapAnswer | null> {
  const { db } = uow;
  const scan = await findTappingScan(db, scanId);
  if (scan === null) return null;
  // A GS1 Digital Link outlives the key of its unit's token: without it nobody knows what its tag signs.
  if (!tokenKeys.some(({ id }) => id === scan.token_key)) return null;
  const { read } = tagKeysOf(tokenKeys, scan.code, scan.token_key);
  const counter = sent === 'malformed' ? null : counterOfTap(read, sent);
  const isNoted = !scan.is_internal && scan.is_on_sale;
  if (counter === null) {
    if (isNoted) await markScan(db, scan.id, 'invalid');
    return INVALID;
  }
  // Of two who come with the same tap at once, one waits here.
  if (isNoted) await holdProfile(db, scan.unit_id);
  const now = clock.now();
  const tap = await judge(db, scan, counter, now);
  const answer = answerOf(tap);
  if (!isNoted) return answer;
  const known = await findVisitor(db, 'nfc-replay', scan);
  const visitor = known?.visitor ?? (await findLastVisitor(db, scan.unit_id)) + 1;
  await insertTap(db, scan, tap, { visitor, isLinked }, now);
  await markScan(db, scan.id, answer.outcome);
  if (answer.outcome === 'replayed' && !isLinked) {
    const shown = {
      by: 'nfc-tap',
      visitors: (since: Date | null) => countReplayers(db, scan.unit_id, since),
      needed: ({ clone }: RiskPolicy) => clone.nfcReplayVisitors,
    } as const;
    await noteShownCopy({ waker }, uow, scan, shown, now);
  }
  return answer;
}

/** A visitor's own tap stays what it was, however often the page is loaded. */
async function judge(db: Db, scan: TappingScan, counter: number, now: Date): Promise<TapRow> {
  const own = await findOwnTap(db, scan, counter);
  if (own !== null) return own;
  const before = (ms: number) => new Date(now.getTime() - ms);
  const ownFrom = before(WITHOUT_COOKIE_MS);
  const first = await findFirstTap(db, scan.unit_id, counter);
  if (first !== null && isOwn(first, scan, ownFrom)) return { counter, stale_since: first.stale_since };
  const overtakenAt = await findOvertakenSince(db, scan, counter, { until: before(ON_THE_WAY_MS), ownFrom });
  return { counter, stale_since: earlierOf(first?.at ?? null, overtakenAt) };
}

/** Counted from the first time: many of the same browser, one after the other in one network, would else stay one visitor for ever. */
const isOwn = (first: FirstTapRow, scan: TappingScan, from: Date): boolean =>
  first.at > from &&
  scan.network_id !== null &&
  first.network_id === scan.network_id &&
  first.user_agent === scan.user_agent;

function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** What the newest tap said that came with a scan; null where none did, or it was invalid. */
export async function findNfcTap(db: Db, scanId: string): Promise<NfcTapAnswer | null> {
  const tap = await findTapOfScan(db, scanId);
  return tap === null ? null : answerOf(tap);
}
