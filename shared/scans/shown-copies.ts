/**
 * That what only one package should have is on more than one: known since a scan, kept in the unit's profile, and weighed by the rules
 * from that scan on until a person finds no copy.
 */
import type { Db, UnitOfWork } from '../db.ts';
import type { Waker } from '../queues.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import type { RiskPolicy, RiskPolicyOverride } from '../risk/policy.ts';
import { findCounted, scoreAgain } from './score-again.ts';

/** By what it shows: the profile's column that has since when. */
const COLUMNS = {
  'hidden-code': 'hidden_code_reused_at',
  'nfc-tap': 'nfc_tap_replayed_at',
} as const;

export interface Shown {
  by: keyof typeof COLUMNS;
  /** Different visitors who speak for it, of whenever. */
  visitors: number;
  /** The same after a moment. */
  visitorsSince(moment: Date): Promise<number>;
  /** How many it takes. */
  needed(policy: RiskPolicy): number;
}

interface ShownRow {
  /** When a person found no copy, where that is the decision in force. */
  dismissed_at: Date | null;
  shown_at: Date | null;
  org_policy: RiskPolicyOverride | null;
  product_policy: RiskPolicyOverride | null;
}

async function findShown(db: Db, unitId: string, by: Shown['by']): Promise<ShownRow> {
  const { rows } = await db.query<ShownRow>(
    `select case when r.decision = 'dismissed' then r.decided_at end as dismissed_at, r.${COLUMNS[by]} as shown_at,
            op.policy as org_policy, pp.policy as product_policy
       from unit_risk_profiles r
       join product_units u on u.org_id = r.org_id and u.id = r.unit_id
       left join risk_policies op on op.org_id = u.org_id and op.product_id is null
       left join risk_policies pp on pp.org_id = u.org_id and pp.product_id = u.product_id
      where r.unit_id = $1`,
    [unitId],
  );
  return rows[0]!;
}

/**
 * Since when, where enough visitors speak for it since a person found no copy, and that is news: since the scan, or since now where that
 * was made before the person's finding, which forgives it.
 */
async function findNews(
  db: Db,
  scan: { unit_id: string; at: Date },
  { by, visitors, visitorsSince, needed }: Shown,
  now: Date,
): Promise<Date | null> {
  const { dismissed_at: dismissedAt, shown_at: shownAt, ...policies } = await findShown(db, scan.unit_id, by);
  if (shownAt !== null && (dismissedAt === null || shownAt > dismissedAt)) return null;
  const since = dismissedAt === null ? visitors : await visitorsSince(dismissedAt);
  if (since < needed(effectivePolicy(policies.org_policy, policies.product_policy))) return null;
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
  await db.query(`update unit_risk_profiles set ${COLUMNS[shown.by]} = $2 where unit_id = $1`, [
    scan.unit_id,
    at,
  ]);
  await scoreAgain(deps, uow, scan.id, await findCounted(db, scan.id), now);
}
