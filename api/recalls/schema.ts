import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { encodeId } from '../../shared/ids.ts';
import {
  RECALL_SCOPES,
  type RecallRow,
  type RecallScope,
  type RecallTarget,
} from '../../shared/recalls/service.ts';
import { changesSomething, expectedField, text, textsByLanguage } from '../fields.ts';
import { idField, instant, listQuery, moment } from '../list.ts';

const MAX_MESSAGE = 1_000;

const words = {
  reason: text(1000).nullable().meta({ description: 'For your own records' }),
  messages: textsByLanguage(MAX_MESSAGE).meta({
    description: 'What consumers are told, by language (ISO 639-1); shown on the verification page',
    examples: [{ en: 'Please return it to the shop.', de: 'Bitte bringen Sie es zurück.' }],
  }),
  contact: text(300)
    .nullable()
    .meta({ description: 'Shown to consumers: a mail address, a telephone number or a web address' }),
};

const readWords = {
  reason: z.string().nullable(),
  messages: z.record(z.string(), z.string()),
  contact: z.string().nullable(),
};

const recallText = {
  reason: words.reason.default(null),
  messages: words.messages.default({}),
  contact: words.contact.default(null),
};

/** What is left out stays; `messages` are all there are then. */
export const correctRecallBody = z
  .strictObject({ ...words, expected: expectedField(readWords) })
  .partial()
  .refine(...changesSomething);

/** A recall of what the path names. */
export const recallBody = z.strictObject(recallText).default({ reason: null, messages: {}, contact: null });

const target = {
  unitId: idField('unit').optional(),
  batchId: idField('batch').optional(),
  consignmentId: idField('cons').optional(),
  productId: idField('prod').optional(),
};

const namedIn = (value: Record<string, unknown>): number =>
  Object.keys(target).filter((name) => value[name] !== undefined).length;
const exactlyOne = (value: Record<string, unknown>): boolean => namedIn(value) === 1;
const onlyOne = ruled(
  refusal('EXACTLY_ONE_OF', 'name exactly one of unitId, batchId, consignmentId and productId', {
    fields: Object.keys(target),
  }),
);

export const createRecallBody = z
  .strictObject({
    ...target,
    ...recallText,
    startsAt: moment
      .nullable()
      .default(null)
      .meta({ description: 'When it begins to show; at once without it' }),
  })
  .refine(exactlyOne, onlyOne);

export const previewRecallBody = z.strictObject(target).refine(exactlyOne, onlyOne);

/** The one target of a body that passed `exactlyOne`. */
export function targetOf(body: z.output<typeof previewRecallBody>): RecallTarget {
  const targets: [RecallScope, string | undefined][] = [
    ['unit', body.unitId],
    ['batch', body.batchId],
    ['consignment', body.consignmentId],
    ['product', body.productId],
  ];
  const [scope, id] = targets.find(([, id]) => id !== undefined)!;
  return { scope, id: id! };
}

/** With a target: the recalls of just that, none that lies over it. */
export const listRecallsQuery = listQuery('recalls', {
  scope: z.enum(RECALL_SCOPES).optional(),
  inForce: z
    .enum(['true', 'false'])
    .transform((flag) => flag === 'true')
    .optional()
    .meta({ description: 'Only recalls that are, or are not, in force' }),
  ...target,
}).refine(
  (query) => namedIn(query) <= 1,
  ruled(
    refusal('AT_MOST_ONE_OF', 'name at most one of unitId, batchId, consignmentId and productId', {
      fields: Object.keys(target),
    }),
  ),
);

export const recallSchema = z
  .object({
    id: z.string(),
    scope: z.enum(RECALL_SCOPES),
    targetId: z.string(),
    ...readWords,
    startsAt: instant,
    createdAt: instant,
    liftedAt: instant.nullable(),
  })
  .meta({ id: 'Recall' });

const PREFIXES = { unit: 'unit', batch: 'batch', consignment: 'cons', product: 'prod' } as const;

export const presentRecall = (row: RecallRow): z.input<typeof recallSchema> => ({
  id: encodeId('rcl', row.id),
  scope: row.scope,
  targetId: encodeId(PREFIXES[row.scope], row.target_id),
  reason: row.reason,
  messages: row.messages,
  contact: row.contact,
  startsAt: row.starts_at.toISOString(),
  createdAt: row.created_at.toISOString(),
  liftedAt: row.lifted_at?.toISOString() ?? null,
});
