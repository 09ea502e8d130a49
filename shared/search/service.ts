/** One search over everything that has a name or an id, within what the caller may see. */
import type { Scope } from '../api-keys/scopes.ts';
import type { Db } from '../db.ts';
import type { DigitalLink } from '../gs1/digital-link.ts';
import { gs1In } from '../gs1/element-string.ts';
import { decodeId, type IdPrefix } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import { withoutSymbologyIdentifier } from '../units/scanned.ts';
import { codeIn } from '../units/token.ts';
import {
  findBarcodeJob,
  findBatch,
  findBatchesByLink,
  findCase,
  findConsignment,
  findEndpoint,
  findProduct,
  findProductsByLink,
  findRecall,
  findReport,
  findScan,
  findUnit,
  findUnitByCode,
  findUnitsByLink,
  searchBatches,
  searchConsignments,
  searchProducts,
  searchUnits,
  type HitRow,
} from './repository.ts';

/** What a search can find, in the order of the answer: four kinds by their names, all of them by their ids. */
const KINDS = {
  product: { prefix: 'prod', scopes: ['products.read'], find: findProduct, search: searchProducts },
  batch: { prefix: 'batch', scopes: ['products.read'], find: findBatch, search: searchBatches },
  unit: { prefix: 'unit', scopes: ['products.read'], find: findUnit, search: searchUnits },
  consignment: {
    prefix: 'cons',
    scopes: ['consignments.read', 'consignments.write'],
    find: findConsignment,
    search: searchConsignments,
  },
  barcodeJob: { prefix: 'job', scopes: ['products.read'], find: findBarcodeJob, search: null },
  scan: { prefix: 'scan', scopes: ['scans.read'], find: findScan, search: null },
  riskCase: { prefix: 'case', scopes: ['scans.read'], find: findCase, search: null },
  report: { prefix: 'rep', scopes: ['reports.read', 'reports.write'], find: findReport, search: null },
  recall: { prefix: 'rcl', scopes: ['products.read'], find: findRecall, search: null },
  webhookEndpoint: {
    prefix: 'whep',
    scopes: ['webhooks.read', 'webhooks.write'],
    find: findEndpoint,
    search: null,
  },
} as const satisfies Record<
  string,
  { prefix: IdPrefix; scopes: readonly Scope[]; find: unknown; search: unknown }
>;

export type HitType = keyof typeof KINDS;
export const HIT_TYPES = Object.keys(KINDS) as HitType[];
export const prefixOf = (type: HitType): IdPrefix => KINDS[type].prefix;

/** Of each kind; with four kinds by name, 20 at most. */
const HITS_OF_A_KIND = 5;

export interface Hit extends HitRow {
  type: HitType;
}

/** @param scopes the caller's: a kind outside of them is not looked at. */
export async function search(
  { db, tokenKeys }: { db: Db; tokenKeys: Keyring },
  orgId: string,
  scopes: ReadonlySet<Scope>,
  q: string,
): Promise<Hit[]> {
  const seen = HIT_TYPES.filter((type) => KINDS[type].scopes.some((scope) => scopes.has(scope)));
  const named = seen.flatMap((type) => {
    const id = decodeId(KINDS[type].prefix, q);
    return id === null ? [] : [{ type, id }];
  })[0];
  if (named !== undefined)
    return (await KINDS[named.type].find(db, orgId, named.id)).map((row) => ({ type: named.type, ...row }));
  const link = gs1In(q);
  if (link !== null) {
    const { type, find } = ofLink(link);
    return seen.includes(type) ? (await find(db, orgId, link)).map((row) => ({ type, ...row })) : [];
  }
  const code = codeIn(tokenKeys, q);
  if (code !== null)
    return seen.includes('unit')
      ? (await findUnitByCode(db, orgId, code)).map((row) => ({ type: 'unit', ...row }))
      : [];
  const hits: Hit[] = [];
  for (const type of seen) {
    const rows = (await KINDS[type].search?.(db, orgId, withoutSymbologyIdentifier(q), HITS_OF_A_KIND)) ?? [];
    hits.push(...rows.map((row) => ({ type, ...row })));
  }
  return hits;
}

function ofLink({ serial, lot }: DigitalLink) {
  if (serial !== undefined) return { type: 'unit', find: findUnitsByLink } as const;
  if (lot !== undefined) return { type: 'batch', find: findBatchesByLink } as const;
  return { type: 'product', find: findProductsByLink } as const;
}
