/** What a report is about: one of the organization's units, or a product of it alone, or nothing that is known. */
import type { Db } from '../db.ts';
import { invalidField, must } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { getProduct } from '../products/service.ts';
import { getUnit, type UnitRow } from '../units/service.ts';
import type { Goods, ReportedGoods, ReportRow } from './repository.ts';

const goodsOf = (unit: UnitRow): ReportedGoods => ({
  unit_id: unit.id,
  product_id: unit.product_id,
  batch_id: unit.batch_id,
  serial: unit.serial,
  lot: unit.lot,
});

const notItsProduct = () =>
  invalidField('productId', refusal('NOT_ITS_PRODUCT', 'is not the product of the unit that is named'));

/** @throws AppError VALIDATION_FAILED for a unit that the organization does not have */
export const findNamedUnit = (db: Db, orgId: string, unitId: string): Promise<UnitRow> =>
  must(getUnit(db, orgId, unitId), 'productUnitId', refusal('NO_SUCH_UNIT', 'no such unit'));

/**
 * @param productId UUID as given; where there is a unit, its own or null
 * @throws AppError VALIDATION_FAILED for a product that the organization does not have, or that is not the unit's
 */
export async function goodsNamed(
  db: Db,
  orgId: string,
  unit: UnitRow | null,
  productId: string | null,
): Promise<Goods> {
  if (unit !== null) {
    if (productId !== null && unit.product_id !== productId) throw notItsProduct();
    return goodsOf(unit);
  }
  if (productId === null) return null;
  await must(getProduct(db, orgId, productId), 'productId', refusal('NO_SUCH_PRODUCT', 'no such product'));
  return { product_id: productId };
}

export interface Identification {
  /** UUID; null takes the unit from the report, and leaves its product. */
  unitId?: string | null | undefined;
  /** UUID; where there is a unit, its own. */
  productId?: string | null | undefined;
}

/**
 * What a report is about once somebody said so.
 * @returns undefined where that is what it was
 * @throws AppError VALIDATION_FAILED for what the organization does not have, a product that is not the unit's, and another
 * unit than that of the code with which a consumer reported
 */
export async function identifiedGoods(
  db: Db,
  orgId: string,
  report: ReportRow,
  { unitId, productId }: Identification,
): Promise<Goods | undefined> {
  if (unitId === undefined && productId === undefined) return undefined;
  const wanted = unitId === undefined ? report.unit_id : unitId;
  const isOther = wanted !== report.unit_id;
  const isOfItsCode = report.channel === 'consumer' && report.identified_by === null;
  if (isOther && isOfItsCode && report.unit_id !== null)
    throw invalidField(
      'productUnitId',
      refusal('UNIT_OF_ITS_CODE', 'cannot change: it is the unit of the code that was reported'),
    );
  if (wanted === null) {
    const product = productId === undefined ? report.product_id : productId;
    return isOther || product !== report.product_id ? goodsNamed(db, orgId, null, product) : undefined;
  }
  // A unit has its product, also for whoever would rather name none.
  if (productId === null) throw notItsProduct();
  const goods = await goodsNamed(db, orgId, await findNamedUnit(db, orgId, wanted), productId ?? null);
  return isOther ? goods : undefined;
}
