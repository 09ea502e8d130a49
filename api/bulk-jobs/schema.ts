import { z } from 'zod';
import { refusal, ruled, ruledIssue } from '../../shared/field-errors.ts';
import {
  BULK_STATUSES,
  MAX_ITEM_LENGTH,
  MAX_LISTED_UNITS,
  type BulkJobRow,
} from '../../shared/bulk-jobs/service.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import { refusalFields, text } from '../fields.ts';
import { idField, instant, listQuery } from '../list.ts';
import { UPLOAD_TYPES, UploadedList } from './upload.ts';

const ACTIONS = ['activate', 'suspend', 'recall', 'lift-recall'] as const;

/** UUIDs of listed units, without repetitions. */
export const unitIdsField = z
  .array(idField('unit'))
  .min(1)
  .max(MAX_LISTED_UNITS)
  .transform((ids) => [...new Set(ids)])
  .meta({ description: `At most ${MAX_LISTED_UNITS}` });

/** Texts, each of which names a unit or is told in `problems`; all of them, so that these tell the line in the caller's list. */
const listedTexts = (description: string) =>
  z.array(text(MAX_ITEM_LENGTH)).min(1).max(MAX_LISTED_UNITS).optional().meta({ description });

const WAYS = ['batchId', 'unitIds', 'serials', 'codes'] as const;
const waysOf = (body: Partial<Record<(typeof WAYS)[number], unknown>>) =>
  WAYS.filter((way) => body[way] !== undefined);

export const bulkListBody = z
  .strictObject({
    action: z.enum(ACTIONS),
    batchId: idField('batch').optional(),
    unitIds: unitIdsField.optional(),
    serials: listedTexts(`Serials of the product \`productId\`, at most ${MAX_LISTED_UNITS}`),
    codes: listedTexts(
      `What a scanner reads: tokens, addresses, GS1 Digital Links or element strings; at most ${MAX_LISTED_UNITS}`,
    ),
    productId: idField('prod')
      .optional()
      .meta({ description: 'Whose serials they are; with `serials` only' }),
    reason: text(1000).nullable().default(null).meta({ description: 'Of a recall' }),
  })
  .refine(
    (body) => waysOf(body).length === 1,
    ruled(
      refusal('EXACTLY_ONE_OF', 'name exactly one of batchId, unitIds, serials and codes', {
        fields: [...WAYS],
      }),
    ),
  )
  .superRefine((body, context) => {
    const [way, ...more] = waysOf(body);
    if (way === undefined || more.length > 0) return;
    const { productId } = body;
    const refused =
      way === 'serials' && productId === undefined
        ? refusal('REQUIRED', 'is needed, as a serial belongs to a product')
        : way !== 'serials' && productId !== undefined
          ? refusal('AT_MOST_ONE_OF', `is for serials, and not for ${way}`, { fields: [way, 'productId'] })
          : null;
    if (refused !== null) context.addIssue({ path: ['productId'], ...ruledIssue(refused) });
  });

/**
 * A list as a file, which a worker reads. Described without `meta`, whose copy forgets that whatever else comes is of the wrong type: it would
 * pass for the form of an object with one fault, and hide what is wrong with one that has two.
 */
export const uploadedList = z.instanceof(UploadedList).register(z.globalRegistry, {
  override: {
    type: 'string',
    description: 'CSV with a heading (comma, semicolon or tab between cells), or NDJSON: one unit a line',
  },
});

/** Schemas by media type, for `accepts`. @param list the body in JSON */
export const listOrUpload = (list: z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(UPLOAD_TYPES.map((type) => [type, type === 'application/json' ? list : uploadedList]));

/** What an upload cannot say itself. */
export const uploadQuery = {
  by: z.enum(['unitId', 'serial', 'code']).default('unitId').meta({
    description:
      'Of an upload: the column, or member, that names the unit; by ids `productUnitId` and `id`, by codes `token`, `address` and `verifyUrl` do as well, as the service’s own lists and exports have them',
  }),
  productId: idField('prod')
    .optional()
    .meta({ description: 'Of an upload by serial: whose serials they are' }),
};

export const bulkUnitsBody = z.union([bulkListBody, uploadedList]);

export const bulkUnitsQuery = z.strictObject({
  action: z.enum(ACTIONS).optional().meta({ description: 'Of an upload: what to do to its units' }),
  ...uploadQuery,
  reason: text(1000).optional().meta({ description: 'Of an upload that is a recall' }),
});

export const listBulkJobsQuery = listQuery('bulk-jobs', {
  consignmentId: idField('cons').optional(),
  status: z.enum(BULK_STATUSES).optional(),
});

export const bulkJobSchema = z
  .object({
    id: z.string(),
    action: z.enum([...ACTIONS, 'consign', 'preview-recall']),
    consignmentId: z.string().nullable(),
    status: z.enum(BULK_STATUSES),
    progress: z.object({
      done: z.number().int(),
      total: z.number().int().nullable().meta({ description: 'Null until it is counted' }),
    }),
    changed: z.number().int(),
    unchanged: z.number().int().meta({ description: 'Units that were already as they should be' }),
    refused: z.number().int(),
    problems: z
      .array(z.object({ line: z.number().int().nullable(), ref: z.string(), ...refusalFields }))
      .meta({ description: 'The first 100 refused units, or lines of the list' }),
    result: z
      .object({
        units: z.number().int(),
        scannedUnits: z.number().int(),
        scans: z.number().int(),
        lastScannedAt: instant.nullable(),
        countries: z
          .record(z.string(), z.number().int())
          .meta({ description: 'Scans by country; `??` where it is not known' }),
      })
      .nullable()
      .meta({
        description: 'Of a recall’s preview: what it has counted so far, all of it once it is `completed`',
      }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    cancelRequestedAt: instant.nullable().meta({
      description:
        'When somebody cancelled it; one that adds units to a consignment is open until it has taken them back',
    }),
  })
  .meta({ id: 'BulkJob' });

const NO_UNITS = { units: 0, scannedUnits: 0, scans: 0, lastScannedAt: null, countries: {} };

export const presentBulkJob = (row: BulkJobRow): z.input<typeof bulkJobSchema> => ({
  id: encodeId('bulk', row.id),
  action: row.action,
  consignmentId: encodeNullableId('cons', row.consignment_id),
  status: row.status,
  progress: { done: row.done, total: row.total },
  changed: row.changed,
  unchanged: row.unchanged,
  refused: row.refused,
  // One that was stored before there were codes may have none.
  problems: row.problems.map((problem) => ({ ...problem, code: problem.code ?? 'INVALID' })),
  result: row.action === 'preview-recall' ? { ...NO_UNITS, ...row.result } : null,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
  cancelRequestedAt: row.cancel_requested_at?.toISOString() ?? null,
});
