/** Plays a plan: real verifications, scored and delivered as the hours go by. */
import { withTransaction } from '../shared/db.ts';
import { hiddenCodeOf } from '../shared/hidden-codes/hidden-code.ts';
import { enterHiddenCode } from '../shared/hidden-codes/service.ts';
import { noteNfcTap } from '../shared/nfc/service.ts';
import { tagKeysOf } from '../shared/nfc/tag-keys.ts';
import { macOfTap } from '../shared/nfc/tap.ts';
import { reviewLots } from '../shared/scans/lot-review.ts';
import { scoreWaitingScans } from '../shared/scans/scoring.ts';
import { parseToken } from '../shared/units/token.ts';
import type { Sample } from './deps.ts';
import type { PlannedScan } from './journeys.ts';
import type { SampleUnit } from './goods.ts';
import { HOUR } from './time.ts';

/** Something else that happens at a time. */
export interface Appointment {
  at: number;
  run(): Promise<void>;
}

/** Scans are scored this long after the first of them at the latest. */
const WAVE_MS = 6 * HOUR;
const UNITS_AT_A_TIME = 200;

/** Verifies side by side, but one unit's scans one after the other, as they were made. */
async function verifyWave(sample: Sample, taps: Taps, scans: readonly PlannedScan[]): Promise<void> {
  const { verifier, time } = sample;
  const byUnit = new Map<string, PlannedScan[]>();
  for (const scan of scans) byUnit.set(scan.unit.id, [...(byUnit.get(scan.unit.id) ?? []), scan]);
  await Promise.all(
    [...byUnit.values()].map(async (ofUnit) => {
      for (const { at, unit, ip, userAgent, session, entered, tapped } of ofUnit) {
        const visitor = { ip, userAgent, session: { id: session, isNew: false } };
        await time.at(at, async () => {
          const { scan } = await verifier.verify({ token: unit.token }, visitor);
          if (scan !== null && entered !== undefined) await enter(sample, scan.id, unit, entered);
          if (scan !== null && tapped !== undefined) await tap(sample, taps, scan.id, unit, tapped);
        });
      }
    }),
  );
}

async function enter(
  sample: Sample,
  scanId: string,
  { token }: SampleUnit,
  entered: 'correct' | 'wrong',
): Promise<void> {
  const { deps } = sample;
  const tokenKeys = deps.config.TOKEN_KEYS;
  const code = parseToken(tokenKeys, token)!;
  const typed = entered === 'correct' ? hiddenCodeOf(tokenKeys, code, tokenKeys[0].id) : 'AAAA-BBBB';
  await inTransaction(sample, (uow) => enterHiddenCode({ ...deps, tokenKeys }, uow, scanId, typed));
}

/** Taps of the originals so far, by unit. */
type Taps = Map<string, number>;
/** Whoever copied an address had tapped before anybody bought it. */
const COPIED_TAP = 1;

async function tap(
  sample: Sample,
  taps: Taps,
  scanId: string,
  { id, token }: SampleUnit,
  tapped: 'original' | 'copied',
): Promise<void> {
  const { deps } = sample;
  const tokenKeys = deps.config.TOKEN_KEYS;
  const code = parseToken(tokenKeys, token)!;
  const { read } = tagKeysOf(tokenKeys, code, tokenKeys[0].id);
  const counter = tapped === 'copied' ? COPIED_TAP : (taps.get(id) ?? COPIED_TAP) + 1;
  if (tapped === 'original') taps.set(id, counter);
  const told = { uid: code.subarray(0, 7), counter };
  const sent = { told, mac: macOfTap(read, told) };
  await inTransaction(sample, (uow) => noteNfcTap({ ...deps, tokenKeys }, uow, scanId, sent, false));
}

async function scoreAll({ deps, time }: Sample, at: number): Promise<void> {
  await time.at(at, async () => {
    for (;;) {
      const { units } = await scoreWaitingScans(deps, UNITS_AT_A_TIME);
      if (units < UNITS_AT_A_TIME && !(await reviewLots(deps))) return;
    }
  });
}

/**
 * @param deliver sends what is due at a time
 * @returns how many scans were made
 */
export async function playScans(
  sample: Sample,
  scans: readonly PlannedScan[],
  appointments: readonly Appointment[],
  deliver: (at: number) => Promise<void>,
): Promise<number> {
  const agenda = appointments.toSorted((a, b) => a.at - b.at);
  const taps: Taps = new Map();
  const next = { scan: 0, appointment: 0 };
  while (next.scan < scans.length || next.appointment < agenda.length) {
    const appointment = agenda[next.appointment]?.at ?? Infinity;
    const from = Math.min(scans[next.scan]?.at ?? Infinity, appointment);
    // Whoever scans after an appointment finds what it changed: a unit that is recalled, or suspended.
    const until = Math.min(from + WAVE_MS, sample.end, appointment);
    const first = next.scan;
    while (next.scan < scans.length && scans[next.scan]!.at < until) next.scan += 1;
    await verifyWave(sample, taps, scans.slice(first, next.scan));
    await scoreAll(sample, until);
    for (; (agenda[next.appointment]?.at ?? Infinity) <= until; next.appointment += 1) {
      const { at, run } = agenda[next.appointment]!;
      await sample.time.at(at, run);
    }
    await deliver(until);
  }
  return scans.length;
}

/** A transaction of the sample. */
export const inTransaction = <T>(
  sample: Sample,
  work: Parameters<typeof withTransaction<T>>[1],
): Promise<T> => withTransaction(sample.deps.db, work);
