import { z } from 'zod';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import type { PolicyInForce } from '../../shared/risk-policies/service.ts';
import {
  emptyTally,
  isComplete,
  SIMULATION_STATUSES,
  type SimulationRow,
  type Tally,
} from '../../shared/risk-simulations/service.ts';
import { byThreshold, suggestThreshold } from '../../shared/risk/calibration.ts';
import { completePolicySchema, riskPolicySchema } from '../../shared/risk/policy.ts';
import { idField, instant, listQuery, moment } from '../list.ts';

export const policyQuery = z.strictObject({
  productId: idField('prod')
    .optional()
    .meta({ description: 'The policy of this product; without it, the organization’s' }),
});

const WEEK_MINUTES = 7 * 24 * 60;

const cooldown = z.int().min(0).max(WEEK_MINUTES).nullable().meta({
  description:
    'Minutes after a `suspicious_scan.detected` of a unit in which further ones are counted (`heldBack`) and not sent; null inherits, and 0, the default, sends each',
});

export const policyBody = z.strictObject({
  policy: riskPolicySchema.meta({ description: 'What is changed; whatever is left out is inherited' }),
  alertCooldownMinutes: cooldown.default(null),
  expectedUpdatedAt: moment.nullable().optional().meta({
    description:
      '`updatedAt` of the policy that was read, null where it was null: with it, the change is refused (CONFLICT) where somebody else changed the policy since',
  }),
});

export const policySchema = z
  .object({
    productId: z.string().nullable(),
    policy: riskPolicySchema,
    alertCooldownMinutes: cooldown,
    effective: completePolicySchema.meta({
      description: 'Complete: product over organization over defaults',
    }),
    inherited: completePolicySchema.meta({ description: 'What an empty policy would leave in force' }),
    effectiveAlertCooldownMinutes: z.int(),
    updatedAt: instant.nullable(),
  })
  .meta({ id: 'RiskPolicy' });

export const presentPolicy = (inForce: PolicyInForce): z.input<typeof policySchema> => ({
  productId: encodeNullableId('prod', inForce.productId),
  policy: inForce.policy,
  alertCooldownMinutes: inForce.alertCooldownMinutes,
  effective: inForce.effective,
  inherited: inForce.inherited,
  effectiveAlertCooldownMinutes: inForce.effectiveAlertCooldownMinutes,
  updatedAt: inForce.updatedAt?.toISOString() ?? null,
});

export const simulationBody = z.strictObject({
  policy: riskPolicySchema.meta({
    description:
      'Takes the place of what the level changes now, as it would when stored; whatever is left out is inherited',
  }),
  productId: idField('prod').optional(),
  from: moment.optional().meta({ description: 'Earliest scan; 90 days ago when left out' }),
  to: moment.optional().meta({ description: 'Latest scan; now when left out' }),
});

export const listSimulationsQuery = listQuery('risk-simulations', {
  status: z.enum(SIMULATION_STATUSES).optional(),
});

const counts = z.object({
  suspiciousScans: z.int(),
  suspiciousUnits: z.int(),
  divertedScans: z.int(),
  divertedUnits: z.int(),
});

const verdict = z.enum(['clear', 'suspicious', 'diverted']);

const decisionsSchema = z.object({
  confirmedUnits: z.int().meta({ description: 'Units whose decision in force is `confirmed`' }),
  dismissedUnits: z.int().meta({ description: 'Units whose decision in force is `dismissed`' }),
  suggested: z.int().nullable().meta({
    description:
      'The `thresholds.suspicious` from which on nine of ten alarms are to be expected right; null with fewer than 30 decided units at the threshold in force, and where none would do',
  }),
  byThreshold: z
    .array(
      z.object({
        suspicious: z.int().meta({ description: '`thresholds.suspicious`' }),
        suspiciousUnits: z.int().meta({ description: 'Units that reach it, decided or not' }),
        confirmedUnits: z.int().meta({ description: 'Those of them that people have confirmed' }),
        dismissedUnits: z.int().meta({ description: 'Those of them that people have dismissed' }),
      }),
    )
    .meta({ description: 'For 1 to 100 points, as if nobody had decided anything' }),
});

export const simulationSchema = z
  .object({
    id: z.string(),
    productId: z.string().nullable(),
    status: z.enum(SIMULATION_STATUSES),
    progress: z.object({ done: z.int(), total: z.int() }).meta({ description: 'Units' }),
    from: instant,
    to: instant,
    result: z
      .object({
        scans: z.int(),
        units: z.int(),
        simulated: counts.meta({ description: 'What the policy would have found' }),
        recorded: counts.meta({ description: 'What was found at the time' }),
        newly: counts.meta({ description: 'Flagged under the policy and not at the time' }),
        noLonger: counts.meta({ description: 'Flagged at the time and not under the policy' }),
        truncatedUnits: z.int().meta({
          description: 'Units with more than 5,000 scans in the span: only the newest were looked at',
        }),
        signals: z.record(z.string(), z.int()).meta({ description: 'Scans by signal, under the policy' }),
        newlySuspicious: z.array(z.string()).meta({ description: 'The first 100 such units' }),
        noLongerSuspicious: z.array(z.string()).meta({ description: 'The first 100 such units' }),
        changedScans: z
          .array(
            z.object({
              scanId: z.string(),
              productUnitId: z.string(),
              recorded: verdict,
              simulated: verdict,
              score: z.int().meta({ description: 'Under the policy' }),
            }),
          )
          .meta({ description: 'The first 100 scans that would be told otherwise' }),
        fromDecisions: decisionsSchema.nullable().meta({
          description:
            'What people’s decisions say of the threshold, the organization’s without products that have one of their own; null of a simulation of an earlier release',
        }),
      })
      .nullable(),
    error: z.string().nullable(),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'RiskSimulation' });

function presentDecisions({
  scores,
  inForce,
}: Pick<Tally, 'scores' | 'inForce'>): z.input<typeof decisionsSchema> {
  return {
    confirmedUnits: sum(scores.confirmed),
    dismissedUnits: sum(scores.dismissed),
    suggested: suggestThreshold(scores, inForce),
    byThreshold: byThreshold(scores),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

export function presentSimulation(row: SimulationRow): z.input<typeof simulationSchema> {
  // A simulation of an earlier release has fewer figures.
  const {
    newlySuspicious,
    noLongerSuspicious,
    changedScans,
    scores,
    apart: _,
    inForce,
    ...figures
  } = {
    ...emptyTally(),
    ...row.tally,
  };
  const units = (ids: string[]) => ids.map((id) => encodeId('unit', id));
  return {
    id: encodeId('sim', row.id),
    productId: encodeNullableId('prod', row.product_id),
    status: row.status,
    progress: { done: row.done, total: row.total },
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    result:
      row.status === 'completed'
        ? {
            ...figures,
            newlySuspicious: units(newlySuspicious),
            noLongerSuspicious: units(noLongerSuspicious),
            changedScans: changedScans.map(({ scanId, unitId, ...verdicts }) => ({
              scanId: encodeId('scan', scanId),
              productUnitId: encodeId('unit', unitId),
              ...verdicts,
            })),
            fromDecisions: isComplete(row.tally) ? presentDecisions({ scores, inForce }) : null,
          }
        : null,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
