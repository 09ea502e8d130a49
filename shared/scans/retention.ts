/**
 * What is forgotten of scans, and when (docs/privacy.md). Each rule walks along the ids, which are times, and keeps a mark
 * of how far it came: a run touches what has come of age since the last one, and no partition before or after that.
 */
import type { Clock } from '../clock.ts';
import { withTransaction, type Pool } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import { coarseProfile, coarseSignals } from '../risk/coarse.ts';
import {
  forgetPseudonyms,
  listAged,
  lockMark,
  lockProfiles,
  makeScansCoarse,
  moveMark,
  replaceProfiles,
  type RetentionStep,
} from './retention-repository.ts';

const DAY_MS = 86_400_000;
/** Rows of one transaction: a few tens of milliseconds. */
const BATCH = 2_000;

/**
 * A visitor's own position is not only in its scan: the evidence of later scans names it, and the unit's profile remembers it.
 * So evidence becomes coarse as its scan does, and a profile as a whole as soon as one of its exact positions comes of age.
 */
const makeCoarse: RetentionStep = async (db, fromId, toId, batch) => {
  const aged = await listAged(db, fromId, toId, batch);
  const [first, last] = [aged[0], aged.at(-1)];
  if (first === undefined || last === undefined) return { rows: 0, last: null };
  // Profiles before scans, as scoring locks them.
  const exact = new Set(aged.filter((scan) => scan.is_exact).map((scan) => scan.unit_id));
  const profiles = exact.size === 0 ? [] : await lockProfiles(db, [...exact]);
  if (profiles.length > 0)
    await replaceProfiles(
      db,
      profiles.map(({ unit_id, profile }) => ({ unit_id, profile: coarseProfile(profile) })),
    );
  const signals = aged.flatMap((scan) =>
    scan.signals === null ? [] : [[scan.id, coarseSignals(scan.signals)] as const],
  );
  await makeScansCoarse(db, first.id, last.id, new Map(signals));
  return { rows: aged.length, last: last.id };
};

const RULES = { addresses: makeCoarse, pseudonyms: forgetPseudonyms } as const;

export interface RetentionPeriods {
  /** Until addresses, browsers, sessions and exact positions go. */
  addressDays: number;
  /** Until what is left of the network goes. */
  pseudonymDays: number;
}

/** Applies both rules to all that has come of age. @returns how many scans were changed. */
export async function applyRetention(
  { db, clock }: { db: Pool; clock: Clock },
  { addressDays, pseudonymDays }: RetentionPeriods,
  batch = BATCH,
): Promise<number> {
  const before = (days: number) => uuidFloor(new Date(clock.now().getTime() - days * DAY_MS));
  const limits = { addresses: before(addressDays), pseudonyms: before(pseudonymDays) };
  let changed = 0;
  for (const rule of ['addresses', 'pseudonyms'] as const) {
    for (;;) {
      const rows = await step(db, rule, RULES[rule], limits[rule], batch);
      changed += rows;
      if (rows < batch) break;
    }
  }
  return changed;
}

function step(db: Pool, rule: string, apply: RetentionStep, limit: string, batch: number): Promise<number> {
  return withTransaction(db, async (uow) => {
    const from = await lockMark(uow.db, rule);
    const { rows, last } = await apply(uow.db, from, limit, batch);
    if (last !== null) await moveMark(uow.db, rule, last);
    return rows;
  });
}
