/** Where the units of a bulk job come from. Plain JSON, as it is stored with the job; ids are UUIDs. */

/** What a list names its units by: their ids, their serials (of one product), or what the printed code carries. */
export type ItemKey = 'unitId' | 'serial' | 'code';

/** Serials in the order of their characters, both ends included; null is open. A product's units are such a range. */
export interface SerialRange {
  kind: 'serials';
  productId: string;
  from: string | null;
  to: string | null;
}

export type UnitSource =
  | { kind: 'items'; by: ItemKey; productId: string | null }
  | { kind: 'batch'; batchId: string }
  | SerialRange
  | { kind: 'consignment'; consignmentId: string };
