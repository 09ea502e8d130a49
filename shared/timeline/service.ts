/** The life of one unit as a single list: from its minting to the last scan. */
import type { Scope } from '../api-keys/scopes.ts';
import type { Db } from '../db.ts';
import { getUnit } from '../units/service.ts';
import { listEntries, type EntryPlace, type EntryRow } from './repository.ts';

export type { EntryPlace, EntryRow } from './repository.ts';

/** Each kind of entry, and with which scopes it may be seen beside `products.read`. */
export const ENTRY_SCOPES = {
  minted: [],
  activated: [],
  suspended: [],
  reactivated: [],
  voided: [],
  consumed: [],
  shipped: ['consignments.read', 'consignments.write'],
  received: ['consignments.read', 'consignments.write'],
  shipment_cancelled: ['consignments.read', 'consignments.write'],
  recalled: [],
  recall_lifted: [],
  scanned: ['scans.read'],
  hidden_code_entered: ['scans.read'],
  flagged: ['scans.read'],
  decided: ['scans.read'],
  reported: ['reports.read', 'reports.write'],
} as const satisfies Record<string, readonly Scope[]>;

export type EntryType = keyof typeof ENTRY_SCOPES;
export const ENTRY_TYPES = Object.keys(ENTRY_SCOPES) as [EntryType, ...EntryType[]];

export interface TimelineRequest {
  types: readonly EntryType[] | null;
  after: EntryPlace | null;
  limit: number;
}

/**
 * @param scopes of the caller: entries that they do not cover are left out.
 * @returns a page, newest first, and the place of the next one.
 * @throws AppError NOT_FOUND
 */
export async function readTimeline(
  db: Db,
  orgId: string,
  unitId: string,
  scopes: ReadonlySet<Scope>,
  { types, after, limit }: TimelineRequest,
): Promise<{ rows: EntryRow[]; next: EntryPlace | null }> {
  const unit = await getUnit(db, orgId, unitId);
  const visible = (types ?? ENTRY_TYPES).filter((type) => {
    const anyOf: readonly Scope[] = ENTRY_SCOPES[type];
    return anyOf.length === 0 || anyOf.some((scope) => scopes.has(scope));
  });
  const found = await listEntries(db, {
    orgId,
    unitId,
    batchId: unit.batch_id,
    productId: unit.product_id,
    types: visible,
    after,
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? { at: last.at, key: last.key } : null };
}
