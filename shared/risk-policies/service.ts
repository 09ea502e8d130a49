/** Risk policies: the defaults, what the organization changes about them, and what one of its products changes again. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { getProduct } from '../products/service.ts';
import type { RiskPolicy, RiskPolicyOverride } from '../risk/policy.ts';
import { effectivePolicy } from './effective.ts';
import { findPolicies, putPolicy } from './repository.ts';

export interface StoredPolicy {
  /** What is changed on this level; empty where nothing is. */
  policy: RiskPolicyOverride;
  alertCooldownMinutes: number | null;
  updatedAt: Date | null;
}

export interface PolicyInForce extends StoredPolicy {
  productId: string | null;
  /** Complete: the product's settings over the organization's over the defaults. */
  effective: RiskPolicy;
  /** What would be in force without this level's own changes. */
  inherited: RiskPolicy;
  effectiveAlertCooldownMinutes: number;
}

/** @param productId null for the organization's own. @throws AppError NOT_FOUND */
export async function getPolicy(db: Db, orgId: string, productId: string | null): Promise<PolicyInForce> {
  if (productId !== null) await getProduct(db, orgId, productId);
  const rows = await findPolicies(db, orgId, productId);
  const organization = rows.find((row) => row.product_id === null);
  const product = rows.find((row) => row.product_id !== null);
  const own = productId === null ? organization : product;
  return {
    productId,
    policy: own?.policy ?? {},
    alertCooldownMinutes: own?.alert_cooldown_minutes ?? null,
    updatedAt: own?.updated_at ?? null,
    effective: effectivePolicy(organization?.policy ?? null, product?.policy ?? null),
    inherited: effectivePolicy(productId === null ? null : (organization?.policy ?? null), null),
    effectiveAlertCooldownMinutes:
      product?.alert_cooldown_minutes ?? organization?.alert_cooldown_minutes ?? 0,
  };
}

/**
 * Replaces what a level changes; an empty policy gives back what it inherits. In force at the next scan.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED where the thresholds cross
 */
export async function setPolicy(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  productId: string | null,
  change: { policy: RiskPolicyOverride; alertCooldownMinutes: number | null },
): Promise<PolicyInForce> {
  if (productId !== null) await getProduct(db, orgId, productId);
  await putPolicy(db, { orgId, productId, ...change, now: clock.now() });
  const inForce = await getPolicy(db, orgId, productId);
  const { medium, suspicious } = inForce.effective.thresholds;
  if (medium > suspicious)
    throw invalidField(
      'policy.thresholds.medium',
      refusal('THRESHOLDS_CROSS', `must not be above the threshold of suspicion, ${suspicious}`, {
        suspicious,
      }),
    );
  return inForce;
}
