import { isInForce } from '../recall-in-force.ts';
import type { Db } from '../db.ts';
import { searchPattern } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export type StoredStatus = 'draft' | 'dispatched' | 'received' | 'partially_received' | 'cancelled';

/** A place that goods come from or go to. */
export interface Party {
  name: string;
  address: string | null;
  country: string | null;
}

export interface DocumentReference {
  type: string;
  value: string;
}

export interface ConsignmentRow {
  id: string;
  org_id: string;
  status: StoredStatus;
  reference: string | null;
  sscc: string | null;
  origin: Party | null;
  destination: Party | null;
  expected_markets: string[];
  document_references: DocumentReference[];
  unit_count: number;
  /** Products, those with most units first; `MOST_PRODUCTS` at most. */
  contents: { name: string; units: number }[];
  created_at: Date;
  dispatched_at: Date | null;
  received_at: Date | null;
  /** Null as well where an earlier release called it off. */
  cancelled_at: Date | null;
  received_count: number | null;
  missing_count: number | null;
  damaged_count: number | null;
  counted: number | null;
  /** What was told of the receipt differs from what was sent. */
  has_discrepancy: boolean;
  received_by: string | null;
  receipt_note: string | null;
  received_through: 'link' | 'key' | null;
  link_expires_at: Date | null;
  /** Of the recall in force, as the columns below: null while it is only planned. */
  recalled_at: Date | null;
  recall_reason: string | null;
  recall_messages: Record<string, string> | null;
  recall_contact: string | null;
  org_name: string;
}

export interface ConsignmentFields {
  reference: string | null;
  sscc: string | null;
  origin: Party | null;
  destination: Party | null;
  expectedMarkets: string[];
  references: DocumentReference[];
}

export async function insertConsignment(
  db: Db,
  orgId: string,
  id: string,
  fields: ConsignmentFields,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into consignments (id, org_id, reference, sscc, origin, destination, expected_markets, document_references,
                               created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      orgId,
      fields.reference,
      fields.sscc,
      fields.origin === null ? null : JSON.stringify(fields.origin),
      fields.destination === null ? null : JSON.stringify(fields.destination),
      fields.expectedMarkets,
      JSON.stringify(fields.references),
      now,
    ],
  );
}

export async function setConsignment(
  db: Db,
  orgId: string,
  id: string,
  to: ConsignmentFields,
): Promise<void> {
  await db.query(
    `update consignments
        set reference = $3, sscc = $4, origin = $5, destination = $6, expected_markets = $7, document_references = $8
      where org_id = $1 and id = $2`,
    [
      orgId,
      id,
      to.reference,
      to.sscc,
      to.origin === null ? null : JSON.stringify(to.origin),
      to.destination === null ? null : JSON.stringify(to.destination),
      to.expectedMarkets,
      JSON.stringify(to.references),
    ],
  );
}

