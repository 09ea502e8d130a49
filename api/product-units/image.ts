/** One unit's symbol, made while the caller waits: microseconds for the default, milliseconds for others. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { symbolErrors } from '../../shared/barcode-jobs/check-request.ts';
import { symbologyTypeOf } from '../../shared/barcode-jobs/options.ts';
import { payloadShape, symbolCaption, symbolPayload, TOKEN_ALPHABET } from '../../shared/barcodes/payload.ts';
import { createRenderer } from '../../shared/barcodes/renderer.ts';
import { type SymbologySpec, symbologyTraits } from '../../shared/barcodes/symbology.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { given } from '../../shared/given.ts';
import { getProduct } from '../../shared/products/service.ts';
import { getUnit } from '../../shared/units/service.ts';
import { tokenOf } from '../../shared/units/token.ts';
import { VERSION } from '../../shared/version.ts';
import type { ApiDeps } from '../deps.ts';
import { lookFields, lookOf, symbologyField } from '../barcode-jobs/options-schema.ts';
import { needs, operation } from '../operation.ts';

/** As text. An empty one is no number, though `Number` takes it for nought. */
function whole(field: z.ZodNumber) {
  const { $schema: _, ...shown } = z.toJSONSchema(field);
  return z
    .preprocess((text) => (text === '' ? Number.NaN : text), z.coerce.number().pipe(field))
    .meta({ override: shown as object })
    .optional();
}

/** The same options as a job's, as text. */
const imageQuery = z.strictObject({
  symbology: symbologyField,
  errorCorrection: lookFields.errorCorrection.optional(),
  scale: whole(lookFields.scale),
  dpi: whole(lookFields.dpi),
  quietZone: whole(lookFields.quietZone),
  text: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  foreground: lookFields.foreground.optional(),
  background: lookFields.background.optional(),
});

type ImageQuery = z.output<typeof imageQuery>;

interface Drawing {
  etag: string;
  draw(format: 'png' | 'svg'): Buffer;
}

/** Looks that were found good at an address. Its symbol is good for one unit if it is for another: all are alike in length. */
const goodLooks = new Set<string>();
const MOST_LOOKS = 1_000;

function problemsOf(
  spec: SymbologySpec,
  baseUrl: string,
  isAddress: boolean,
  check: () => FieldError[],
): FieldError[] {
  const key = JSON.stringify([baseUrl, spec]);
  if (isAddress && goodLooks.has(key)) return [];
  const errors = check();
  if (isAddress && errors.length === 0 && goodLooks.size < MOST_LOOKS) goodLooks.add(key);
  return errors;
}

/** @throws AppError NOT_FOUND, VALIDATION_FAILED */
async function planImage(
  { db, config, sites }: Pick<ApiDeps, 'db' | 'config' | 'sites'>,
  orgId: string,
  id: string,
  { symbology, ...look }: ImageQuery,
): Promise<Drawing> {
  const unit = await getUnit(db, orgId, id);
  const spec: SymbologySpec = { ...lookOf(look), type: symbologyTypeOf(symbology) };
  const { content, needsGtin } = symbologyTraits(spec.type);
  const product = needsGtin === undefined ? null : await getProduct(db, orgId, unit.product_id);
  const subject = {
    baseUrl: (await sites.codesUrlOf(orgId)) ?? config.PRINTED_URL,
    gtin: product?.gtin ?? undefined,
    lot: unit.lot ?? undefined,
    expiresOn: unit.expires_on ?? undefined,
  };
  const errors = problemsOf(spec, subject.baseUrl, content === 'address', () =>
    symbolErrors(spec, subject, { characters: unit.serial, examples: [unit.serial] }),
  );
  if (errors.length > 0) {
    const inQuery = errors.map((error) => ({
      ...error,
      path: `query.${error.path === 'serials' ? 'symbology' : error.path}`,
    }));
    throw invalidFields(inQuery);
  }
  const definite = { ...given(subject), baseUrl: subject.baseUrl };
  const parts = { serial: unit.serial, token: tokenOf(config.TOKEN_KEYS, unit.code, unit.token_key) };
  const payload = symbolPayload(spec.type, definite, parts);
  const caption = symbolCaption(spec.type, definite, parts);
  // Every unit's address has one shape, so its table is learned once; other shapes would be learned for one picture.
  const shape = content === 'address' ? payloadShape(spec.type, definite, parts, TOKEN_ALPHABET) : undefined;
  return {
    etag: createHash('sha256')
      .update(JSON.stringify([VERSION, payload, caption, spec]))
      .digest('base64url'),
    draw: (format) => {
      const renderer = createRenderer(spec, shape);
      return format === 'png' ? renderer.png(payload, caption) : Buffer.from(renderer.svg(payload, caption));
    },
  };
}

const ETag = {
  description: 'Of what the symbol holds and how it looks',
};

const imageOperation = (format: 'png' | 'svg', mediaType: string) =>
  operation({
    method: 'get',
    path: `/api/v1/product-units/{id}/barcode.${format}`,
    operationId: `getUnitBarcode${format === 'png' ? 'Png' : 'Svg'}`,
    tag: 'Product units',
    summary: `One unit’s symbol as ${format.toUpperCase()}`,
    description: 'Takes the same options as a barcode job, as query parameters.',
    access: needs('products.read', 'barcodes.generate'),
    ids: { id: 'unit' },
    query: imageQuery,
    responses: {
      200: {
        description: 'The picture',
        schema: z.string(),
        mediaType,
        headers: { ETag },
      },
      304: { description: 'The caller has it already', headers: { ETag } },
    },
    handle: async ({ deps, actor, ids, query, req, res }) => {
      const { etag, draw } = await planImage(deps, actor.orgId, ids.id, query);
      res.setHeader('ETag', `"${etag}"`);
      // A product's GTIN may be corrected, and codes be led to another address.
      res.setHeader('Cache-Control', 'private, no-cache');
      if (req.fresh) {
        res.status(304).end();
        return null;
      }
      res.setHeader('Content-Type', mediaType);
      res.end(draw(format));
      return null;
    },
  });

export const unitImageOperations = [
  imageOperation('png', 'image/png'),
  imageOperation('svg', 'image/svg+xml'),
];
