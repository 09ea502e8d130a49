import type { ProductLink } from '../products/links.ts';
import { byteaArray, plainArray, textArray, timeArray } from '../array-literals.ts';
import { SHARED_LISTS, type Db } from '../db.ts';
import { brandedBy, ORGANIZATION_COLUMNS, type OrganizationColumns } from './organization.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';
import type { RiskProfile, RiskSignal } from '../risk/types.ts';
import type { UnitStatus } from '../units/service.ts';
import { AUDIENCE, type AudienceColumns } from './audience-repository.ts';
import type { ScanRow } from './list-repository.ts';
import type { LotColumns } from './lot-repository.ts';
import type { ScanResult } from './verdict.ts';

/** A unit with all that a verdict needs, found by its printed code. */
export interface ScannedUnitRow extends LotColumns, AudienceColumns, OrganizationColumns {
  unit_id: string;
  batch_id: string;
  product_id: string;
  code: Buffer;
  serial: string;
  status: UnitStatus;
  activated_at: Date | null;
  consumed_at: Date | null;
  hidden_code_reused_at: Date | null;
  nfc_tap_replayed_at: Date | null;
  /** Since when a recall in force has lain over it; with what consumers are told, by language. */
  recalled_at: Date | null;
  recall_messages: Record<string, string> | null;
  recall_contact: string | null;
  shipment: 'untracked' | 'not-shipped' | 'shipped';
  lot: string | null;
  expires_on: string | null;
  hidden_codes: boolean;
  nfc_tags: boolean;
  /** Of its consignment, else its batch, else its product; empty means everywhere. */
  markets: readonly string[];
  /** CIDRs of the organization's own; null for none. */
  internal_networks: readonly string[] | null;
  product_name: string;
  sku: string;
  brand: string | null;
  image_url: string | null;
  gtin: string | null;
  links: ProductLink[];
  org_policy: RiskPolicyOverride | null;
  product_policy: RiskPolicyOverride | null;
  risk_state: 'clear' | 'suspect' | 'confirmed' | null;
  decision: 'dismissed' | 'confirmed' | null;
  decided_at: Date | null;
  raised_at: Date[] | null;
  scan_count: number | null;
  first_scanned_at: Date | null;
  profile: RiskProfile | null;
  /** Smallest id of the scans that are not in the profile yet. */
  unscored_from: string | null;
}

/** One indexed look-up for any number of codes. Those of an organization that is blocked are nobody's. */
export async function findUnitsByCodes(db: Db, codes: readonly Buffer[]): Promise<ScannedUnitRow[]> {
  const { rows } = await db.query<ScannedUnitRow>({
    name: 'find-units-by-codes',
    types: SHARED_LISTS,
    text: `select u.id as unit_id, u.org_id, u.batch_id, u.product_id, u.code, u.serial, u.status, u.activated_at, u.consumed_at,
                  s.recalled_at, s.recall_messages, s.recall_contact, s.shipment, b.lot, b.expires_on, b.hidden_codes, b.nfc_tags,
                  coalesce(s.expected_markets, b.markets, p.markets) as markets, p.name as product_name, p.sku, p.brand, p.image_url, p.gtin, p.links,
                  ${ORGANIZATION_COLUMNS}, o.internal_networks, op.policy as org_policy, pp.policy as product_policy, r.state as risk_state,
                  r.decision, r.decided_at, r.raised_at, r.hidden_code_reused_at, r.nfc_tap_replayed_at, r.scan_count, r.first_scanned_at, r.profile, r.unscored_from,
                  bs.units as lot_units, bs.outside as lot_outside, ${AUDIENCE}
             from product_units u
             join batches b on b.id = u.batch_id
             join products p on p.id = u.product_id
             join lateral unit_supply(u.id, u.batch_id, u.product_id) s on true
             ${brandedBy('u.org_id')}
             left join risk_policies op on op.org_id = u.org_id and op.product_id is null
             left join risk_policies pp on pp.org_id = u.org_id and pp.product_id = u.product_id
             left join unit_risk_profiles r on r.unit_id = u.id
             left join batch_sightings bs on bs.batch_id = u.batch_id
             left join organization_audiences oa on oa.org_id = u.org_id
            where u.code = any($1::bytea[])`,
    values: [byteaArray(codes)],
  });
  return rows;
}

/**
 * The code behind a GS1 Digital Link. Two organizations may use one GTIN (a maker and its licensee, or an imitator): the
 * product that was registered first answers. @param key `orgId` where the codes of one organization alone are known
 */
export async function findCodeBySerial(
  db: Db,
  key: { gtin: string; serial: string; lot: string | null; orgId?: string | null },
): Promise<Buffer | null> {
  const { rows } = await db.query<{ code: Buffer }>({
    name: 'find-code-by-serial',
    text: `select u.code
             from products p
             join product_units u on u.product_id = p.id and u.serial = $2
             join batches b on b.id = u.batch_id
             join organizations o on o.id = p.org_id and o.blocked_at is null
            where p.gtin = $1 and ($3::text is null or b.lot = $3 or $3 = any(b.former_lots))
              and ($4::uuid is null or p.org_id = $4)
            order by p.id
            limit 1`,
    values: [key.gtin, key.serial, key.lot, key.orgId ?? null],
  });
  return rows[0]?.code ?? null;
}

