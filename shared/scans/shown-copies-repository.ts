import type { Db } from '../db.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';

/** By what it shows: the profile's column that has since when. */
const COLUMNS = {
  'hidden-code': 'hidden_code_reused_at',
  'nfc-tap': 'nfc_tap_replayed_at',
} as const;

export type ShownBy = keyof typeof COLUMNS;

export interface ShownRow {
  /** When a person found no copy, where that is the decision in force. */
  dismissed_at: Date | null;
  shown_at: Date | null;
  org_policy: RiskPolicyOverride | null;
  product_policy: RiskPolicyOverride | null;
}

export async function findShown(db: Db, unitId: string, by: ShownBy): Promise<ShownRow> {
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

export async function storeShown(db: Db, unitId: string, by: ShownBy, at: Date): Promise<void> {
  await db.query(`update unit_risk_profiles set ${COLUMNS[by]} = $2 where unit_id = $1`, [unitId, at]);
}
