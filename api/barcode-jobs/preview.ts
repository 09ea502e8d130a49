/** `POST /api/v1/barcodes/preview`: what a form shows while somebody types. */
import { z } from 'zod';
import type { Actor } from '../../shared/actor.ts';
import { ANY_SHEET, type SheetRequest } from '../../shared/barcode-jobs/options.ts';
import { planPreview } from '../../shared/barcode-jobs/preview.ts';
import { BarcodeError } from '../../shared/barcodes/barcode-error.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { inTime } from '../../shared/in-time.ts';
import { createCounter } from '../../shared/rate-limits/counter.ts';
import { REDIS_DEADLINE_MS } from '../../shared/redis.ts';
import type { ApiDeps } from '../deps.ts';
import { idField } from '../list.ts';
import { needs, operation } from '../operation.ts';
import { lookFields, lookOf, serialsField, sheetField, sheetOf, symbologyField } from './options-schema.ts';

const WINDOW_MS = 60_000;
/** A form that asks at each pause of typing needs one or two in a second. */
export const PREVIEWS_PER_MINUTE = 240;

const MEDIA_TYPES = {
  png: 'image/png',
  svg: 'image/svg+xml',
  sheet: 'application/pdf',
  'sheet-svg': 'image/svg+xml',
} as const;

const previewBody = z
  .strictObject({
    as: z.enum(['png', 'svg', 'sheet', 'sheet-svg']).default('svg').meta({
      description:
        'The symbol; or the first sheet of labels, as the PDF it will be or as a picture of it with the labels’ edges',
    }),
    batchId: idField('batch').optional(),
    productId: idField('prod').optional().meta({ description: 'Where there is no batch yet' }),
    symbology: symbologyField,
    ...z.strictObject(lookFields).partial().shape,
    sheet: sheetField
      .optional()
      .meta({ description: 'Of `sheet` and `sheet-svg`; a symbol is drawn alike with any, or none' }),
    serials: serialsField.optional(),
  })
  .refine(({ batchId, productId }) => batchId === undefined || productId === undefined, {
    path: ['productId'],
    ...ruled(
      refusal('AT_MOST_ONE_OF', 'is the batch’s: name one of the two', { fields: ['batchId', 'productId'] }),
    ),
  });

const askedSheet = (sheet: z.output<typeof previewBody>['sheet']): SheetRequest =>
  sheet === undefined ? ANY_SHEET : sheetOf(sheet);

/** Counted in Redis for all processes; with Redis away a preview is let through, as it costs milliseconds. */
async function limit({ redis, config }: ApiDeps, actor: Actor): Promise<void> {
  const counter = createCounter(redis, config.QUEUE_PREFIX);
  const who = actor.kind === 'key' ? actor.keyId : actor.userId;
  const counted = await inTime(counter.add(`preview:${who}`, WINDOW_MS), REDIS_DEADLINE_MS).catch(() => null);
  if (counted === null || counted.count <= PREVIEWS_PER_MINUTE) return;
  throw new AppError('RATE_LIMITED', {
    detail: `at most ${PREVIEWS_PER_MINUTE} previews a minute`,
    headers: { 'Retry-After': String(Math.ceil(counted.resetMs / 1000)) },
  });
}

export const previewOperation = operation({
  method: 'post',
  path: '/api/v1/barcodes/preview',
  operationId: 'previewBarcode',
  tag: 'Barcode jobs',
  summary: 'Show what a job would print',
  description:
    'The real symbol, of a sample unit that exists nowhere, with the options of a barcode job; or 422 with everything that is impossible, and why. Nothing is minted.',
  access: needs('barcodes.generate'),
  body: previewBody,
  // It changes nothing, so there is nothing to commit and nothing for the audit log.
  ownTransaction: true,
  responses: {
    200: {
      description: 'The picture (PNG or SVG), or the sheet (PDF or SVG)',
      schema: z.string(),
      mediaType: 'image/svg+xml',
      also: ['image/png', 'application/pdf'],
      headers: {
        'X-Barcode-Payload': { description: 'What the symbol holds, percent-encoded' },
        'X-Barcode-Reach': {
          description:
            'Who can open the address that the symbol holds: `public`; `plain`, everybody, but without https; `private`, nobody beyond this network, so that the codes must not go on goods; `none` where it holds no address',
        },
      },
    },
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  handle: async ({ deps, db, actor, body, res }) => {
    await limit(deps, actor);
    const isSheet = body.as === 'sheet' || body.as === 'sheet-svg';
    const { as, batchId, productId, symbology, sheet, serials, ...look } = body;
    const baseUrl = (await deps.sites.codesUrlOf(actor.orgId)) ?? deps.config.PRINTED_URL;
    const preview = await planPreview(db, actor.orgId, baseUrl, {
      batchId: batchId ?? null,
      productId: productId ?? null,
      symbology,
      look: lookOf(look),
      sheet: isSheet ? askedSheet(sheet) : null,
      serials: serials ?? null,
    });
    const draw = async () => {
      if (as === 'png' || as === 'svg') return preview.draw(as);
      return preview.drawSheet(as === 'sheet' ? 'pdf' : 'svg');
    };
    const picture = await draw().catch(refuse);
    res.setHeader('Content-Type', MEDIA_TYPES[as]);
    res.setHeader('Cache-Control', 'private, no-store');
    res.setHeader('X-Barcode-Payload', encodeURIComponent(preview.payload));
    res.setHeader('X-Barcode-Reach', preview.reach);
    res.end(picture);
    return null;
  },
});

/** What no check foresees, such as a symbol too large for its label. */
function refuse(error: unknown): never {
  if (error instanceof BarcodeError)
    throw error.code === 'BARCODE_LAYOUT'
      ? invalidField('sheet.layout', refusal('LAYOUT_IMPOSSIBLE', error.message))
      : invalidField('symbology', refusal('SYMBOL_IMPOSSIBLE', error.message));
  throw error;
}
