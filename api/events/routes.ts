import { z } from 'zod';
import type { Actor } from '../../shared/actor.ts';
import { EVENT_CATALOGUE, eventTypeDocuments, type EventType } from '../../shared/events/catalogue.ts';
import { listEventDispatches, replayEvent, type DispatchRow } from '../../shared/webhooks/operate.ts';
import { getEvent, listEvents, type EventRow } from '../../shared/events/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { readsJobs } from '../barcode-jobs/routes.ts';
import {
  FORWARD,
  idField,
  instant,
  isForward,
  listBody,
  listOf,
  listQuery,
  moment,
  pageRequest,
} from '../list.ts';
import { accepted, needs, ok, operation } from '../operation.ts';

const tag = 'Events';

const eventSchema = z
  .object({ id: z.string(), type: z.string(), createdAt: instant, data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Event' });

const readEventSchema = eventSchema
  .extend({
    dispatches: z
      .array(
        z.object({
          endpointId: z.string(),
          state: z.enum(['pending', 'parked', 'delivered', 'exhausted', 'discarded']),
          attempts: z.number().int(),
          nextAttemptAt: instant.nullable(),
          settledAt: instant.nullable(),
        }),
      )
      .meta({
        description: 'What became of it at each endpoint; parked while the endpoint’s circuit is not closed',
      }),
  })
  .meta({ id: 'EventWithDispatches' });

const replayBody = z
  .strictObject({
    endpointId: idField('whep').nullable().default(null).meta({
      description: 'To this endpoint, whatever its filter; null: to all that have the event or want it',
    }),
  })
  .prefault({});

const replaySchema = z
  .object({ eventId: z.string(), endpointIds: z.array(z.string()) })
  .meta({ id: 'EventReplay' });

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

const LINKS_WITHHELD =
  'A finished barcode job’s links to its files (`url`) are null for a caller that may not read barcode jobs: the codes are in them.';

function withoutLinks(data: EventRow['data']): EventRow['data'] {
  if (!Array.isArray(data.artifacts)) return data;
  return { ...data, artifacts: data.artifacts.map((artifact: object) => ({ ...artifact, url: null })) };
}

const presenterFor =
  ({ scopes }: Actor) =>
  (row: EventRow): z.input<typeof eventSchema> => ({
    id: encodeId('evt', row.id),
    type: row.type,
    createdAt: row.created_at.toISOString(),
    data: readsJobs.anyOf.some((scope) => scopes.has(scope)) ? row.data : withoutLinks(row.data),
  });

const presentDispatch = (row: DispatchRow) => {
  const isParked = row.state === 'pending' && row.circuit_state !== 'closed';
  const dueAt = row.held_until !== null && row.held_until > row.due_at ? row.held_until : row.due_at;
  return {
    endpointId: encodeId('whep', row.endpoint_id),
    state: isParked ? ('parked' as const) : row.state,
    attempts: row.attempts,
    nextAttemptAt: row.state === 'pending' && !isParked ? dueAt.toISOString() : null,
    settledAt: row.settled_at?.toISOString() ?? null,
  };
};

export const eventOperations = [
  operation({
    method: 'get',
    path: '/api/v1/events',
    operationId: 'listEvents',
    tag,
    summary: 'List events, newest first',
    description: LINKS_WITHHELD,
    access: needs('webhooks.read', 'webhooks.write'),
    query: listQuery('events', {
      type: z.enum(Object.keys(EVENT_CATALOGUE) as EventType[]).optional(),
      from: moment.optional().meta({ description: 'Recorded at this time or after' }),
      to: moment.optional().meta({ description: 'Recorded before' }),
    }).refine(isForward, FORWARD),
    responses: { 200: { description: 'A page of events', schema: listOf(eventSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(
        listBody('events', await listEvents(db, actor.orgId, query, pageRequest(query)), presenterFor(actor)),
      ),
  }),
  operation({
    method: 'get',
    path: '/api/v1/events/{id}',
    operationId: 'getEvent',
    tag,
    summary: 'Read an event',
    description: LINKS_WITHHELD,
    access: needs('webhooks.read', 'webhooks.write'),
    ids: { id: 'evt' },
    responses: {
      200: { description: 'The event, and what became of it', schema: readEventSchema },
    },
    handle: async ({ db, actor, ids }) => {
      const event = await getEvent(db, actor.orgId, ids.id);
      const dispatches = await listEventDispatches(db, event.id);
      return ok({ ...presenterFor(actor)(event), dispatches: dispatches.map(presentDispatch) });
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/events/{id}/replay',
    operationId: 'replayEvent',
    tag,
    summary: 'Send an event again',
    description:
      'With the same event id, a new delivery id and a full schedule of retries, also where it was delivered already.',
    access: needs('webhooks.write'),
    ids: { id: 'evt' },
    body: replayBody,
    idempotent: true,
    responses: { 202: { description: 'Where it goes', schema: replaySchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      const endpointIds = await replayEvent(deps, { db, afterCommit }, actor.orgId, ids.id, body.endpointId);
      const eventId = encodeId('evt', ids.id);
      return accepted(
        { eventId, endpointIds: endpointIds.map((id) => encodeId('whep', id)) },
        `/api/v1/events/${eventId}`,
      );
    },
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