export async function findConsignment(db: Db, orgId: string, id: string): Promise<ConsignmentRow | null> {
  const { rows } = await db.query<ConsignmentRow>(
    `select c.*, o.name as org_name, r.starts_at as recalled_at, r.reason as recall_reason, r.messages as recall_messages,
            r.contact as recall_contact
       from consignments c
       join organizations o on o.id = c.org_id
       left join recalls r on r.target_id = c.id and ${isInForce('r')}
      where c.org_id = $1 and c.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

/** Whether a recall of it was not lifted, begun or planned. */
export async function hasRecall(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from recalls where target_id = $1 and lifted_at is null', [
    id,
  ]);
  return rowCount !== 0;
}

/** Whose link this is, while it is good. */
export async function findIdByLink(
  db: Db,
  digest: Buffer,
  now: Date,
): Promise<{ id: string; org_id: string } | null> {
  const { rows } = await db.query<{ id: string; org_id: string }>(
    `select c.id, c.org_id from consignments c join organizations o on o.id = c.org_id and o.blocked_at is null
      where c.link_digest = $1 and c.link_expires_at > $2`,
    [digest, now],
  );
  return rows[0] ?? null;
}

/** Holds the consignment until the transaction ends: nothing of it changes meanwhile. */
export async function lockConsignment(db: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from consignments where org_id = $1 and id = $2 for update', [
    orgId,
    id,
  ]);
  return rowCount === 1;
}

export interface ConsignmentFilter {
  status?: StoredStatus | 'recalled' | undefined;
  reference?: string | undefined;
  sscc?: string | undefined;
  /** Only those under way since before then. */
  dispatchedBefore?: Date | undefined;
  /** Only those whose receipt differs from what was sent. */
  hasDiscrepancy?: boolean | undefined;
  /** Only those received since then. */
  receivedSince?: Date | undefined;
  /** Part of reference, SSCC or the destination's name, without case. */
  q?: string | undefined;
}

export async function listConsignments(
  db: Db,
  orgId: string,
  filter: ConsignmentFilter,
  page: PageRequest,
): Promise<Page<ConsignmentRow>> {
  const { rows } = await db.query<ConsignmentRow>(
    `select c.*, o.name as org_name, r.starts_at as recalled_at, r.reason as recall_reason, r.messages as recall_messages,
            r.contact as recall_contact
       from consignments c
       join organizations o on o.id = c.org_id
       left join recalls r on r.target_id = c.id and ${isInForce('r')}
      where c.org_id = $1
        and ($2::uuid is null or c.id < $2)
        and ($3::text is null or $3 = case when r.id is null then c.status else 'recalled' end)
        and ($4::text is null or c.reference = $4)
        and ($5::text is null or c.sscc = $5)
        and ($7::text is null or c.search_text like search_form($7))
        and ($8::timestamptz is null or c.status = 'dispatched' and r.id is null and c.dispatched_at < $8)
        and ($9::boolean is null or c.has_discrepancy = $9)
        and ($10::timestamptz is null or c.received_at >= $10)
      order by c.id desc
      limit $6`,
    [
      orgId,
      page.beforeId,
      filter.status ?? null,
      filter.reference ?? null,
      filter.sscc ?? null,
      page.limit + 1,
      filter.q === undefined ? null : searchPattern(filter.q),
      filter.dispatchedBefore ?? null,
      filter.hasDiscrepancy ?? null,
      filter.receivedSince ?? null,
    ],
  );
  return pageOf(rows, page);
}

export async function markDispatched(db: Db, id: string, now: Date): Promise<void> {
  await db.query(`update consignments set status = 'dispatched', dispatched_at = $2 where id = $1`, [
    id,
    now,
  ]);
}

export async function markCancelled(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `update consignments set status = 'cancelled', cancelled_at = $2, link_digest = null, link_expires_at = null where id = $1`,
    [id, now],
  );
}

/** @param link null takes the link away. */
export async function setLink(
  db: Db,
  id: string,
  link: { digest: Buffer; expiresAt: Date } | null,
): Promise<void> {
  await db.query('update consignments set link_digest = $2, link_expires_at = $3 where id = $1', [
    id,
    link?.digest ?? null,
    link?.expiresAt ?? null,
  ]);
}

export interface StoredReceipt {
  status: 'received' | 'partially_received';
  receivedCount: number;
  missingCount: number;
  damagedCount: number;
  counted: number | null;
  name: string | null;
  note: string | null;
  through: 'link' | 'key';
  now: Date;
}

export async function markReceived(db: Db, id: string, receipt: StoredReceipt): Promise<void> {
  await db.query(
    `update consignments
        set status = $2, received_count = $3, missing_count = $4, damaged_count = $5, counted = $6, received_by = $7,
            receipt_note = $8, received_through = $9, received_at = $10
      where id = $1`,
    [
      id,
      receipt.status,
      receipt.receivedCount,
      receipt.missingCount,
      receipt.damagedCount,
      receipt.counted,
      receipt.name,
      receipt.note,
      receipt.through,
      receipt.now,
    ],
  );
}
