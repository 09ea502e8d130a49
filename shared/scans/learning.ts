/** Learns from organizations' histories, once a day: how their units looked when a new visitor came, and what became of them. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { newUuid } from '../ids.ts';
import { learn, MATURE_MS } from '../risk/hindsight.ts';
import type { RiskAssessment } from '../risk/types.ts';
import {
  deleteOldLooks,
  listLooks,
  listUnlearned,
  storeHindsight,
  type LookRow,
  type NewLook,
} from './hindsight-repository.ts';
import type { WaitingUnitRow } from './scoring-repository.ts';

const DAY_MS = 86_400_000;
/** Housekeeping comes by once an hour, not to the second. */
const LEARNED_FOR_MS = DAY_MS - 3_600_000;
/** The newest: growing trees from so many takes a second, in which the process does nothing else. */
const MOST_LOOKS = 40_000;
const ORGANIZATIONS_AT_A_TIME = 100;
const DELETED_AT_A_TIME = 20_000;
/** Two million looks an hour; a thousand new visitors a second leave half a million. */
const MOST_BATCHES = 100;

/** How a unit looked with each of its new visitors among what was just scored. */
export const looksOf = (
  { unit_id: unitId, org_id: orgId }: Pick<WaitingUnitRow, 'unit_id' | 'org_id'>,
  assessments: readonly Pick<RiskAssessment, 'look' | 'profile'>[],
): NewLook[] =>
  assessments.flatMap(({ look, profile: { visitors, lastAt } }) =>
    look === null ? [] : [{ unitId, orgId, visitors, at: new Date(lastAt), look }],
  );

export interface LearningDeps {
  db: Pool;
  clock: Clock;
  config: { SCAN_RETENTION_DAYS: number };
}

/** @returns how many organizations' histories were looked at, how many of them said something, and how many looks were too old */
export async function learnHindsights({
  db,
  clock,
  config,
}: LearningDeps): Promise<{ organizations: number; learned: number; forgotten: number }> {
  const now = clock.now();
  const forgotten = await forgetLooks(db, config.SCAN_RETENTION_DAYS, now);
  const matureUntil = new Date(now.getTime() - MATURE_MS);
  const learnedUntil = new Date(now.getTime() - LEARNED_FOR_MS);
  const organizations = await listUnlearned(db, { matureUntil, learnedUntil }, ORGANIZATIONS_AT_A_TIME);
  let learned = 0;
  for (const orgId of organizations) {
    const looks = await listLooks(db, orgId, matureUntil, MOST_LOOKS);
    const hindsight = learn(looks, countTurned(looks));
    if (hindsight !== null) learned += 1;
    await storeHindsight(db, orgId, { version: newUuid(), hindsight, now });
  }
  return { organizations: organizations.length, learned, forgotten };
}

async function forgetLooks(db: Pool, mostDays: number, now: Date): Promise<number> {
  let forgotten = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const deleted = await deleteOldLooks(db, mostDays, now, DELETED_AT_A_TIME);
    forgotten += deleted;
    if (deleted < DELETED_AT_A_TIME) break;
  }
  return forgotten;
}

const countTurned = (looks: readonly LookRow[]): number =>
  new Set(looks.filter(({ turned }) => turned).map(({ unit_id: unitId }) => unitId)).size;
