import { z } from 'zod';
import { encodeId } from '../../shared/ids.ts';
import { HIT_TYPES, prefixOf, search } from '../../shared/search/service.ts';
import { needs, ok, operation } from '../operation.ts';

const hitSchema = z
  .object({
    type: z.enum(HIT_TYPES),
    id: z.string(),
    title: z.string().meta({ description: 'Name, lot, serial or reference; the id where there is none' }),
    subtitle: z.string().nullable().meta({ description: 'What it belongs to: the product, the distributor' }),
  })
  .meta({ id: 'SearchHit' });

export const searchOperations = [
  operation({
    method: 'get',
    path: '/api/v1/search',
    operationId: 'search',
    tag: 'Overview',
    summary: 'Find something by its id, name, SKU, lot, serial or reference',
    description:
      'A public id finds what it names, of any kind. Other text finds products (part of name, SKU, brand, GTIN), batches (part of the lot), units (beginning of the serial; or the token of a code, or its address under `/v/`, which finds that unit alone) and consignments (part of reference, SSCC, destination): at most five of each, the exact ones first. A GS1 Digital Link finds the unit, the lot or the product that it names. Only what the caller may see.',
    access: needs(
      'products.read',
      'consignments.read',
      'consignments.write',
      'scans.read',
      'reports.read',
      'reports.write',
      'webhooks.read',
      'webhooks.write',
    ),
    query: z.strictObject({
      q: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .meta({ description: 'What somebody typed', examples: ['olive'] }),
    }),
    responses: {
      200: {
        description: 'What was found; for one or two characters only where a word begins with them',
        schema: z.object({ data: z.array(hitSchema).max(20) }),
      },
    },
    handle: async ({ deps, db, actor, query }) => {
      const hits = await search(
        { db, tokenKeys: deps.config.TOKEN_KEYS },
        actor.orgId,
        actor.scopes,
        query.q,
      );
      return ok({
        data: hits.map(({ type, id, title, subtitle }) => {
          const publicId = encodeId(prefixOf(type), id);
          return { type, id: publicId, title: title ?? publicId, subtitle };
        }),
      });
    },
  }),
];
