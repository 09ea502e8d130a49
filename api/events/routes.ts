import { z } from 'zod';
import { eventTypeDocuments } from '../../shared/events/catalogue.ts';
import { getEvent, listEvents, type EventRow } from '../../shared/events/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { instant, listBody, listOf, listQuery, pageRequest } from '../list.ts';
import { needs, ok, operation } from '../operation.ts';

const tag = 'Events';

const eventSchema = z
  .object({ id: z.string(), type: z.string(), createdAt: instant, data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Event' });

const eventTypeSchema = z
  .object({
    type: z.string(),
    version: z.number().int(),
    description: z.string(),
    isSubscribable: z.boolean(),
    dataSchema: z.record(z.string(), z.unknown()),
    example: eventSchema,
  })
  .meta({ id: 'EventType' });

const presentEvent = (row: EventRow): z.input<typeof eventSchema> => ({
  id: encodeId('evt', row.id),
  type: row.type,
  createdAt: row.created_at.toISOString(),
  data: row.data,
});

export const eventOperations = [
  operation({
    method: 'get',
    path: '/api/v1/events',
    operationId: 'listEvents',
    tag,
    summary: 'List events, newest first',
    access: needs('webhooks.read', 'webhooks.write'),
    query: listQuery({ type: z.string().max(100).optional() }),
    responses: { 200: { description: 'A page of events', schema: listOf(eventSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(listBody(await listEvents(db, actor.orgId, query, pageRequest(query)), presentEvent)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/events/{id}',
    operationId: 'getEvent',
    tag,
    summary: 'Read an event',
    access: needs('webhooks.read', 'webhooks.write'),
    ids: { id: 'evt' },
    responses: { 200: { description: 'The event, as it is delivered', schema: eventSchema } },
    handle: async ({ db, actor, ids }) => ok(presentEvent(await getEvent(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'get',
    path: '/api/v1/event-types',
    operationId: 'listEventTypes',
    tag,
    summary: 'List the types of events, with schemas and examples',
    access: needs('webhooks.read', 'webhooks.write'),
    responses: {
      200: { description: 'The catalogue', schema: z.object({ data: z.array(eventTypeSchema) }) },
    },
    handle: async () => ok({ data: eventTypeDocuments() }),
  }),
];
