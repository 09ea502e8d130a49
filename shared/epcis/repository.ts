/**
 * The facts behind EPCIS events. "offset 0" has their units looked up one by one: while statistics know little of an
 * organization, a join reads all of its units, and of a page of consignments for each of these.
 */
import type { Party } from '../consignments/service.ts';
import type { Db } from '../db.ts';
import { begunAt, hasBegun } from '../recall-in-force.ts';

/** What one page of one kind of event is asked for. */
export interface Slice {
  orgId: string;
  /** Events at or after; null for all. */
  from: Date | null;
  /** Only what comes before `(at, id)`, newest first. */
  before: { at: Date; id: string };
  /** One unit that the event must be about, or consignments: an SSCC is used again once the one before has arrived. */
  unitId: string | null;
  consignmentIds: readonly string[] | null;
  limit: number;
}

interface Fact {
  id: string;
  at: Date;
}

export interface UnitFact extends Fact {
  unit_id: string;
  serial: string;
  gtin: string | null;
  lot: string | null;
  expires_on: string | null;
}

const UNIT_FACT_VALUES = ({ orgId, from, before, unitId, limit }: Slice) => [
  orgId,
  from,
  before.at,
  before.id,
  unitId,
  limit,
];

/** Units by their ids, which are the times when they were minted. @param range of ids, its end not included */
export async function findMintedUnits(
  db: Db,
  { orgId, unitId, limit }: Slice,
  range: { fromId: string; toId: string },
): Promise<Omit<UnitFact, 'at'>[]> {
  const { rows } = await db.query<Omit<UnitFact, 'at'>>(
    `select u.id, u.id as unit_id, u.serial, p.gtin, b.lot, b.expires_on
       from product_units u
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
      where u.org_id = $1 and u.id >= $2 and u.id < $3 and ($4::uuid is null or u.id = $4)
      order by u.id desc
      limit $5`,
    [orgId, range.fromId, range.toId, unitId, limit],
  );
  return rows;
}

export async function findVoidedUnits(db: Db, slice: Slice): Promise<UnitFact[]> {
  const { rows } = await db.query<UnitFact>(
    `select u.id, u.voided_at as at, u.id as unit_id, u.serial, p.gtin, b.lot, b.expires_on
       from product_units u
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
      where u.org_id = $1 and u.voided_at is not null
        and ($2::timestamptz is null or u.voided_at >= $2) and (u.voided_at, u.id) < ($3, $4)
        and ($5::uuid is null or u.id = $5)
      order by u.voided_at desc, u.id desc
      limit $6`,
    UNIT_FACT_VALUES(slice),
  );
  return rows;
}

export interface ScanFact extends UnitFact {
  result: string;
  country: string | null;
  lat: number | null;
  lon: number | null;
}

export async function findScannedUnits(db: Db, slice: Slice): Promise<ScanFact[]> {
  const { rows } = await db.query<ScanFact>(
    `select s.id, s.at, s.unit_id, u.serial, p.gtin, b.lot, b.expires_on, s.result, s.country, s.lat, s.lon
       from (select id, at, unit_id, result, country, lat, lon
               from scans
              where org_id = $1 and ($2::timestamptz is null or at >= $2) and (at, id) < ($3, $4)
                and ($5::uuid is null or unit_id = $5)
              order by at desc, id desc
              limit $6) s
       join lateral (select serial, batch_id, product_id from product_units
                      where org_id = $1 and id = s.unit_id offset 0) u on true
       join batches b on b.id = u.batch_id
       join products p on p.id = u.product_id
      order by s.at desc, s.id desc`,
    UNIT_FACT_VALUES(slice),
  );
  return rows;
}

export interface ConsignmentFact extends Fact {
  sscc: string | null;
  origin: Party | null;
  destination: Party | null;
  document_references: { type: string; value: string }[];
  /** Of one that was received, whether as many were counted as were sent. */
  is_complete: boolean;
  /** Its units, where they are few enough to be listed. */
  units: { unit_id: string; serial: string; gtin: string | null; missing: boolean }[];
}

/** Consignments with more units are told by their own id alone. */
const LISTED_UNITS = 1_000;

const CONSIGNMENT_VALUES = ({ orgId, from, before, unitId, consignmentIds, limit }: Slice) => [
  orgId,
  from,
  before.at,
  before.id,
  unitId,
  consignmentIds,
  LISTED_UNITS,
  limit,
];

/** Each has an index of its own. What was never dispatched, nobody was told of. */
type Moment = 'dispatched_at' | 'received_at' | 'cancelled_at';

