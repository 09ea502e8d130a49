/**
 * Verification of one printed code, many at a time: concurrent look-ups share one statement, concurrent scans share one
 * insert. The answer waits for the scan's commit, so that an answered scan is never lost.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '../batcher.ts';
import type { Clock } from '../clock.ts';
import { coalesce } from '../coalesce.ts';
import type { Pool } from '../db.ts';
import { newUuid, uuidFloor } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import { networkId, plainAddress } from '../places/addresses.ts';
import type { Places } from '../places/places.ts';
import type { Waker } from '../queues.ts';
import { score } from '../risk/score.ts';
import type { RiskAssessment, RiskLevel, RiskScan } from '../risk/types.ts';
import { parseToken } from '../units/token.ts';
import type { ProductLink } from '../products/links.ts';
import { organizationOf, type BrandedOrganization } from './organization.ts';
import { createPace, type PaceDeps } from './pace.ts';
import {
  findCodeBySerial,
  findSessionScan,
  findUnitsByCodes,
  type NewScan,
  type ScannedUnitRow,
} from './repository.ts';
import type { ScanRow } from './list-repository.ts';
import { assessUnseen, bringUpToDate, contextOf, policyOf, type KnownUnit } from './known-units.ts';
import { isInternal, recordInternalScan } from './internal-scan.ts';
import { createRecorder } from './recorder.ts';
import { riskVerdictOf } from './risk-input.ts';
import { isDismissed } from './scan-events.ts';
import { createTurns, type Turns } from './turns.ts';
import { verdictOf } from './verdict.ts';
import { presentUnknown, presentVerification, type Verification } from './verification.ts';

export interface VerifierDeps {
  db: Pool;
  clock: Clock;
  tokenKeys: Keyring;
  /** Key of the pseudonyms of networks. */
  networkKey: Buffer;
  places: Places;
  waker: Waker;
  /** How long a visitor's further looks at a code are the same scan. */
  sameScanMs: number;
  /** Of the looks of one session; left out where this process is all. */
  turns?: Turns;
  /** What keeps the answers for nobody's codes apart from the look-ups. */
  pace?: PaceDeps;
}

const wait = (ms: number): Promise<void> => sleep(ms);
const REAL_TIME: PaceDeps = { nowMs: () => performance.now(), wait, random: Math.random };

export interface Visitor {
  ip: string;
  userAgent: string | null;
  /** A hash of the visitor's session. `isNew`: it has no scans yet. */
  session: { id: string; isNew: boolean } | null;
}

/** What was scanned: the token after `/v/`, or the parts of a GS1 Digital Link. */
export type ScannedCode = ({ token: string } | { gtin: string; serial: string; lot: string | null }) & {
  /** UUID of whose codes alone are known where it was scanned; null or left out where everybody's are. */
  orgId?: string | null;
};

export interface Verified {
  verification: Verification;
  /** Whose unit it is; null for an unknown code. */
  organization: BrandedOrganization | null;
  /** The organization's own, about the product. */
  links: readonly ProductLink[];
  /** The scan; null where none was made. */
  scan: { id: string; unitId: string; at: Date; takesPosition: boolean } | null;
}

/**
 * Rejects for a visitor who is to get no answer. Awaited behind the look-up, and before anything is recorded.
 * @param unit null for a code that is nobody's
 */
export type Admit = (unit: Pick<ScannedUnitRow, 'hidden_codes'> | null) => Promise<void>;

export interface Verifier {
  /**
   * Verifies and records a scan; within the session's time it is the scan that was made before.
   * @throws what `admit` rejects with
   */
  verify(code: ScannedCode, visitor: Visitor, admit?: Admit): Promise<Verified>;
  /** What is known of the unit, without a scan: for HEAD requests, prefetches and link previews, wherever they come from. */
  preview(code: ScannedCode, admit?: Admit): Promise<Verified>;
}

/** Wake-ups of scoring while there is much to do: one for several batches. */
const WAKE_GAP_MS = 30;
const MAX_BATCH = 200;
/**
 * Least time between two statements: at a thousand scans a second they carry four to eight visitors instead of two, and
 * the process and Postgres do a quarter and half less (ADR 0095).
 */