/** The newest scan of a unit in a session. @param sinceId smallest id to look at; it prunes the partitions. */
export async function findSessionScan(
  db: Db,
  sessionId: string,
  unitId: string,
  sinceId: string,
): Promise<ScanRow | null> {
  const { rows } = await db.query<ScanRow>({
    name: 'find-session-scan',
    text: `select id, unit_id, product_id, batch_id, at, country, lat, lon, accuracy_km, place_source, claimed_lat, claimed_lon,
                  claimed_accuracy_km, result, assessment, risk_level, risk_score, signals, is_internal, hidden_code_correct, nfc_tap
             from scans
            where session_id = $1 and unit_id = $2 and id >= $3
            order by id desc
            limit 1`,
    values: [sessionId, unitId, sinceId],
  });
  return rows[0] ?? null;
}

export interface NewScan {
  id: string;
  orgId: string;
  unitId: string;
  productId: string;
  batchId: string;
  at: Date;
  sessionId: string | null;
  networkId: string | null;
  ip: string | null;
  userAgent: string | null;
  country: string | null;
  lat: number | null;
  lon: number | null;
  accuracyKm: number | null;
  placeSource: string | null;
  result: ScanResult;
  riskLevel: string;
  riskScore: number;
  signals: readonly RiskSignal[];
}

export interface UnitCount {
  unit_id: string;
  scan_count: number;
  first_scanned_at: Date;
}

/** Writes scans, counts them on their units and marks these for scoring: one statement, one commit. */
export async function insertScans(db: Db, scans: readonly NewScan[]): Promise<UnitCount[]> {
  const column = <K extends keyof NewScan>(name: K) => scans.map((scan) => scan[name]);
  const { rows } = await db.query<UnitCount>({
    name: 'insert-scans',
    text: `with incoming as (
         select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::text[],
                              $8::text[], $9::inet[], $10::text[], $11::text[], $12::double precision[],
                              $13::double precision[], $14::real[], $15::text[], $16::text[], $17::text[],
                              $18::smallint[], $19::jsonb[])
           as t (id, org_id, unit_id, product_id, batch_id, at, session_id, network_id, ip, user_agent, country, lat, lon,
                 accuracy_km, place_source, result, risk_level, risk_score, signals)
       ), written as (
         insert into scans (id, org_id, unit_id, product_id, batch_id, at, session_id, network_id, ip, user_agent,
                country, lat, lon, accuracy_km, place_source, result, risk_level, risk_score, signals)
         select id, org_id, unit_id, product_id, batch_id, at, session_id, network_id, ip, user_agent,
                country, lat, lon, accuracy_km, place_source, result, risk_level, risk_score, signals
           from incoming
       )
       insert into unit_risk_profiles as p (unit_id, org_id, scan_count, first_scanned_at, unscored_since, unscored_from)
       select unit_id, org_id, count(*), min(at), min(at), min(id::text)::uuid from incoming
        group by unit_id, org_id
        -- In the order in which scoring locks them, or the two could wait for each other.
        order by unit_id
           on conflict (unit_id) do update
              set scan_count = p.scan_count + excluded.scan_count,
                  -- A row without scans is of a unit that a person suspects.
                  first_scanned_at = coalesce(p.first_scanned_at, excluded.first_scanned_at),
                  unscored_since = least(p.unscored_since, excluded.unscored_since),
                  unscored_from = least(p.unscored_from, excluded.unscored_from)
       returning p.unit_id, p.scan_count, p.first_scanned_at`,
    values: [
      plainArray(column('id')),
      plainArray(column('orgId')),
      plainArray(column('unitId')),
      plainArray(column('productId')),
      plainArray(column('batchId')),
      timeArray(column('at')),
      textArray(column('sessionId')),
      textArray(column('networkId')),
      textArray(column('ip')),
      textArray(column('userAgent')),
      textArray(column('country')),
      plainArray(column('lat')),
      plainArray(column('lon')),
      plainArray(column('accuracyKm')),
      textArray(column('placeSource')),
      plainArray(column('result')),
      plainArray(column('riskLevel')),
      plainArray(column('riskScore')),
      textArray(scans.map(({ signals }) => (signals.length === 0 ? '[]' : JSON.stringify(signals)))),
    ],
  });
  return rows;
}

/** Writes a scan that is neither judged nor counted: its unit's row stays as it is, and is not waited for. */
export async function insertInternalScan(db: Db, scan: NewScan): Promise<void> {
  await db.query(
    `insert into scans (id, org_id, unit_id, product_id, batch_id, at, session_id, network_id, ip, user_agent, country, lat, lon,
            accuracy_km, place_source, result, risk_level, risk_score, signals, assessment, scorings, is_internal)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 'final', 1, true)`,
    [
      scan.id,
      scan.orgId,
      scan.unitId,
      scan.productId,
      scan.batchId,
      scan.at,
      scan.sessionId,
      scan.networkId,
      scan.ip,
      scan.userAgent,
      scan.country,
      scan.lat,
      scan.lon,
      scan.accuracyKm,
      scan.placeSource,
      scan.result,
      scan.riskLevel,
      scan.riskScore,
      JSON.stringify(scan.signals),
    ],
  );
}

/** Those of some units whose row somebody holds at the moment. */
export async function findHeldUnits(db: Db, unitIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ unit_id: string }>({
    name: 'find-held-units',
    text: `with free as (
         select unit_id from unit_risk_profiles where unit_id = any($1::uuid[]) for no key update skip locked
       )
       select unit_id from unit_risk_profiles where unit_id = any($1::uuid[])
       except
       select unit_id from free`,
    values: [plainArray(unitIds)],
  });
  return rows.map((row) => row.unit_id);
}
