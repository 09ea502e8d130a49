/** Batches of units. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField, refuseOvertaken } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { newUuid } from '../ids.ts';
import { getProduct } from '../products/service.ts';
import {
  findBatch,
  hasOpenBarcodeJob,
  insertBatch,
  lockBatch,
  setBatch,
  type BatchFields,
  type BatchRow,
} from './repository.ts';

export { listBatches, type BatchFields, type BatchRow } from './repository.ts';

const noBatch = () => new AppError('NOT_FOUND', { detail: 'no such batch' });

/** @throws AppError VALIDATION_FAILED for a product of nobody or somebody else, CONFLICT for an archived one */
export async function createBatch(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  fields: BatchFields,
): Promise<BatchRow> {
  const product = await getProduct(db, orgId, fields.productId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw invalidField('productId', refusal('NO_SUCH_PRODUCT', 'no such product'));
    throw error;
  });
  if (product.archived_at !== null) throw new AppError('CONFLICT', { detail: 'the product is archived' });
  const id = newUuid();
  await insertBatch(db, orgId, id, fields, clock.now());
  return getBatch(db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getBatch(db: Db, orgId: string, id: string): Promise<BatchRow> {
  const batch = await findBatch(db, orgId, id);
  if (batch === null) throw noBatch();
  return batch;
}

/** As {@link getBatch}, and holds the batch until the transaction ends. @throws AppError NOT_FOUND */
export async function lockAndGetBatch(db: Db, orgId: string, id: string): Promise<BatchRow> {
  if (!(await lockBatch(db, orgId, id))) throw noBatch();
  return getBatch(db, orgId, id);
}

/**
 * Holds the batch until the transaction ends. Rendering the codes of units again is no minting.
 * @throws AppError NOT_FOUND; CONFLICT while units of it are being minted
 */
export async function requireNothingBeingMinted(db: Db, orgId: string, id: string): Promise<void> {
  const { minted, quantity } = await lockAndGetBatch(db, orgId, id);
  if (minted < quantity && (await hasOpenBarcodeJob(db, id)))
    throw new AppError('CONFLICT', {
      detail: 'units of this batch are being minted: wait for the job, or cancel it',
    });
}

/** As many as the schema takes. */
const MAX_FORMER_LOTS = 20;

type Correctable = Omit<BatchFields, 'productId' | 'quantity'>;
type SomeFields = { [Field in keyof Correctable]?: Correctable[Field] | undefined };

/**
 * Corrects what is known of a batch; what is not given stays. Scans tell the new lot and expiry at once. Printed codes that
 * name the old lot stay good.
 * @param change with `expected`, only where these fields still have these values
 * @throws AppError NOT_FOUND, VALIDATION_FAILED; CONFLICT while codes with the old lot or expiry, or with or without hidden codes or the keys of tags, are being made, or where a field
 *   is not what was expected
 */
export async function correctBatch(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
  { expected, ...changes }: SomeFields & { expected?: SomeFields | undefined },
): Promise<BatchRow> {
  const current = await lockAndGetBatch(db, orgId, id);
  const { manufactured_on, expires_on, hidden_codes, nfc_tags, ...kept } = current;
  refuseOvertaken<Correctable>(
    expected,
    {
      ...kept,
      manufacturedOn: manufactured_on,
      expiresOn: expires_on,
      hiddenCodes: hidden_codes,
      nfcTags: nfc_tags,
    },
    changes,
  );
  const { lot = current.lot, expiresOn = current.expires_on } = changes;
  const { manufacturedOn = current.manufactured_on, markets = current.markets } = changes;
  const { hiddenCodes = current.hidden_codes, nfcTags = current.nfc_tags } = changes;
  if (manufacturedOn !== null && expiresOn !== null && expiresOn < manufacturedOn)
    throw invalidField(
      'expiresOn',
      refusal('EXPIRES_BEFORE_MANUFACTURE', 'must not be before manufacturedOn'),
    );
  const isRelabelled =
    lot !== current.lot ||
    expiresOn !== current.expires_on ||
    hiddenCodes !== current.hidden_codes ||
    nfcTags !== current.nfc_tags;
  if (isRelabelled && (await hasOpenBarcodeJob(db, id)))
    throw new AppError('CONFLICT', {
      detail: 'codes of this batch are being made as it says now: wait for the job, or cancel it',
    });
  const printed = current.lot === null || current.minted === 0 ? [] : [current.lot];
  const formerLots = [...new Set([...current.former_lots, ...printed])].filter((former) => former !== lot);
  if (formerLots.length > MAX_FORMER_LOTS)
    throw new AppError('CONFLICT', { detail: `the lot was changed ${MAX_FORMER_LOTS} times already` });
  const relabelledAt = isRelabelled ? clock.now() : current.relabelled_at;
  await setBatch(db, orgId, id, {
    lot,
    manufacturedOn,
    expiresOn,
    markets,
    hiddenCodes,
    nfcTags,
    formerLots,
    relabelledAt,
  });
  return getBatch(db, orgId, id);
}
