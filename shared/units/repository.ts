import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export type UnitStatus = 'minted' | 'active' | 'suspended' | 'voided';

export interface UnitRow {
  id: string;
  batch_id: string;
  product_id: string;
  ordinal: number;
  serial: string;
  /** Ten random bytes; with the tag of `token_key` they make the token. */
  code: Buffer;
  token_key: string;
  status: UnitStatus;
  activated_at: Date | null;
  recalled_at: Date | null;
  recall_reason: string | null;
  batch_recalled_at: Date | null;
  lot: string | null;
  expires_on: string | null;
}

export async function findUnit(db: Db, orgId: string, id: string): Promise<UnitRow | null> {
  const { rows } = await db.query<UnitRow>(
    `select u.id, u.batch_id, u.product_id, u.ordinal, u.serial, u.code, u.token_key, u.status, u.activated_at,
            u.recalled_at, u.recall_reason, b.recalled_at as batch_recalled_at, b.lot, b.expires_on
       from product_units u join batches b on b.id = u.batch_id
      where u.org_id = $1 and u.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export interface LockedUnit {
  status: UnitStatus;
  product_id: string;
  activated_at: Date | null;
}

/** Holds the unit until the transaction ends. @returns null where there is no such unit. */
export async function lockUnit(db: Db, orgId: string, id: string): Promise<LockedUnit | null> {
  const { rows } = await db.query<LockedUnit>(
    'select status, product_id, activated_at from product_units where org_id = $1 and id = $2 for update',
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function setUnitStatus(
  db: Db,
  orgId: string,
  id: string,
  status: UnitStatus,
  activatedAt: Date | null,
): Promise<void> {
  await db.query('update product_units set status = $3, activated_at = $4 where org_id = $1 and id = $2', [
    orgId,
    id,
    status,
    activatedAt,
  ]);
}

export async function markUnitRecalled(
  db: Db,
  orgId: string,
  id: string,
  reason: string | null,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update product_units
        set recall_reason = case when recalled_at is null then $3 else recall_reason end,
            recalled_at = coalesce(recalled_at, $4)
      where org_id = $1 and id = $2`,
    [orgId, id, reason, now],
  );
  return rowCount === 1;
}

export async function markUnitRecallLifted(db: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update product_units set recalled_at = null, recall_reason = null where org_id = $1 and id = $2',
    [orgId, id],
  );
  return rowCount === 1;
}

export interface UnitFilter {
  batchId?: string | undefined;
  status?: UnitStatus | undefined;
  serial?: string | undefined;
}

export async function listUnits(
  db: Db,
  orgId: string,
  filter: UnitFilter,
  page: PageRequest,
): Promise<Page<UnitRow>> {
  const { rows } = await db.query<UnitRow>(
    `select u.id, u.batch_id, u.product_id, u.ordinal, u.serial, u.code, u.token_key, u.status, u.activated_at,
            u.recalled_at, u.recall_reason, b.recalled_at as batch_recalled_at, b.lot, b.expires_on
       from product_units u join batches b on b.id = u.batch_id
      where u.org_id = $1
        and ($2::uuid is null or u.id < $2)
        and ($3::uuid is null or u.batch_id = $3)
        and ($4::text is null or u.status = $4)
        and ($5::text is null or u.serial = $5)
      order by u.id desc
      limit $6`,
    [
      orgId,
      page.beforeId,
      filter.batchId ?? null,
      filter.status ?? null,
      filter.serial ?? null,
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}
