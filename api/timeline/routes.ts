import { readTimeline } from '../../shared/timeline/service.ts';
import { listOf } from '../list.ts';
import { needs, ok, operation } from '../operation.ts';
import { encodeCursor, presentEntry, timelineEntrySchema, timelineQuery } from './schema.ts';

export const timelineOperations = [
  operation({
    method: 'get',
    path: '/api/v1/product-units/{id}/timeline',
    operationId: 'getUnitTimeline',
    tag: 'Product units',
    summary: 'The life of a unit, newest first',
    description:
      'Minting, activation, consignments, recalls, scans, cases, decisions and reports as one list. What the caller’s scopes do not cover (`scans.read`, `consignments.read`, `reports.read`) is left out.',
    access: needs('products.read'),
    ids: { id: 'unit' },
    query: timelineQuery,
    responses: { 200: { description: 'A page of entries', schema: listOf(timelineEntrySchema) } },
    handle: async ({ db, actor, ids, query }) => {
      const { rows, next } = await readTimeline(db, actor.orgId, ids.id, actor.scopes, {
        types: query.type === undefined ? null : [query.type],
        after: query.cursor ?? null,
        limit: query.limit,
      });
      return ok({ data: rows.map(presentEntry), nextCursor: encodeCursor(next) });
    },
  }),
];
