/**
 * What an organization, or one of its products, may change about the rules. Defaults and their sources are described
 * in docs/risk.md; each was chosen on how objects and people move, then checked with `npm run bench -- risk`.
 */
import { z } from 'zod';
import { MAX_RECENT } from './visitors.ts';

const weight = z.number().min(0).max(3);

const thresholds = z.strictObject({
  /** Score from which the level is `medium`. */
  medium: z.number().min(1).max(100),
  /** Score from which the level is `high` and the verdict `suspicious`. */
  suspicious: z.number().min(1).max(100),
});

const clone = z.strictObject({
  enabled: z.boolean(),
  weight,
  /** Share of visitors whose position is plainly wrong (VPN, roaming, an outdated range). */
  wrongPositionRate: z.number().min(0.001).max(0.3),
  /** Chance that, after the first sale, the object has moved on to a stranger elsewhere before the next visitor. */
  moveRate: z.number().min(0.001).max(0.5),
  /** Whether it is heeded how many people the organization's own units meet and how often these are known again, or a typical organization is assumed. */
  learnVisitors: z.boolean(),
  /** Whether it is heeded how the organization's units looked that later turned out to be copied. */
  hindsight: z.boolean(),
  /** Whether scans of a unit that never left the warehouse count. */
  notShipped: z.boolean(),
  /** Whether scans by new visitors after the unit was consumed count. */
  consumed: z.boolean(),
  /** From how many different visitors on who entered a package's hidden code it is on more packages than one. */
  hiddenCodeVisitors: z.int().min(2).max(100),
  /** From how many different visitors on who came with used taps of a package's NFC tag its address is on more packages than one. */
  nfcReplayVisitors: z.int().min(2).max(100),
});

const impossibleTravel = z.strictObject({
  enabled: z.boolean(),
  weight,
  maxSpeedKmh: z.number().min(100).max(10_000),
  /** Floor under the distance that remains after both uncertainty radii are taken off. */
  minDistanceKm: z.number().min(0).max(20_000),
});

const excessiveScanning = z.strictObject({
  enabled: z.boolean(),
  weight,
  windows: z
    .array(
      z.strictObject({
        hours: z
          .number()
          .positive()
          .max(24 * 365),
        /** Distinct visitors; the profile remembers no more than this many. */
        visitors: z.int().min(2).max(MAX_RECENT),
      }),
    )
    .min(1)
    .max(5),
});

const diversion = z.strictObject({
  enabled: z.boolean(),
  weight,
  /** How many accuracy radii beyond a market's border a scan may lie and still be taken for the market. */
  borderRadii: z.number().min(0).max(5),
  /** From how many other units seen of the lot on it may speak against a single one outside. */
  lotUnits: z.int().min(1).max(1_000_000),
});

/** A partial policy, as stored per organization or product. Unknown fields are refused. */
export const riskPolicySchema = z.strictObject({
  thresholds: thresholds.partial().optional(),
  clone: clone.partial().optional(),
  impossibleTravel: impossibleTravel.partial().optional(),
  excessiveScanning: excessiveScanning.partial().optional(),
  diversion: diversion.partial().optional(),
});

export type RiskPolicyOverride = z.infer<typeof riskPolicySchema>;

export const completePolicySchema = z.strictObject({
  thresholds,
  clone,
  impossibleTravel,
  excessiveScanning,
  diversion,
});

/** A policy with nothing left open. */
export type RiskPolicy = z.infer<typeof completePolicySchema>;

const RULES = completePolicySchema.shape;

/**
 * What of a stored policy this release knows: a field of another release, or a value that this one does not accept, is left
 * out and so inherits. Between two releases, processes of both read the same policies, and one organization's must not
 * stop the batch that scans of others are in.
 */
export function knownOverride(stored: unknown): RiskPolicyOverride {
  const rules = Object.entries(RULES).flatMap(([rule, { shape }]) => {
    const set = recordOf(recordOf(stored)[rule]);
    const fields = Object.entries(shape).flatMap(([field, schema]) => {
      const value = schema.safeParse(set[field]);
      return value.success ? [[field, value.data] as const] : [];
    });
    return fields.length > 0 ? [[rule, Object.fromEntries(fields)] as const] : [];
  });
  return Object.fromEntries(rules);
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

export const DEFAULT_POLICY: RiskPolicy = {
  thresholds: { medium: 30, suspicious: 60 },
  clone: {
    enabled: true,
    weight: 1,
    wrongPositionRate: 0.03,
    moveRate: 0.06,
    learnVisitors: true,
    hindsight: true,
    notShipped: true,
    consumed: true,
    hiddenCodeVisitors: 4,
    nfcReplayVisitors: 4,
  },
  impossibleTravel: { enabled: true, weight: 1, maxSpeedKmh: 1000, minDistanceKm: 250 },
  excessiveScanning: {
    enabled: true,
    weight: 1,
    windows: [
      { hours: 1, visitors: 20 },
      { hours: 24, visitors: 40 },
    ],
  },
  diversion: { enabled: true, weight: 1, borderRadii: 1, lotUnits: 3 },
};

/**
 * The policy in force: the product's settings over the organization's over the defaults, field by field.
 * @throws ZodError when a stored setting is not one that `riskPolicySchema` accepts.
 */
export function resolvePolicy(
  organization?: RiskPolicyOverride | null,
  product?: RiskPolicyOverride | null,
): RiskPolicy {
  const merge = (rule: keyof RiskPolicy) => ({
    ...DEFAULT_POLICY[rule],
    ...organization?.[rule],
    ...product?.[rule],
  });
  return completePolicySchema.parse({
    thresholds: merge('thresholds'),
    clone: merge('clone'),
    impossibleTravel: merge('impossibleTravel'),
    excessiveScanning: merge('excessiveScanning'),
    diversion: merge('diversion'),
  });
}
