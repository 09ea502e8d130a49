import { mintedOf } from '../minted-units.ts';
import { isInForce } from '../recall-in-force.ts';
import type { Db } from '../db.ts';
import { searchPattern } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export interface BatchRow {
  id: string;
  product_id: string;
  /** As it is named now. */
  product_name: string;
  quantity: number;
  /** Units that exist so far. */
  minted: number;
  lot: string | null;
  /** `YYYY-MM-DD` */
  manufactured_on: string | null;
  expires_on: string | null;
  /** Overrides the product's markets; null takes them over. */
  markets: string[] | null;
  /** Whether its packages have a code below a layer. */
  hidden_codes: boolean;
  /** Whether they have an NFC tag that signs each tap. */
  nfc_tags: boolean;
  /** Lots that printed codes may still name. */
  former_lots: string[];
  /** When lot, expiry or whether there are hidden codes or tags changed last, null where never: what was printed before says otherwise. */
  relabelled_at: Date | null;
  /** Of the recall in force: null while it is only planned. */
  recalled_at: Date | null;
  recall_reason: string | null;
  created_at: Date;
}

export interface BatchFields {
  productId: string;
  quantity: number;
  lot: string | null;
  manufacturedOn: string | null;
  expiresOn: string | null;
  markets: string[] | null;
  hiddenCodes: boolean;
  nfcTags: boolean;
}

export async function insertBatch(
  db: Db,
  orgId: string,
  id: string,
  fields: BatchFields,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into batches (id, org_id, product_id, quantity, lot, manufactured_on, expires_on, markets, hidden_codes, nfc_tags, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      orgId,
      fields.productId,
      fields.quantity,
      fields.lot,
      fields.manufacturedOn,
      fields.expiresOn,
      fields.markets,
      fields.hiddenCodes,
      fields.nfcTags,
      now,
    ],
  );
}

export async function findBatch(db: Db, orgId: string, id: string): Promise<BatchRow | null> {
  const { rows } = await db.query<BatchRow>(
    `select b.id, b.product_id, p.name as product_name, b.quantity, b.lot, b.manufactured_on, b.expires_on, b.markets, b.hidden_codes, b.nfc_tags, b.former_lots,
            b.relabelled_at, b.created_at, r.starts_at as recalled_at, r.reason as recall_reason,
            ${mintedOf('b')} as minted
       from batches b
       join products p on p.id = b.product_id
       left join recalls r on r.target_id = b.id and ${isInForce('r')}
      where b.org_id = $1 and b.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export interface BatchCorrection {
  lot: string | null;
  manufacturedOn: string | null;
  expiresOn: string | null;
  markets: string[] | null;
  hiddenCodes: boolean;
  nfcTags: boolean;
  formerLots: readonly string[];
  relabelledAt: Date | null;
}

export async function setBatch(db: Db, orgId: string, id: string, to: BatchCorrection): Promise<void> {
  await db.query(
    `update batches set lot = $3, manufactured_on = $4, expires_on = $5, markets = $6, former_lots = $7, relabelled_at = $8,
            hidden_codes = $9, nfc_tags = $10
      where org_id = $1 and id = $2`,
    [
      orgId,
      id,
      to.lot,
      to.manufacturedOn,
      to.expiresOn,
      to.markets,
      to.formerLots,
      to.relabelledAt,
      to.hiddenCodes,
      to.nfcTags,
    ],
  );
}

/** Whether codes are being made for it, or wait to be. */
export async function hasOpenBarcodeJob(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from barcode_jobs where batch_id = $1 and status in ('queued', 'running')`,
    [id],
  );
  return rowCount !== 0;
}

/** Keeps others from starting a job on the batch until the transaction ends. */
export async function lockBatch(db: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from batches where org_id = $1 and id = $2 for update', [
    orgId,
    id,
  ]);
  return rowCount === 1;
}

export interface BatchFilter {
  productId?: string | undefined;
  lot?: string | undefined;
  /** Part of the lot, or of the product's name, SKU, GTIN or brand. */
  q?: string | undefined;
}

export async function listBatches(
  db: Db,
  orgId: string,
  filter: BatchFilter,
  page: PageRequest,
): Promise<Page<BatchRow>> {
  const { rows } = await db.query<BatchRow>(
    `select b.id, b.product_id, p.name as product_name, b.quantity, b.lot, b.manufactured_on, b.expires_on, b.markets, b.hidden_codes, b.nfc_tags, b.former_lots,
            b.relabelled_at, b.created_at, r.starts_at as recalled_at, r.reason as recall_reason,
            ${mintedOf('b')} as minted
       from batches b
       join products p on p.id = b.product_id
       left join recalls r on r.target_id = b.id and ${isInForce('r')}
      where b.org_id = $1
        and ($2::uuid is null or b.id < $2)
        and ($3::uuid is null or b.product_id = $3)
        and ($4::text is null or b.lot = $4)
        -- The newest of either kind, so that each is found by its own index.
        and ($5::text is null or b.id = any(array(
              (select f.id from batches f
                where f.org_id = $1 and f.search_text like search_form($5) and ($2::uuid is null or f.id < $2)
                  and ($3::uuid is null or f.product_id = $3) and ($4::text is null or f.lot = $4)
                order by f.id desc limit $6)
              union all
              (select f.id from batches f join products g on g.id = f.product_id
                where f.org_id = $1 and g.org_id = $1 and g.search_text like search_form($5)
                  and ($2::uuid is null or f.id < $2)
                  and ($3::uuid is null or f.product_id = $3) and ($4::text is null or f.lot = $4)
                order by f.id desc limit $6))))
      order by b.id desc
      limit $6`,
    [
      orgId,
      page.beforeId,
      filter.productId ?? null,
      filter.lot ?? null,
      filter.q === undefined ? null : searchPattern(filter.q),
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}
