/**
 * EPCIS events out of what the service knows: units, scans, consignments and recalls, in one order, newest first, by time, id
 * and kind. Each kind is read by an index of its own from where the page before ended, and the heads are merged.
 */
import type { Db } from '../db.ts';
import { NIL_UUID, uuidFloor } from '../ids.ts';
import * as events from './events.ts';
import { BIZ_STEP, KINDS, type EpcisEvent, type Here, type Kind } from './events.ts';
import {
  findBegunRecalls,
  findCalledOffConsignments,
  findLiftedRecalls,
  findMintedUnits,
  findReceivedConsignments,
  findScannedUnits,
  findShippedConsignments,
  findUnitBySerial,
  findVoidedUnits,
  listConsignmentsBySscc,
  type Slice,
} from './repository.ts';
import { parseEpc } from './uris.ts';

export { BIZ_STEP, KINDS, type EpcisEvent, type Kind } from './events.ts';

/** Where a page ended. */
export interface Position {
  at: Date;
  id: string;
  kind: Kind;
}

export interface EventQuery extends Here {
  from: Date | null;
  /** Not included. */
  to: Date;
  kinds: readonly Kind[];
  epc: string | null;
  after: Position | null;
  limit: number;
}

interface Entry extends Position {
  event: EpcisEvent;
}

/** The smallest UUID above one, so that `< it` includes it. */
function nextUuid(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The instant in a UUIDv7. */
const timeOf = (id: string): Date => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

const order = (a: Position, b: Position): number =>
  b.at.getTime() - a.at.getTime() ||
  (a.id < b.id ? 1 : a.id > b.id ? -1 : 0) ||
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);

/** @returns up to `limit` events, and where the next page goes on; null at the end. */
export async function listEvents(
  db: Db,
  query: EventQuery,
): Promise<{ events: EpcisEvent[]; next: Position | null }> {
  const target = await targetOf(db, query);
  if (target === null) return { events: [], next: null };
  const heads = await Promise.all(
    query.kinds.map((kind) => readKind(db, kind, query, sliceOf(query, kind, target))),
  );
  const merged = heads.flat().sort(order);
  const page = merged.slice(0, query.limit);
  return {
    events: page.map(({ event }) => event),
    next: merged.length > query.limit ? page.at(-1)! : null,
  };
}

type Target = Pick<Slice, 'unitId' | 'consignmentIds'>;

/** @returns null for an EPC that names nothing here. */
async function targetOf(db: Db, { publicUrl, orgId, epc }: EventQuery): Promise<Target | null> {
  if (epc === null) return { unitId: null, consignmentIds: null };
  const matched = parseEpc(publicUrl, epc);
  if (matched === null) return null;
  if ('gtin' in matched || 'unitId' in matched) {
    const unitId =
      'unitId' in matched ? matched.unitId : await findUnitBySerial(db, orgId, matched.gtin, matched.serial);
    return unitId === null ? null : { unitId, consignmentIds: null };
  }
  const consignmentIds =
    'consignmentId' in matched
      ? [matched.consignmentId]
      : await listConsignmentsBySscc(db, orgId, matched.sscc);
  return consignmentIds.length === 0 ? null : { unitId: null, consignmentIds };
}

function sliceOf({ orgId, from, to, after, limit }: EventQuery, kind: Kind, target: Target): Slice {
  const isAfter = after !== null && KINDS.indexOf(kind) > KINDS.indexOf(after.kind);
  const before =
    after === null || after.at >= to
      ? { at: to, id: NIL_UUID }
      : { at: after.at, id: isAfter ? nextUuid(after.id) : after.id };
  return { orgId, from, before, ...target, limit: limit + 1 };
}

/** Of a unit its id is its time, so `(time, id) < before` is a range of ids. */
function rangeOf({ from, before }: Slice): { fromId: string; toId: string } {
  const time = timeOf(before.id).getTime();
  const at = before.at.getTime();
  const toId = time === at ? before.id : time < at ? uuidFloor(before.at) : uuidFloor(new Date(at + 1));
  return { fromId: from === null ? NIL_UUID : uuidFloor(from), toId };
}

type Reader = (db: Db, here: Here, slice: Slice) => Promise<{ id: string; at: Date; event: EpcisEvent }[]>;

const reader =
  <Fact extends { id: string; at: Date }>(
    find: (db: Db, slice: Slice) => Promise<Fact[]>,
    toEvent: (here: Here, fact: Fact) => EpcisEvent,
  ): Reader =>
  async (db, here, slice) =>
    (await find(db, slice)).map((fact) => ({ id: fact.id, at: fact.at, event: toEvent(here, fact) }));

/** Kinds that a consignment has no part in, and those that a unit has none in. */
const ABOUT_UNITS: ReadonlySet<Kind> = new Set(['minted', 'voided', 'scanned']);

const READERS: Record<Kind, Reader> = {
  minted: reader(
    async (db, slice) =>
      (await findMintedUnits(db, slice, rangeOf(slice))).map((unit) => ({ ...unit, at: timeOf(unit.id) })),
    events.minted,
  ),
  voided: reader(findVoidedUnits, events.voided),
  scanned: reader(findScannedUnits, events.scanned),
  shipped: reader(findShippedConsignments, events.shipped),
  received: reader(findReceivedConsignments, events.received),
  calledOff: reader(findCalledOffConsignments, events.calledOff),
  recalled: reader(findBegunRecalls, events.recalled),
  lifted: reader(findLiftedRecalls, events.lifted),
};

async function readKind(db: Db, kind: Kind, here: Here, slice: Slice): Promise<Entry[]> {
  if (slice.consignmentIds !== null && ABOUT_UNITS.has(kind)) return [];
  return (await READERS[kind](db, here, slice)).map((entry) => ({ ...entry, kind }));
}

/** Kinds whose step of the process is one of these, by name or by URI of the CBV. */
export function kindsOfSteps(steps: readonly string[]): Kind[] {
  const wanted = new Set(
    steps.map((step) =>
      step.replace(/^(https:\/\/ref\.gs1\.org\/cbv\/BizStep-|urn:epcglobal:cbv:bizstep:)/, ''),
    ),
  );
  return KINDS.filter((kind) => wanted.has(BIZ_STEP[kind]));
}
