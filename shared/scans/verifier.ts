/**
 * Verification of one printed code, many at a time: concurrent look-ups share one statement, concurrent scans share one
 * insert. The answer waits for the scan's commit, so that an answered scan is never lost.
 */
import { isIP } from 'node:net';
import { createBatcher } from '../batcher.ts';
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { encodeId, newUuid, uuidFloor } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import { networkId } from '../places/addresses.ts';
import type { Place, Places } from '../places/places.ts';
import type { Waker } from '../queues.ts';
import { DEFAULT_POLICY } from '../risk/policy.ts';
import { score } from '../risk/score.ts';
import type { RiskLevel, RiskProfile, RiskScan, RiskSignal } from '../risk/types.ts';
import { parseToken } from '../units/token.ts';
import {
  findUnitsByCodes,
  insertScans,
  type NewScan,
  type ScannedUnitRow,
  type UnitCount,
} from './repository.ts';
import { riskScan, unitContext } from './risk-input.ts';
import { listUnscoredScans } from './scoring-repository.ts';
import { VERDICT_MESSAGES, verdictOf, type ScanResult, type VerificationResult } from './verdict.ts';

export interface VerifierDeps {
  db: Pool;
  clock: Clock;
  tokenKeys: Keyring;
  /** Key of the pseudonyms of networks. */
  networkKey: Buffer;
  places: Places;
  waker: Waker;
}

export interface Visitor {
  ip: string;
  userAgent: string | null;
  sessionId: string | null;
}

/** The contract's verification result. For `unknown` every fact is null, in the same shape. */
export interface Verification {
  scanId: string | null;
  result: VerificationResult;
  message: string;
  product: { name: string | null; brand: string | null; imageUrl: string | null; gtin: string | null };
  unit: { serial: string | null; lot: string | null; expiresOn: string | null };
  scan: { count: number; firstScannedAt: string | null; at: string; country: string | null };
  risk: { level: RiskLevel; signals: readonly RiskSignal[] };
  assessment: 'preliminary' | 'final';
}

export interface Verifier {
  /** Verifies and records a scan. */
  verify(token: string, visitor: Visitor): Promise<Verification>;
  /** The same answer without a scan: for HEAD requests. */
  preview(token: string, visitor: Visitor): Promise<Verification>;
}

const MAX_BATCH = 200;
// Two statements under way keep Postgres busy while the next batch gathers.
const CONCURRENCY = 2;
// Between web processes, by how much the time of a scan and the one in its id may differ.
const CLOCK_SKEW_MS = 60_000;
// A flood of one code while the workers are away must not make each answer dearer; the worker scores them all.
const MAX_FOLDED = 20;

/** A unit with the profile that its next scan is judged against. */
type KnownUnit = ScannedUnitRow & { upToDate: RiskProfile | null };

/** Folds scans that wait for scoring into the profiles, so that even the second of two scans in a moment is judged by the first. */
async function bringUpToDate(db: Pool, rows: readonly ScannedUnitRow[]): Promise<KnownUnit[]> {
  const waiting = rows.filter((row) => row.unscored_since !== null);
  if (waiting.length === 0) return rows.map((row) => ({ ...row, upToDate: row.profile }));
  const oldest = Math.min(...waiting.map((row) => row.unscored_since!.getTime()));
  const scans = await listUnscoredScans(
    db,
    waiting.map((row) => row.unit_id),
    uuidFloor(new Date(oldest - CLOCK_SKEW_MS)),
  );
  return rows.map((row) => ({
    ...row,
    upToDate: scans
      .filter((scan) => scan.unit_id === row.unit_id)
      .slice(-MAX_FOLDED)
      .reduce(
        (profile, scan) => score(profile, riskScan(scan), unitContext(row), DEFAULT_POLICY).profile,
        row.profile,
      ),
  }));
}

