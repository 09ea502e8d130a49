import { z } from 'zod';
import { OVERDUE_DAYS, RECEIPT_DAYS } from '../../shared/attention/service.ts';
import { MAX_NAMED } from '../../shared/consignments/receive.ts';
import {
  CONSIGNMENT_STATUSES,
  fieldsOfConsignment,
  MOST_PRODUCTS,
  statusOf,
  type ConsignmentRow,
  type ConsignmentUnitRow,
} from '../../shared/consignments/service.ts';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { isSscc } from '../../shared/gs1/check-digit.ts';
import { encodeId } from '../../shared/ids.ts';
import { unitIdsField, uploadedList, uploadQuery } from '../bulk-jobs/schema.ts';
import { changesSomething, countryField, expectedField, marketsField, matching, text } from '../fields.ts';
import { idField, instant, listQuery, searchField } from '../list.ts';

const partyField = z
  .strictObject({
    name: text(200),
    address: text(500).nullable().default(null),
    country: countryField.nullable().default(null),
  })
  .nullable();

const ssccField = z
  .string()
  .refine(isSscc, ruled(refusal('NOT_AN_SSCC', 'must be 18 digits with a valid check digit')))
  .meta({ description: 'GS1 serial shipping container code', examples: ['106141412345678908'] });

const serialField = matching(/^[\x21-\x7e]{1,20}$/, refusal('NOT_A_SERIAL', 'is not a serial'));

/** Units by one of four ways; a longer list is uploaded as CSV or NDJSON. */
export const unitsField = z
  .strictObject({
    batchId: idField('batch').optional(),
    unitIds: unitIdsField.optional(),
    serials: z
      .strictObject({ productId: idField('prod'), from: serialField, to: serialField })
      .refine(({ from, to }) => from <= to, {
        path: ['to'],
        ...ruled(refusal('ENDS_BEFORE_START', 'must not be before from', { start: 'from', end: 'to' })),
      })
      .optional()
      .meta({ description: 'A range in the order of the characters, both ends included' }),
  })
  .refine(
    (units) => Object.values(units).filter((value) => value !== undefined).length === 1,
    ruled(
      refusal('EXACTLY_ONE_OF', 'name exactly one of batchId, unitIds and serials', {
        fields: ['batchId', 'unitIds', 'serials'],
      }),
    ),
  );

const fields = {
  reference: text(100).nullable(),
  sscc: ssccField.nullable(),
  origin: partyField,
  destination: partyField,
  expectedMarkets: marketsField,
  references: z.array(z.strictObject({ type: text(50), value: text(100) })).max(20),
};

/** Where it says more than the field's kind. */
const meanings = {
  reference: { description: 'Your own number for it' },
  destination: { description: 'The distributor' },
  expectedMarkets: {
    description: 'Where its units are meant to be sold: overrides the batch’s and the product’s markets',
  },
  references: { description: 'Other documents: purchase order, invoice, customs' },
};

export const createConsignmentBody = z.strictObject({
  reference: fields.reference.default(null).meta(meanings.reference),
  sscc: fields.sscc.default(null),
  origin: fields.origin.default(null),
  destination: fields.destination.default(null).meta(meanings.destination),
  expectedMarkets: fields.expectedMarkets.default([]).meta(meanings.expectedMarkets),
  references: fields.references.default([]).meta(meanings.references),
  units: unitsField.optional().meta({ description: 'Starts a job that adds them; more can be added later' }),
});

const readParty = z
  .object({ name: z.string(), address: z.string().nullable(), country: z.string().nullable() })
  .nullable();

/** As they were taken, maybe by another rule than today's. */
const readFields = {
  reference: z.string().nullable(),
  sscc: z.string().nullable(),
  origin: readParty,
  destination: readParty,
  expectedMarkets: z.array(z.string()),
  references: z.array(z.object({ type: z.string(), value: z.string() })),
};

export const correctConsignmentBody = z
  .strictObject({
    reference: fields.reference.meta(meanings.reference),
    sscc: fields.sscc,
    origin: fields.origin,
    destination: fields.destination.meta(meanings.destination),
    expectedMarkets: fields.expectedMarkets.meta(meanings.expectedMarkets),
    references: fields.references.meta(meanings.references),
    expected: expectedField(readFields),
  })
  .partial()
  .refine(...changesSomething);

export const addUnitsBody = z.union([unitsField, uploadedList]);

export const addUnitsQuery = z.strictObject(uploadQuery);

export const listConsignmentsQuery = listQuery('consignments', {
  status: z.enum(CONSIGNMENT_STATUSES).optional(),
  reference: z.string().max(100).optional(),
  sscc: ssccField.optional(),
  overdue: z
    .enum(['true'])
    .optional()
    .meta({
      description: `Only those that left more than ${OVERDUE_DAYS} days ago and that nobody has confirmed`,
    }),
  hasDiscrepancy: z.enum(['true']).optional().meta({
    description: 'Only those of whose receipt was told that units are missing, damaged or too many',
  }),
  receivedWithinDays: z.coerce
    .number()
    .int()
    .min(1)
    .max(365)
    .optional()
    .meta({
      description: `Only those that were received within so many days; with \`hasDiscrepancy\`, ${RECEIPT_DAYS} are what needs attention`,
    }),
  q: searchField('Part of reference, SSCC or the destination’s name', 'PO-48'),
});

