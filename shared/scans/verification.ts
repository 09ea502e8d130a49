/** The contract's verification result: what a visitor is told about a code. */
import { encodeId } from '../ids.ts';
import type { NfcTapOutcome } from '../nfc/outcome.ts';
import type { RiskLevel, RiskSignal } from '../risk/types.ts';
import { publicSignals, type PublicSignal } from './public-signals.ts';
import type { ScannedUnitRow } from './repository.ts';
import {
  isGenuineInDoubt,
  VERDICT_MESSAGES,
  verdictMessage,
  type ScanResult,
  type VerificationResult,
} from './verdict.ts';

/** For `unknown` every fact is null, in the same shape. */
export interface Verification {
  scanId: string | null;
  result: VerificationResult;
  message: string;
  /** Whose code it is; `domain` only where it has shown to hold it. */
  organization: { name: string | null; domain: string | null };
  product: { name: string | null; brand: string | null; imageUrl: string | null; gtin: string | null };
  unit: { serial: string | null; lot: string | null; expiresOn: string | null };
  /** `visitors`: distinct ones behind `count`, a network being one. `isInternal`: this one is not among them. */
  scan: {
    count: number;
    visitors: number;
    firstScannedAt: string | null;
    at: string;
    country: string | null;
    isInternal: boolean;
  };
  risk: { level: RiskLevel; signals: readonly PublicSignal[] };
  /** What the organization tells about the recall in force; null unless `result` is `recalled`. */
  recall: { messages: Record<string, string>; contact: string | null } | null;
  /** Whether the package has a second code below a layer, to be entered on its page. */
  hasHiddenCode: boolean;
  /** Whether the package has an NFC tag that signs each tap. */
  hasNfcTag: boolean;
  /** What the tag's signature says that came with this look; null where none came. */
  nfcTap: VerifiedTap | null;
  assessment: 'preliminary' | 'final';
}

export interface VerifiedTap {
  outcome: NfcTapOutcome;
  /** Which of the tag's taps it was; null where it is invalid. */
  counter: number | null;
  /** Since when somebody else had come with this tap or a later one, in ISO 8601; null unless it is replayed. */
  staleSince: string | null;
}

interface Presentable {
  unit: ScannedUnitRow;
  result: ScanResult;
  risk: { level: RiskLevel; signals: readonly RiskSignal[] };
  at: Date;
  country: string | null;
  /** UUID; null for a look without a scan. */
  scanId: string | null;
  count: number;
  visitors: number;
  firstScannedAt: Date | null;
  assessment: 'preliminary' | 'final';
  isInternal: boolean;
}

export function presentVerification(known: Presentable): Verification {
  const { unit, result, risk, at, country, scanId, count, visitors, firstScannedAt, assessment, isInternal } =
    known;
  // Beside "nothing unusual is known" there are none: a visitor behind a VPN has not travelled, and is to find no reason to worry.
  const told = result === 'genuine' && !isGenuineInDoubt(result, risk.level) ? [] : risk.signals;
  return {
    scanId: scanId === null ? null : encodeId('scan', scanId),
    result,
    message: verdictMessage(result, risk.level, unit.risk_state ?? 'clear'),
    organization: { name: unit.org_name, domain: unit.org_domain },
    product: { name: unit.product_name, brand: unit.brand, imageUrl: unit.image_url, gtin: unit.gtin },
    unit: { serial: unit.serial, lot: unit.lot, expiresOn: unit.expires_on },
    scan: {
      count,
      // Who comes with neither session nor network is counted at a new place alone.
      visitors: Math.min(count, Math.max(1, visitors)),
      firstScannedAt: firstScannedAt?.toISOString() ?? null,
      at: at.toISOString(),
      country,
      isInternal,
    },
    risk: { level: risk.level, signals: publicSignals(told) },
    recall:
      result === 'recalled' ? { messages: unit.recall_messages ?? {}, contact: unit.recall_contact } : null,
    hasHiddenCode: unit.hidden_codes,
    hasNfcTag: unit.nfc_tags,
    nfcTap: null,
    assessment,
  };
}

export function presentUnknown(at: Date): Verification {
  return {
    scanId: null,
    result: 'unknown',
    message: VERDICT_MESSAGES.unknown,
    organization: { name: null, domain: null },
    product: { name: null, brand: null, imageUrl: null, gtin: null },
    unit: { serial: null, lot: null, expiresOn: null },
    scan: {
      count: 0,
      visitors: 0,
      firstScannedAt: null,
      at: at.toISOString(),
      country: null,
      isInternal: false,
    },
    risk: { level: 'none', signals: [] },
    recall: null,
    hasHiddenCode: false,
    hasNfcTag: false,
    nfcTap: null,
    assessment: 'final',
  };
}
