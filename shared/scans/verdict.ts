/** The public verdict: a precedence over the unit's state, the overlays and the risk, which never overwrite each other. */
import type { RiskLevel, RiskVerdict } from '../risk/types.ts';
import type { UnitStatus } from '../units/service.ts';

/** What a recorded scan can come to; an unknown code has no scan. */
export const SCAN_RESULTS = [
  'genuine',
  'suspicious',
  'diverted',
  'suspended',
  'recalled',
  'expired',
  'inactive',
] as const;
export type ScanResult = (typeof SCAN_RESULTS)[number];
export type VerificationResult = ScanResult | 'unknown';

export interface VerdictInput {
  status: UnitStatus;
  isRecalled: boolean;
  /** Last day of use, `YYYY-MM-DD`, or null. */
  expiresOn: string | null;
  risk: RiskVerdict;
  /** A person's or the scoring's standing judgement of the unit. */
  riskState: 'clear' | 'suspect' | 'confirmed';
}

/**
 * When several hold, the first in this order wins: recalled, suspended, inactive, expired, suspicious, diverted, genuine.
 * A unit that is confirmed as copied is suspicious whatever this scan alone looks like.
 */
export function verdictOf(input: VerdictInput, now: Date): ScanResult {
  if (input.isRecalled) return 'recalled';
  if (input.status === 'suspended') return 'suspended';
  if (input.status !== 'active') return 'inactive';
  // Good to the end of its last day, wherever on Earth that day ends last (UTC-12).
  if (
    input.expiresOn !== null &&
    now.getTime() >= Date.parse(`${input.expiresOn}T00:00:00Z`) + 36 * 3_600_000
  )
    return 'expired';
  if (input.risk === 'suspicious' || input.riskState === 'confirmed') return 'suspicious';
  if (input.risk === 'diverted') return 'diverted';
  return 'genuine';
}

const OF_RISK: ReadonlySet<ScanResult> = new Set(['genuine', 'suspicious', 'diverted']);

/**
 * The verdict of a scan that was scored, from the one that its visitor was given at once: what the unit was at its time it stays,
 * though it may have been recalled since.
 */
export const verdictOnceScored = (
  before: ScanResult,
  { risk, riskState }: Pick<VerdictInput, 'risk' | 'riskState'>,
  at: Date,
): ScanResult =>
  OF_RISK.has(before)
    ? verdictOf({ status: 'active', isRecalled: false, expiresOn: null, risk, riskState }, at)
    : before;

/** Honest wording: a valid code is evidence, not proof, and a copied code is possibly copied, never "fake". */
export const VERDICT_MESSAGES: Record<VerificationResult, string> = {
  genuine: 'This code was issued by the brand for this product, and nothing unusual is known about it.',
  suspicious:
    'This code was issued by the brand, but it was scanned in a way that one product cannot explain: it was possibly copied.',
  diverted: 'This code was issued by the brand, for a product meant for sale in other countries.',
  suspended:
    'The brand has suspended this code. Please ask the seller or the brand before you use the product.',
  recalled: 'The brand has recalled this product. Please do not use it.',
  expired: 'This code was issued by the brand, but the product is past its expiry date.',
  inactive: 'This code was issued by the brand but has not been activated for sale.',
  unknown: 'This code was not issued by any brand that uses this service, or was mistyped.',
};

/** In place of `genuine`'s where the risk is medium or the unit is under suspicion, so that not even "nothing unusual" may be said. */
const GENUINE_IN_DOUBT = 'This code was issued by the brand for this product.';

/** In place of `suspicious`'s where a person decided it: nobody may have scanned the code before. */
const SUSPICIOUS_BY_DECISION =
  'This code was issued by the brand, which has found that it is being misused: it was possibly copied.';

/** Whether a genuine verdict stands beside a risk that its usual words would contradict. */
export const isGenuineInDoubt = (result: VerificationResult, level: RiskLevel): boolean =>
  result === 'genuine' && (level === 'medium' || level === 'high');

/**
 * @param level of the risk that is told beside the message
 * @param state of the unit: others' scans make nobody's verdict, but "nothing unusual is known" would not be true
 */
export const verdictMessage = (
  result: VerificationResult,
  level: RiskLevel,
  state: VerdictInput['riskState'],
): string => {
  if (result === 'suspicious' && state === 'confirmed') return SUSPICIOUS_BY_DECISION;
  return isGenuineInDoubt(result, level) || (result === 'genuine' && state !== 'clear')
    ? GENUINE_IN_DOUBT
    : VERDICT_MESSAGES[result];
};

/** Whether what a visitor is told leaves out that nothing unusual is known. */
export const isInDoubt = (told: {
  result: VerificationResult;
  message: string;
  risk: { level: RiskLevel };
}): boolean => isGenuineInDoubt(told.result, told.risk.level) || told.message === GENUINE_IN_DOUBT;
