/** Complete policies from stored overrides, remembered: the same few come back with each of a thousand scans a second. */
import {
  DEFAULT_POLICY,
  knownOverride,
  resolvePolicy,
  type RiskPolicy,
  type RiskPolicyOverride,
} from '../risk/policy.ts';

const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, RiskPolicy>();

/**
 * @returns the policy in force. Keyed by content, so a change is seen at once in every process: the overrides come with
 *   each unit's look-up. What this release does not know of them inherits (`knownOverride`).
 */
export function effectivePolicy(
  organization: RiskPolicyOverride | null,
  product: RiskPolicyOverride | null,
): RiskPolicy {
  if (organization === null && product === null) return DEFAULT_POLICY;
  const key = JSON.stringify([organization, product]);
  let policy = remembered.get(key);
  if (policy === undefined) {
    policy = resolvePolicy(knownOverride(organization), knownOverride(product));
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    remembered.set(key, policy);
  }
  return policy;
}
