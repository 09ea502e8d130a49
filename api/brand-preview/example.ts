/** A verification as it might be, for previews: the same goods under every verdict. */
import { VERDICT_MESSAGES, type VerificationResult } from '../../shared/scans/verdict.ts';
import { presentUnknown, type Verification } from '../../shared/scans/verification.ts';

export const RESULTS = Object.keys(VERDICT_MESSAGES) as readonly VerificationResult[];

const DAY_MS = 86_400_000;

export function exampleVerification(result: VerificationResult, brand: string, now: Date): Verification {
  if (result === 'unknown') return presentUnknown(now);
  const isCopied = result === 'suspicious';
  const isExpired = result === 'expired';
  const expires = new Date(now.getTime() + (isExpired ? -20 : 400) * DAY_MS);
  return {
    scanId: null,
    result,
    message: VERDICT_MESSAGES[result],
    organization: { name: brand, domain: null },
    product: { name: 'Example 250 ml', brand, imageUrl: null, gtin: '04012345123456' },
    unit: { serial: '7K2M4XQ9', lot: 'L2604', expiresOn: expires.toISOString().slice(0, 10) },
    scan: {
      count: isCopied ? 14 : 1,
      visitors: isCopied ? 9 : 1,
      firstScannedAt: new Date(now.getTime() - (isCopied ? 12 : 0) * DAY_MS).toISOString(),
      at: now.toISOString(),
      country: 'PT',
      isInternal: false,
    },
    risk: { level: isCopied ? 'high' : 'none', signals: [] },
    recall: result === 'recalled' ? { messages: {}, contact: null } : null,
    hasHiddenCode: false,
    hasNfcTag: false,
    nfcTap: null,
    assessment: 'final',
  };
}
