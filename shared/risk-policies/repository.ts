import type { Db } from '../db.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';

export interface RiskPolicyRow {
  /** Null: the organization's own, for all its products. */
  product_id: string | null;
  policy: RiskPolicyOverride;
  alert_cooldown_minutes: number | null;
  updated_at: Date;
}

/** The organization's policy and, where a product is named, that product's. */
export async function findPolicies(
  db: Db,
  orgId: string,
  productId: string | null,
): Promise<RiskPolicyRow[]> {
  const { rows } = await db.query<RiskPolicyRow>(
    `select product_id, policy, alert_cooldown_minutes, updated_at
       from risk_policies where org_id = $1 and (product_id is null or product_id = $2)`,
    [orgId, productId],
  );
  return rows;
}

export interface NewRiskPolicy {
  orgId: string;
  productId: string | null;
  policy: RiskPolicyOverride;
  alertCooldownMinutes: number | null;
  now: Date;
}

export async function putPolicy(db: Db, policy: NewRiskPolicy): Promise<void> {
  await db.query(
    `insert into risk_policies (org_id, product_id, policy, alert_cooldown_minutes, updated_at)
     values ($1, $2, $3, $4, $5)
         on conflict on constraint risk_policies_one do update
            set policy = excluded.policy, alert_cooldown_minutes = excluded.alert_cooldown_minutes,
                updated_at = excluded.updated_at`,
    [policy.orgId, policy.productId, JSON.stringify(policy.policy), policy.alertCooldownMinutes, policy.now],
  );
}

/** Until the transaction ends, nobody else checks or stores a policy of the organization. */
export async function lockPolicies(db: Db, orgId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('risk-policies:' || $1, 0))`, [orgId]);
}

/**
 * Names of the first products whose own thresholds cross those of their organization.
 * @param inherited the organization's, complete
 */
export async function listCrossingProducts(
  db: Db,
  orgId: string,
  inherited: { medium: number; suspicious: number },
  limit: number,
): Promise<{ name: string; has_medium: boolean }[]> {
  const { rows } = await db.query<{ name: string; has_medium: boolean }>(
    `select p.name, r.policy #> '{thresholds,medium}' is not null as has_medium
       from risk_policies r
       join products p on p.org_id = r.org_id and p.id = r.product_id
      where r.org_id = $1
        and coalesce((r.policy #>> '{thresholds,medium}')::float8, $2)
          > coalesce((r.policy #>> '{thresholds,suspicious}')::float8, $3)
      order by p.name, p.id
      limit $4`,
    [orgId, inherited.medium, inherited.suspicious, limit],
  );
  return rows;
}
