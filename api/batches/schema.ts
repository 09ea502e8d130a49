import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import type { BatchRow } from '../../shared/batches/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { changesSomething, dayField, expectedField, marketsField, text } from '../fields.ts';
import { idField, instant, listQuery, searchField } from '../list.ts';

const MAX_QUANTITY = 10_000_000;

const fields = {
  lot: text(20).nullable(),
  manufacturedOn: dayField.nullable(),
  expiresOn: dayField.nullable(),
  markets: marketsField.nullable(),
  hiddenCodes: z.boolean(),
  nfcTags: z.boolean(),
};
const hiddenCodes = {
  description:
    'Each package has a second code below a layer to scratch or peel off: barcode jobs list it, and the unit’s page asks for it',
};
const nfcTags = {
  description:
    'Each package has an NFC tag that signs each tap (NTAG 424 DNA and its like): barcode jobs list its address and keys, and the unit’s page tells whether a tap is the original’s',
};
const markets = { description: 'Overrides the product’s; null takes those over' };

export const createBatchBody = z
  .strictObject({
    productId: idField('prod'),
    quantity: z.number().int().min(1).max(MAX_QUANTITY),
    lot: fields.lot.default(null),
    manufacturedOn: fields.manufacturedOn.default(null),
    expiresOn: fields.expiresOn.default(null),
    markets: fields.markets.default(null).meta(markets),
    hiddenCodes: fields.hiddenCodes.default(false).meta(hiddenCodes),
    nfcTags: fields.nfcTags.default(false).meta(nfcTags),
  })
  .refine(
    ({ manufacturedOn, expiresOn }) =>
      manufacturedOn === null || expiresOn === null || manufacturedOn <= expiresOn,
    {
      path: ['expiresOn'],
      ...ruled(refusal('EXPIRES_BEFORE_MANUFACTURE', 'must not be before manufacturedOn')),
    },
  );

/** As they were taken, maybe by another rule than today's. */
const readFields = {
  lot: z.string().nullable(),
  manufacturedOn: z.string().nullable(),
  expiresOn: z.string().nullable(),
  markets: z.array(z.string()).nullable(),
  hiddenCodes: z.boolean().meta(hiddenCodes),
  nfcTags: z.boolean().meta(nfcTags),
};

export const correctBatchBody = z
  .strictObject({
    ...fields,
    markets: fields.markets.meta(markets),
    hiddenCodes: fields.hiddenCodes.meta(hiddenCodes),
    nfcTags: fields.nfcTags.meta(nfcTags),
    expected: expectedField(readFields),
  })
  .partial()
  .refine(...changesSomething);

export const listBatchesQuery = listQuery('batches', {
  productId: idField('prod').optional(),
  lot: z.string().max(20).optional(),
  q: searchField('Part of the lot, or of the product’s name, SKU, GTIN or brand', 'L2026'),
});

export const batchSchema = z
  .object({
    id: z.string(),
    productId: z.string(),
    productName: z.string().meta({ description: 'As the product is named now' }),
    quantity: z.number().int(),
    mintedCount: z.number().int().meta({ description: 'Units that exist so far' }),
    ...readFields,
    formerLots: z
      .array(z.string())
      .meta({ description: 'Lots it had when units of it existed: printed codes that name one stay good' }),
    recall: z.object({ recalledAt: instant, reason: z.string().nullable() }).nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Batch' });

const units = z.number().int();

export const unitCountsSchema = z
  .object({ minted: units, active: units, suspended: units, voided: units })
  .meta({ id: 'UnitCounts' });

export const presentBatch = (row: BatchRow): z.input<typeof batchSchema> => ({
  id: encodeId('batch', row.id),
  productId: encodeId('prod', row.product_id),
  productName: row.product_name,
  quantity: row.quantity,
  mintedCount: row.minted,
  lot: row.lot,
  manufacturedOn: row.manufactured_on,
  expiresOn: row.expires_on,
  markets: row.markets,
  hiddenCodes: row.hidden_codes,
  nfcTags: row.nfc_tags,
  formerLots: row.former_lots,
  recall:
    row.recalled_at === null
      ? null
      : { recalledAt: row.recalled_at.toISOString(), reason: row.recall_reason },
  createdAt: row.created_at.toISOString(),
});
