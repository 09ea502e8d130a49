/** Risk policies: the defaults, what the organization changes about them, and what one of its products changes again. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { getProduct } from '../products/service.ts';
import { knownOverride, type RiskPolicy, type RiskPolicyOverride } from '../risk/policy.ts';
import { effectivePolicy } from './effective.ts';
import { findPolicies, listCrossingProducts, lockPolicies, putPolicy } from './repository.ts';

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

export interface PolicyChange {
  policy: RiskPolicyOverride;
  alertCooldownMinutes: number | null;
  expectedUpdatedAt?: Date | null | undefined;
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
    policy: knownOverride(own?.policy),
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
 * Within a transaction.
 * @param change with `expectedUpdatedAt`, only where the level was last changed then (null: never)
 * @throws AppError NOT_FOUND; VALIDATION_FAILED where the thresholds cross; CONFLICT where somebody changed it since
 */
export async function setPolicy(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  productId: string | null,
  change: PolicyChange,
): Promise<PolicyInForce> {
  // Of an organization's and a product's change at the same time, the later one has to see the other.
  await lockPolicies(db, orgId);
  const { policy, alertCooldownMinutes, expectedUpdatedAt: expected } = change;
  if (expected !== undefined) await refuseUnlessLastAt(db, orgId, productId, expected);
  await checkThresholds(db, orgId, productId, policy);
  await putPolicy(db, { orgId, productId, policy, alertCooldownMinutes, now: clock.now() });
  return getPolicy(db, orgId, productId);
}

async function refuseUnlessLastAt(
  db: Db,
  orgId: string,
  productId: string | null,
  expected: Date | null,
): Promise<void> {
  const { updatedAt } = await getPolicy(db, orgId, productId);
  if (expected?.getTime() === updatedAt?.getTime()) return;
  throw new AppError('CONFLICT', {
    detail: `the policy was changed meanwhile, last at ${updatedAt?.toISOString() ?? 'no time'}; read it again`,
  });
}

/** Products that a refusal names; the others show once these are changed. */
const MAX_NAMED = 5;

/**
 * Checks what would be in force with the policy in place of the level's own.
 * @throws AppError NOT_FOUND for the product; VALIDATION_FAILED where thresholds would cross, in a product's policy too
 */
export async function checkThresholds(
  db: Db,
  orgId: string,
  productId: string | null,
  policy: RiskPolicyOverride,
): Promise<void> {
  const { inherited } = await getPolicy(db, orgId, productId);
  const medium = policy.thresholds?.medium ?? inherited.thresholds.medium;
  const suspicious = policy.thresholds?.suspicious ?? inherited.thresholds.suspicious;
  if (medium > suspicious)
    throw invalidField(
      'policy.thresholds.medium',
      refusal('THRESHOLDS_CROSS', `must not be above the threshold of suspicion, ${suspicious}`, {
        suspicious,
      }),
    );
  if (productId !== null) return;
  const crossing = await listCrossingProducts(db, orgId, { medium, suspicious }, MAX_NAMED);
  if (crossing.length === 0) return;
  const products = crossing.map(({ name }) => name);
  throw invalidField(
    // A product that sets `medium` itself inherits the other one.
    crossing[0]!.has_medium ? 'policy.thresholds.suspicious' : 'policy.thresholds.medium',
    refusal(
      'THRESHOLDS_CROSS_PRODUCTS',
      `lets the thresholds of products’ own policies cross: ${products.join(', ')}`,
      { products },
    ),
  );
}