/** By one of the moments of a consignment's life. A unit that did not arrive was not received. */
async function findConsignments(db: Db, slice: Slice, moment: Moment): Promise<ConsignmentFact[]> {
  const { rows } = await db.query<ConsignmentFact>(
    `select c.id, c.${moment} as at, c.sscc, c.origin, c.destination, c.document_references,
            (c.status = 'received' and coalesce(c.counted, c.unit_count) = c.unit_count) as is_complete,
            (select coalesce(jsonb_agg(jsonb_build_object('unit_id', u.id, 'serial', u.serial, 'gtin', p.gtin,
                                                          'missing', cu.condition is not distinct from 'missing')
                                       order by u.id), '[]')
               from consignment_units cu
               join lateral (select id, serial, product_id from product_units
                              where org_id = $1 and id = cu.unit_id offset 0) u on true
               join products p on p.id = u.product_id
              where cu.consignment_id = c.id and c.unit_count <= $7) as units
       from consignments c
      where c.org_id = $1 and c.dispatched_at is not null and c.${moment} is not null
        and ($2::timestamptz is null or c.${moment} >= $2) and (c.${moment}, c.id) < ($3, $4)
        and ($5::uuid is null or (c.unit_count <= $7 and c.id in
              (select consignment_id from consignment_units
                where unit_id = $5 and ('${moment}' <> 'received_at' or condition is distinct from 'missing'))))
        and ($6::uuid[] is null or c.id = any($6))
      order by c.${moment} desc, c.id desc
      limit $8`,
    CONSIGNMENT_VALUES(slice),
  );
  return rows;
}

export function findShippedConsignments(db: Db, slice: Slice): Promise<ConsignmentFact[]> {
  return findConsignments(db, slice, 'dispatched_at');
}

export function findReceivedConsignments(db: Db, slice: Slice): Promise<ConsignmentFact[]> {
  return findConsignments(db, slice, 'received_at');
}

export function findCalledOffConsignments(db: Db, slice: Slice): Promise<ConsignmentFact[]> {
  return findConsignments(db, slice, 'cancelled_at');
}

export interface RecallFact extends Fact {
  scope: 'unit' | 'batch' | 'consignment' | 'product';
  target_id: string;
  sscc: string | null;
  serial: string | null;
  gtin: string | null;
  lot: string | null;
  quantity: number | null;
}

const RECALL_VALUES = ({ orgId, from, before, unitId, consignmentIds, limit }: Slice) => [
  orgId,
  from,
  before.at,
  before.id,
  unitId === null ? consignmentIds : [unitId],
  limit,
];

/** A planned recall begins at its own time, and not at all where it was lifted before; one that is dated back, when it was made. */
export async function findBegunRecalls(db: Db, slice: Slice): Promise<RecallFact[]> {
  const { rows } = await db.query<RecallFact>(
    `select r.id, ${begunAt('r')} as at, r.scope, r.target_id, c.sscc, u.serial, p.gtin, b.lot, b.quantity
       from recalls r
       left join consignments c on r.scope = 'consignment' and c.id = r.target_id
       left join lateral (select serial, batch_id from product_units
                           where r.scope = 'unit' and org_id = $1 and id = r.target_id offset 0) u on true
       left join batches b on b.id = case r.scope when 'batch' then r.target_id else u.batch_id end
       left join products p on p.id = case r.scope when 'product' then r.target_id else b.product_id end
      where r.org_id = $1
        and ${hasBegun('r')}
        and ($2::timestamptz is null or ${begunAt('r')} >= $2)
        and (${begunAt('r')}, r.id) < ($3, $4)
        and ($5::uuid[] is null or r.target_id = any($5))
      order by ${begunAt('r')} desc, r.id desc
      limit $6`,
    RECALL_VALUES(slice),
  );
  return rows;
}

export async function findLiftedRecalls(db: Db, slice: Slice): Promise<RecallFact[]> {
  const { rows } = await db.query<RecallFact>(
    `select r.id, r.lifted_at as at, r.scope, r.target_id, c.sscc, u.serial, p.gtin, b.lot, b.quantity
       from recalls r
       left join consignments c on r.scope = 'consignment' and c.id = r.target_id
       left join lateral (select serial, batch_id from product_units
                           where r.scope = 'unit' and org_id = $1 and id = r.target_id offset 0) u on true
       left join batches b on b.id = case r.scope when 'batch' then r.target_id else u.batch_id end
       left join products p on p.id = case r.scope when 'product' then r.target_id else b.product_id end
      where r.org_id = $1 and r.lifted_at is not null and ${hasBegun('r')}
        and ($2::timestamptz is null or r.lifted_at >= $2) and (r.lifted_at, r.id) < ($3, $4)
        and ($5::uuid[] is null or r.target_id = any($5))
      order by r.lifted_at desc, r.id desc
      limit $6`,
    RECALL_VALUES(slice),
  );
  return rows;
}

/** @returns the unit behind a GTIN and a serial. */
export async function findUnitBySerial(
  db: Db,
  orgId: string,
  gtin: string,
  serial: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select u.id from products p join product_units u on u.product_id = p.id and u.serial = $3
      where p.org_id = $1 and p.gtin = $2
      order by p.id
      limit 1`,
    [orgId, gtin, serial],
  );
  return rows[0]?.id ?? null;
}

export async function listConsignmentsBySscc(db: Db, orgId: string, sscc: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from consignments where org_id = $1 and sscc = $2',
    [orgId, sscc],
  );
  return rows.map(({ id }) => id);
}
