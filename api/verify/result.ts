/** The answer to a verification, as JSON and as the source of the page. */

/** When several hold, the first in this order wins; `unknown` stands alone, for a token that names no unit. */
export const VERDICTS = [
  'recalled',
  'suspended',
  'inactive',
  'expired',
  'suspicious',
  'diverted',
  'genuine',
  'unknown',
] as const;

export type Verdict = (typeof VERDICTS)[number];

/** A signal's evidence differs by its type; the page needs the type alone. */
export interface VerificationSignal {
  readonly type: string;
  readonly [evidence: string]: unknown;
}

/** Everything but `result` and `message` is null for an unknown token. Times are ISO 8601 UTC, dates `YYYY-MM-DD`. */
export interface VerificationResult {
  readonly scanId: string | null;
  readonly result: Verdict;
  readonly message: string;
  readonly product: {
    readonly name: string;
    readonly brand: string | null;
    readonly imageUrl: string | null;
    readonly gtin: string | null;
  } | null;
  readonly unit: {
    readonly serial: string;
    readonly lot: string | null;
    readonly expiresOn: string | null;
  } | null;
  readonly scan: {
    readonly count: number;
    readonly firstScannedAt: string;
    readonly at: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string | null;
  } | null;
  readonly risk: { readonly level: string; readonly signals: readonly VerificationSignal[] } | null;
  readonly assessment: 'preliminary' | 'final' | null;
}