/** @returns the verifier of this process; it holds no state but the calls under way. */
export function createVerifier(deps: VerifierDeps): Verifier {
  const find = createBatcher<Buffer, KnownUnit | null>({
    maxItems: MAX_BATCH,
    concurrency: CONCURRENCY,
    run: async (codes) => {
      const rows = await bringUpToDate(deps.db, await findUnitsByCodes(deps.db, codes));
      const byCode = new Map(rows.map((row) => [row.code.toString('latin1'), row]));
      return codes.map((code) => byCode.get(code.toString('latin1')) ?? null);
    },
  });
  const record = createBatcher<NewScan, UnitCount>({
    maxItems: MAX_BATCH,
    concurrency: CONCURRENCY,
    run: async (scans) => {
      const counts = new Map((await insertScans(deps.db, scans)).map((count) => [count.unit_id, count]));
      void deps.waker.scoreScans();
      return scans.map((scan) => counts.get(scan.unitId)!);
    },
  });

  const assess = async (token: string, visitor: Visitor) => {
    const code = parseToken(deps.tokenKeys, token);
    const unit = code === null ? null : await find(code);
    const at = deps.clock.now();
    if (unit === null) return { at, unit: null } as const;
    const place = deps.places.locate(visitor.ip);
    const scan: RiskScan = {
      scanId: newUuid(),
      at: at.getTime(),
      sessionId: visitor.sessionId,
      networkId: networkId(visitor.ip, deps.networkKey),
      place: place === null ? null : { ...place },
    };
    const risk = score(unit.upToDate, scan, unitContext(unit), DEFAULT_POLICY);
    const result = verdictOf(
      {
        status: unit.status,
        isRecalled: unit.unit_recalled_at !== null || unit.batch_recalled_at !== null,
        expiresOn: unit.expires_on,
        risk: risk.verdict,
        riskState: unit.risk_state ?? 'clear',
      },
      at,
    );
    return { at, unit, place, scan, risk, result } as const;
  };

  return {
    async verify(token, visitor) {
      const assessed = await assess(token, visitor);
      if (assessed.unit === null) return unknownCode(assessed.at);
      const { unit, scan, place, risk, result, at } = assessed;
      const counted = await record({
        id: scan.scanId,
        orgId: unit.org_id,
        unitId: unit.unit_id,
        productId: unit.product_id,
        batchId: unit.batch_id,
        at,
        sessionId: scan.sessionId,
        networkId: scan.networkId,
        ip: storableIp(visitor.ip),
        userAgent: visitor.userAgent?.slice(0, 512) ?? null,
        country: place?.country ?? null,
        lat: place?.lat ?? null,
        lon: place?.lon ?? null,
        accuracyKm: place?.accuracyKm ?? null,
        placeSource: place?.source ?? null,
        result,
        riskLevel: risk.level,
        riskScore: risk.score,
        signals: risk.signals,
      });
      return present({
        unit,
        result,
        risk,
        at,
        place,
        scanId: encodeId('scan', scan.scanId),
        count: counted.scan_count,
        firstScannedAt: counted.first_scanned_at,
      });
    },

    async preview(token, visitor) {
      const assessed = await assess(token, visitor);
      if (assessed.unit === null) return unknownCode(assessed.at);
      const { unit, result, risk, at, place } = assessed;
      return present({
        unit,
        result,
        risk,
        at,
        place,
        scanId: null,
        count: unit.scan_count ?? 0,
        firstScannedAt: unit.first_scanned_at,
      });
    },
  };
}

/** `::ffff:` unwrapped; null for what Postgres would not take as an address: one bad one would fail the whole batch. */
function storableIp(ip: string): string | null {
  const unwrapped = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(unwrapped) === 0 ? null : unwrapped;
}

interface Presentable {
  unit: ScannedUnitRow;
  result: ScanResult;
  risk: { level: RiskLevel; signals: readonly RiskSignal[] };
  at: Date;
  place: Place | null;
  scanId: string | null;
  count: number;
  firstScannedAt: Date | null;
}

function present({
  unit,
  result,
  risk,
  at,
  place,
  scanId,
  count,
  firstScannedAt,
}: Presentable): Verification {
  return {
    scanId,
    result,
    message: VERDICT_MESSAGES[result],
    product: { name: unit.product_name, brand: unit.brand, imageUrl: unit.image_url, gtin: unit.gtin },
    unit: { serial: unit.serial, lot: unit.lot, expiresOn: unit.expires_on },
    scan: {
      count,
      firstScannedAt: firstScannedAt?.toISOString() ?? null,
      at: at.toISOString(),
      country: place?.country ?? null,
    },
    risk: { level: risk.level, signals: risk.signals },
    assessment: 'preliminary',
  };
}

function unknownCode(at: Date): Verification {
  return {
    scanId: null,
    result: 'unknown',
    message: VERDICT_MESSAGES.unknown,
    product: { name: null, brand: null, imageUrl: null, gtin: null },
    unit: { serial: null, lot: null, expiresOn: null },
    scan: { count: 0, firstScannedAt: null, at: at.toISOString(), country: null },
    risk: { level: 'none', signals: [] },
    assessment: 'final',
  };
}
