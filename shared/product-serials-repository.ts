import type { Db } from './db.ts';

/** Until the transaction ends, no other barcode job of the product chooses its serials, and no range of them is added to a consignment. */
export async function lockSerialsOfProduct(db: Db, productId: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('product-serials:' || $1, 0))`, [productId]);
}