const BATCH_GAP_MS = 4;
/** Where statements take longer than that, their usual time, up to so much (ADR 0120). */
const MAX_BATCH_GAP_MS = 12;
// Two statements under way keep Postgres busy while the next batch gathers.
const CONCURRENCY = 2;
/** Longer than a scan is on its way into the database: the unit may have been looked up before it was there. */
const NEW_SCAN_MS = 15_000;
/** @returns the verifier of this process; it holds no state but the calls under way. */
export function createVerifier(deps: VerifierDeps): Verifier {
  const paceDeps = deps.pace ?? REAL_TIME;
  const pace = createPace(paceDeps);
  const turns = deps.turns ?? createTurns(null);
  const gap = { ms: BATCH_GAP_MS, maxMs: MAX_BATCH_GAP_MS, wait };
  const findTogether = createBatcher<Buffer, KnownUnit | null>({
    maxItems: MAX_BATCH,
    concurrency: CONCURRENCY,
    gap,
    run: async (codes) => {
      const known = await bringUpToDate(deps.db, await findUnitsByCodes(deps.db, codes));
      const byCode = new Map(known.map((unit) => [unit.row.code.toString('latin1'), unit]));
      return codes.map((code) => byCode.get(code.toString('latin1')) ?? null);
    },
  });
  const find = async (code: Buffer): Promise<KnownUnit | null> => {
    const unit = await findTogether(code);
    if (unit !== null && unit.failure !== null) throw unit.failure.error;
    return unit;
  };
  const wakeScoring = coalesce({ run: () => deps.waker.scoreScans(), gapMs: WAKE_GAP_MS, wait });
  const record = createRecorder({
    db: deps.db,
    maxItems: MAX_BATCH,
    concurrency: CONCURRENCY,
    gap,
    nowMs: paceDeps.nowMs,
    recorded: wakeScoring,
  });

  const findUnit = async (scanned: ScannedCode): Promise<KnownUnit | null> => {
    if (!('token' in scanned)) {
      const code = await findCodeBySerial(deps.db, scanned);
      return code === null ? null : find(code);
    }
    const started = paceDeps.nowMs();
    const code = parseToken(deps.tokenKeys, scanned.token);
    const found = code === null ? null : await find(code);
    // Another organization's is looked up all the same, and takes as long as one that nobody has.
    const isElsewhere = (scanned.orgId ?? null) !== null && found?.row.org_id !== scanned.orgId;
    const unit = isElsewhere ? null : found;
    if (code !== null) pace.note(paceDeps.nowMs() - started);
    if (unit === null) await pace.hold(started, code === null ? 'refused' : 'looked-up');
    return unit;
  };

  const inTurn = (unit: KnownUnit, visitor: Visitor): Promise<Verified> => {
    const { session } = visitor;
    if (session === null || session.isNew) return look(unit, visitor);
    return turns.take(session.id, () => look(unit, visitor));
  };

  /** A scan as it is to be written, and as the rules see it. */
  const scanOf = (visitor: Visitor, { row }: KnownUnit, at: Date) => {
    const place = deps.places.locate(visitor.ip);
    const seen: RiskScan = {
      scanId: newUuid(),
      at: at.getTime(),
      sessionId: visitor.session?.id ?? null,
      networkId: networkId(visitor.ip, deps.networkKey),
      place: place === null ? null : { ...place },
    };
    const judged = (risk: RiskAssessment): NewScan => ({
      id: seen.scanId,
      orgId: row.org_id,
      unitId: row.unit_id,
      productId: row.product_id,
      batchId: row.batch_id,
      at,
      sessionId: seen.sessionId,
      networkId: seen.networkId,
      // Null for what Postgres would not take as an address: one bad one would fail the whole batch.
      ip: plainAddress(visitor.ip),
      userAgent: visitor.userAgent?.slice(0, 512) ?? null,
      country: place?.country ?? null,
      lat: place?.lat ?? null,
      lon: place?.lon ?? null,
      accuracyKm: place?.accuracyKm ?? null,
      placeSource: place?.source ?? null,
      result: verdictNow(row, risk.verdict, at),
      riskLevel: risk.level,
      riskScore: risk.score,
      signals: risk.signals,
    });
    return { seen, judged };
  };

  const findEarlier = async (unit: KnownUnit, visitor: Visitor, at: Date): Promise<ScanRow | null> => {
    if (visitor.session === null || visitor.session.isNew) return null;
    const since = uuidFloor(new Date(at.getTime() - deps.sameScanMs));
    return findSessionScan(deps.db, visitor.session.id, unit.row.unit_id, since);
  };

  const look = async (unit: KnownUnit, visitor: Visitor): Promise<Verified> => {
    const at = deps.clock.now();
    const earlier = await findEarlier(unit, visitor, at);
    if (earlier !== null) {
      const isNew = at.getTime() - earlier.at.getTime() < NEW_SCAN_MS;
      return sameScan(isNew ? ((await find(unit.row.code)) ?? unit) : unit, earlier, at);
    }
    if (isInternal(unit.row, visitor.ip)) return lookInside(unit, visitor, at);
    const { seen, judged } = scanOf(visitor, unit, at);
    const risk = score(unit.upToDate, seen, contextOf(unit), policyOf(unit.row));
    const scan = judged(risk);
    // A scan waits while its unit is being scored, and with it all of its batch: those of a flood wait among themselves.
    const counted = await record(scan, unit.isFlooded);
    return {
      organization: organizationOf(unit.row),
      links: unit.row.links,
      scan: { id: scan.id, unitId: scan.unitId, at, takesPosition: true },
      verification: presentVerification({
        unit: unit.row,
        result: scan.result,
        risk,
        at,
        country: scan.country,
        scanId: scan.id,
        count: counted.scan_count,
        visitors: risk.profile.visitors,
        firstScannedAt: counted.first_scanned_at,
        assessment: 'preliminary',
        isInternal: false,
      }),
    };
  };

  const lookInside = async (unit: KnownUnit, visitor: Visitor, at: Date): Promise<Verified> => {
    const risk = assessUnseen(unit, at);
    const scan = scanOf(visitor, unit, at).judged(risk);
    await recordInternalScan(deps, scan, unit.row);
    const own = { scanId: scan.id, country: scan.country, assessment: 'final', isInternal: true } as const;
    return {
      ...unmoved(unit, risk, at, own),
      scan: { id: scan.id, unitId: scan.unitId, at, takesPosition: false },
    };
  };

  return {
    async verify(code, visitor, admit) {
      const unit = await findUnit(code);
      await admit?.(unit?.row ?? null);
      if (unit === null) return unknown(deps.clock.now());
      return inTurn(unit, atUnit(visitor, unit.row.unit_id));
    },

    async preview(code, admit) {
      const unit = await findUnit(code);
      await admit?.(unit?.row ?? null);
      const at = deps.clock.now();
      if (unit === null) return unknown(at);
      const nobody = { scanId: null, country: null, assessment: 'preliminary', isInternal: false } as const;
      return { ...unmoved(unit, assessUnseen(unit, at), at, nobody), scan: null };
    },
  };
}

