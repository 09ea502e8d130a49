/**
 * That what only one package should have is on more than one: known since a scan, kept in the unit's profile, and weighed by the rules
 * from that scan on until a person finds no copy.
 */
import type { Db, UnitOfWork } from '../db.ts';
import type { Waker } from '../queues.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import { findCounted, scoreAgain } from './score-again.ts';
import { findShown, storeShown, type ShownBy } from './shown-copies-repository.ts';

export interface Shown {
  by: ShownBy;
  /** How many different visitors speak for it, after a moment or ever. Asked only where it may be news: counting many takes long. */
  visitors(since: Date | null): Promise<number>;
  /** How many it takes. */
  needed(policy: RiskPolicy): number;
}

/**
 * Since when, where enough visitors speak for it since a person found no copy, and that is news: since the scan, or since now where that
 * was made before the person's finding, which forgives it.
 */
async function findNews(
  db: Db,
  scan: { unit_id: string; at: Date },
  { by, visitors, needed }: Shown,
  now: Date,
): Promise<Date | null> {
  const { dismissed_at: dismissedAt, shown_at: shownAt, ...policies } = await findShown(db, scan.unit_id, by);
  if (shownAt !== null && (dismissedAt === null || shownAt > dismissedAt)) return null;
  if ((await visitors(dismissedAt)) < needed(effectivePolicy(policies.org_policy, policies.product_policy)))
    return null;
  return dismissedAt === null || scan.at > dismissedAt ? scan.at : now;
}

/** Keeps it where it is news, and has the scan scored again. The caller holds the unit's profile. */
export async function noteShownCopy(
  deps: { waker: Waker },
  uow: UnitOfWork,
  scan: { id: string; unit_id: string; at: Date },
  shown: Shown,
  now: Date,
): Promise<void> {
  const { db } = uow;
  const at = await findNews(db, scan, shown, now);
  if (at === null) return;
  await storeShown(db, scan.unit_id, shown.by, at);
  await scoreAgain(deps, uow, scan.id, await findCounted(db, scan.id), now);
}