export const listConsignmentUnitsQuery = listQuery('consignment-units', {
  condition: z.enum(['missing', 'damaged']).optional(),
});

const linkDays = z
  .number()
  .int()
  .min(1)
  .max(365)
  .default(60)
  .meta({ description: 'How long the distributor’s link works' });

export const dispatchBody = z
  .strictObject({
    activateUnits: z
      .boolean()
      .default(false)
      .meta({ description: 'Activate the units that were only minted; needs `product_units.write` too' }),
    linkDays,
  })
  .default({ activateUnits: false, linkDays: 60 });

export const renewLinkBody = z.strictObject({ linkDays }).default({ linkDays: 60 });

/** Each as long as the longest address of a code. */
const namedUnits = z.array(z.string().trim().min(1).max(200)).max(MAX_NAMED).default([]);

const NAMED_BY = 'Serials (those in capitals in lower case too), unit ids, or codes as a scanner reads them';

/** What a distributor confirms. */
export const receiptFields = {
  receivedCount: z
    .number()
    .int()
    .min(0)
    .max(100_000_000)
    .nullable()
    .default(null)
    .meta({ description: 'How many were counted; without it, all but the missing' }),
  missing: namedUnits.meta({ description: NAMED_BY }),
  damaged: namedUnits.meta({
    description: `${NAMED_BY}; a damaged unit has arrived`,
  }),
  note: text(2000).nullable().default(null),
};

export const receiveBody = z
  .strictObject({ ...receiptFields, name: text(200).nullable().default(null) })
  .default({ receivedCount: null, missing: [], damaged: [], note: null, name: null });

export const consignmentSchema = z
  .object({
    id: z.string(),
    status: z.enum(CONSIGNMENT_STATUSES),
    ...readFields,
    unitCount: z.number().int(),
    contents: z.array(z.object({ name: z.string(), units: z.number().int() })).meta({
      description: `Products with how many of its units are theirs, those with most first; ${MOST_PRODUCTS} at most`,
    }),
    receipt: z
      .object({
        receivedCount: z.number().int(),
        missingCount: z.number().int(),
        damagedCount: z.number().int(),
        counted: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'What the distributor counted, where that was told' }),
        hasDiscrepancy: z.boolean(),
        name: z.string().nullable(),
        note: z.string().nullable(),
        through: z.enum(['link', 'key']),
        receivedAt: instant,
      })
      .nullable(),
    recall: z.object({ recalledAt: instant, reason: z.string().nullable() }).nullable(),
    linkExpiresAt: instant.nullable(),
    createdAt: instant,
    dispatchedAt: instant.nullable(),
    cancelledAt: instant.nullable(),
  })
  .meta({ id: 'Consignment' });

/** With what is shown this once. */
export const dispatchedSchema = consignmentSchema
  .extend({
    receiveUrl: z.string().nullable().meta({ description: 'The distributor’s page; shown this once' }),
    activationJobId: z.string().nullable().optional(),
  })
  .meta({ id: 'ConsignmentWithLink' });

function receiptOf(row: ConsignmentRow): z.input<typeof consignmentSchema>['receipt'] {
  const { received_at, received_count, missing_count, damaged_count, counted } = row;
  if (received_at === null) return null;
  return {
    receivedCount: received_count!,
    missingCount: missing_count!,
    damagedCount: damaged_count!,
    counted,
    hasDiscrepancy: row.has_discrepancy,
    name: row.received_by,
    note: row.receipt_note,
    through: row.received_through!,
    receivedAt: received_at.toISOString(),
  };
}

export const presentConsignment = (row: ConsignmentRow): z.input<typeof consignmentSchema> => ({
  id: encodeId('cons', row.id),
  status: statusOf(row),
  ...fieldsOfConsignment(row),
  unitCount: row.unit_count,
  contents: row.contents,
  receipt: receiptOf(row),
  recall:
    row.recalled_at === null
      ? null
      : { recalledAt: row.recalled_at.toISOString(), reason: row.recall_reason },
  linkExpiresAt: row.link_expires_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  dispatchedAt: row.dispatched_at?.toISOString() ?? null,
  cancelledAt: row.cancelled_at?.toISOString() ?? null,
});

export const consignmentUnitSchema = z
  .object({
    id: z.string(),
    serial: z.string(),
    productId: z.string(),
    batchId: z.string(),
    lot: z.string().nullable(),
    condition: z.enum(['missing', 'damaged']).nullable(),
  })
  .meta({ id: 'ConsignmentUnit' });

export const presentConsignmentUnit = (row: ConsignmentUnitRow): z.input<typeof consignmentUnitSchema> => ({
  id: encodeId('unit', row.id),
  serial: row.serial,
  productId: encodeId('prod', row.product_id),
  batchId: encodeId('batch', row.batch_id),
  lot: row.lot,
  condition: row.condition,
});