/** What is known of a unit that is not scanned now. @param own what there is to say of the look itself */
function unmoved(
  unit: KnownUnit,
  risk: RiskAssessment,
  at: Date,
  own: Pick<Verification, 'scanId' | 'assessment'> & Pick<Verification['scan'], 'country' | 'isInternal'>,
): Omit<Verified, 'scan'> {
  return {
    organization: organizationOf(unit.row),
    links: unit.row.links,
    verification: presentVerification({
      unit: unit.row,
      result: verdictNow(unit.row, risk.verdict, at),
      risk,
      at,
      count: unit.row.scan_count ?? 0,
      visitors: unit.upToDate?.visitors ?? 0,
      firstScannedAt: unit.row.first_scanned_at,
      ...own,
    }),
  };
}

/** The visitor under a pseudonym of this unit alone: nothing that is stored tells what else a session has looked at. */
function atUnit(visitor: Visitor, unitId: string): Visitor {
  const { session } = visitor;
  if (session === null) return visitor;
  const id = createHash('sha256').update(`${session.id} ${unitId}`).digest('base64url').slice(0, 22);
  return { ...visitor, session: { id, isNew: session.isNew } };
}

const unknown = (at: Date): Verified => ({
  verification: presentUnknown(at),
  organization: null,
  links: [],
  scan: null,
});

function verdictNow(unit: ScannedUnitRow, risk: Parameters<typeof verdictOf>[0]['risk'], now: Date) {
  return verdictOf(
    {
      status: unit.status,
      isRecalled: unit.recalled_at !== null,
      expiresOn: unit.expires_on,
      risk,
      riskState: unit.risk_state ?? 'clear',
    },
    now,
  );
}

/** A scan that was made a moment ago, with what is known of it by now: its final verdict, a recall that came since. */
function sameScan(unit: KnownUnit, scan: ScanRow, now: Date): Verified {
  const { verdict, risk } = sinceDecided(unit, scan, now);
  return {
    organization: organizationOf(unit.row),
    links: unit.row.links,
    scan: {
      id: scan.id,
      unitId: scan.unit_id,
      at: scan.at,
      takesPosition: scan.claimed_lat === null && !scan.is_internal,
    },
    verification: presentVerification({
      unit: unit.row,
      result: verdictNow(unit.row, verdict, now),
      risk,
      at: scan.at,
      country: scan.country,
      scanId: scan.id,
      count: unit.row.scan_count ?? (scan.is_internal ? 0 : 1),
      visitors: unit.upToDate?.visitors ?? 1,
      firstScannedAt: unit.row.first_scanned_at,
      assessment: scan.assessment,
      isInternal: scan.is_internal,
    }),
  };
}

/** What the rules said of a scan; of copies nothing more once a person found none, and that finding alone where it is that there are some. */
function sinceDecided(unit: KnownUnit, scan: ScanRow, now: Date) {
  if (unit.row.decision === 'confirmed') {
    const risk = assessUnseen(unit, now);
    return { verdict: risk.verdict, risk };
  }
  const verdict = riskVerdictOf(scan);
  const level = scan.risk_level as RiskLevel;
  if (!isDismissed({ row: scan, unit: unit.row })) return { verdict, risk: { level, signals: scan.signals } };
  if (verdict !== 'diverted')
    return { verdict: 'clear' as const, risk: { level: 'none' as const, signals: [] } };
  return { verdict, risk: { level, signals: scan.signals.filter(({ type }) => type === 'diversion') } };
}
