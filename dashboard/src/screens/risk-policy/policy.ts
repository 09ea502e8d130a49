/** A policy while it is edited: complete, and compared with what it would inherit. */
import type { BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';

export type PolicyInForce = Schemas['RiskPolicy'];
export type Policy = PolicyInForce['effective'];
export type Override = BodyOf<'/api/v1/risk-policies', 'put'>['policy'];
export type Rule = keyof Policy;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** @returns what a policy changes about the one that it inherits: nothing where they say the same. */
export function overrideOf(policy: Policy, inherited: Policy): Override {
  const override: Record<string, Record<string, unknown>> = {};
  for (const [rule, fields] of Object.entries(policy)) {
    const base = inherited[rule as Rule] as Record<string, unknown>;
    const changed = Object.entries(fields).filter(([name, value]) => !isSame(value, base[name]));
    if (changed.length > 0) override[rule] = Object.fromEntries(changed);
  }
  return override as Override;
}

/** Fields that differ, as `rule.field`. */
export const differences = (a: Policy, b: Policy): string[] =>
  Object.entries(overrideOf(a, b) as Record<string, object>).flatMap(([rule, fields]) =>
    Object.keys(fields).map((name) => `${rule}.${name}`),
  );
