import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { eventFilterSchema, SUBSCRIBABLE_EVENT_TYPES } from '../../shared/events/catalogue.ts';
import { encodeId } from '../../shared/ids.ts';
import { DEFAULT_LANGUAGE } from '../../shared/languages.ts';
import { earliestAttempt } from '../../shared/webhooks/circuit-breaker.ts';
import { MAX_OVERLAP_SECONDS } from '../../shared/webhooks/operate.ts';
import { RECENT_HOURS, sumOutcomes } from '../../shared/webhooks/recent-outcomes.ts';
import { retryDelaysSchema } from '../../shared/webhooks/retry-schedule.ts';
import {
  ENDPOINT_FORMATS,
  MOST_COUNTED,
  type DeliveryRow,
  type EndpointRow,
} from '../../shared/webhooks/service.ts';
import { changesSomething, expectedField, languageField, text } from '../fields.ts';
import { FORWARD, idField, instant, isForward, listQuery, moment } from '../list.ts';

const fields = {
  url: z
    .string()
    .max(2000)
    .meta({ description: 'An https URL at a public address', examples: ['https://example.com/hooks'] }),
  events: eventFilterSchema.meta({
    description: `Names of event types (${SUBSCRIBABLE_EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}), or the single entry \`"*"\` for all, those to come included`,
  }),
  format: z.enum(ENDPOINT_FORMATS).meta({
    description:
      'What is sent: `event`, the envelope; or what it is in a chat channel, with the facts and a link: `slack`, a text for the incoming webhook of Slack, Google Chat, Mattermost or Rocket.Chat, or `teams`, an Adaptive Card for a workflow of Microsoft Teams',
  }),
  language: languageField.meta({ description: 'Of the messages; an event has none' }),
  description: text(500).nullable(),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(100)
    .nullable()
    .meta({ description: 'Attempts at a time; null: the service’s default' }),
  ratePerSecond: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .meta({ description: 'Most attempts per second, in bursts of a tenth of it; null: no limit' }),
  fifo: z
    .boolean()
    .meta({ description: 'In the order of the events, one at a time, and none past a failed one' }),
  retryDelaysSeconds: retryDelaysSchema
    .nullable()
    .meta({ description: 'Seconds to wait after each failed attempt; null: the default schedule' }),
  headers: z.record(z.string().max(100), z.string().max(1024)).meta({
    description: 'Headers to send with every attempt; kept encrypted, and only their names are shown',
  }),
  productIds: z
    .array(idField('prod'))
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, ruled(refusal('REPEATED', 'names a product twice')))
    .nullable()
    .meta({ description: 'Only events about these products; null: all events' }),
};

export const createEndpointBody = z.strictObject({
  ...fields,
  format: fields.format.default('event'),
  language: fields.language.default(DEFAULT_LANGUAGE),
  description: fields.description.default(null),
  concurrency: fields.concurrency.default(null),
  ratePerSecond: fields.ratePerSecond.default(null),
  fifo: fields.fifo.default(false),
  retryDelaysSeconds: fields.retryDelaysSeconds.default(null),
  headers: fields.headers.default({}),
  productIds: fields.productIds.default(null),
});

/** As they are read, which of headers are the names alone. */
const readFields = {
  url: z.string(),
  events: z.array(z.string()),
  format: fields.format,
  language: fields.language,
  description: z.string().nullable(),
  concurrency: z.number().int().nullable(),
  ratePerSecond: z.number().int().nullable(),
  fifo: z.boolean(),
  retryDelaysSeconds: z.array(z.number().int()).nullable(),
};

export const updateEndpointBody = z
  .strictObject({
    ...fields,
    expected: expectedField({ ...readFields, productIds: z.array(idField('prod')).nullable() }),
  })
  .partial()
  .refine(...changesSomething);

export const listEndpointsQuery = listQuery('webhook-endpoints', {});

export const endpointSchema = z
  .object({
    id: z.string(),
    ...readFields,
    headerNames: z.array(z.string()).meta({ description: 'Names of the endpoint’s own headers' }),
    productIds: z.array(z.string()).nullable(),
    circuit: z
      .object({
        state: z.enum(['closed', 'open', 'half-open', 'disabled']),
        changedAt: instant,
        openUntil: instant.nullable(),
        failingSince: instant.nullable(),
        disabledReason: z.enum(['gone', 'failing', 'manual', 'unreadable']).nullable(),
      })
      .meta({ description: 'While it is not closed, events are kept and wait' }),
    recent: z
      .object({
        hours: z.number().int(),
        delivered: z.number().int(),
        failed: z.number().int(),
        successRate: z.number().nullable().meta({ description: '0 to 1; null without an attempt' }),
      })
      .meta({ description: 'Attempts of the last hours, by whole hours' }),
    waitingCount: z
      .number()
      .int()
      .meta({
        description: `Events that wait to be delivered, counted up to ${MOST_COUNTED}; there is no limit to them but their age`,
      }),
    nextAttemptAt: instant.nullable().meta({
      description: 'When the next attempt may go; null where nothing waits, or all of it for a person',
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'WebhookEndpoint' });

export const createdEndpointSchema = endpointSchema
  .extend({ secret: z.string().meta({ description: 'The signing secret (`whsec_…`), shown this once' }) })
  .meta({ id: 'CreatedWebhookEndpoint' });

export const rotateSecretBody = z
  .strictObject({
    overlapSeconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(24 * 3600)
      .meta({ description: 'How long the present secrets stay valid beside the new one; 0 ends them now' }),
  })
  .prefault({});

export const rotatedEndpointSchema = createdEndpointSchema
  .extend({ previousValidUntil: instant.meta({ description: 'When the secrets before it end' }) })
  .meta({ id: 'RotatedWebhookEndpoint' });

export const testEventSchema = z
  .object({
    eventId: z.string().meta({ description: 'What became of it is in the delivery log' }),
    nextAttemptAt: instant.meta({
      description:
        'When it may go: now, or later while the circuit is open or the receiver has asked for patience',
    }),
  })
  .meta({ id: 'WebhookTest' });

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const presentEndpoint = (
  { circuit, ...row }: EndpointRow,
  now: Date,
): z.input<typeof endpointSchema> => ({
  id: encodeId('whep', row.id),
  url: row.url,
  events: row.events,
  format: row.format,
  language: row.language,
  description: row.description,
  concurrency: row.concurrency,
  ratePerSecond: row.rate_per_second,
  fifo: row.fifo,
  retryDelaysSeconds: row.retry_delays,
  headerNames: row.header_names,
  productIds: row.product_ids?.map((id) => encodeId('prod', id)) ?? null,
  circuit: {
    state: circuit.phase,
    changedAt: new Date(circuit.changedAt).toISOString(),
    openUntil: isoOrNull(circuit.openUntil),
    failingSince: isoOrNull(circuit.failingSince),
    disabledReason: circuit.disabledReason,
  },
  recent: { hours: RECENT_HOURS, ...sumOutcomes(row.recent, now.getTime()) },
  waitingCount: row.waiting,
  nextAttemptAt:
    row.next_due_at === null
      ? null
      : (earliestAttempt(circuit, row.held_until, row.next_due_at)?.toISOString() ?? null),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export const listDeliveriesQuery = listQuery('deliveries', {
  eventId: idField('evt').optional(),
  outcome: z.enum(['pending', 'delivered', 'failed']).optional(),
  from: moment.optional(),
  to: moment.optional(),
}).refine(isForward, FORWARD);

export const deliverySchema = z
  .object({
    id: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    attempt: z.number().int(),
    isProbe: z
      .boolean()
      .meta({ description: 'A probe of an open circuit; it spends none of the event’s attempts' }),
    outcome: z.enum(['pending', 'delivered', 'failed']),
    error: z.object({ class: z.string(), message: z.string().nullable() }).nullable(),
    request: z
      .object({ headers: z.record(z.string(), z.string()) })
      .nullable()
      .meta({ description: 'As it went out; null until the attempt is over' }),
    response: z
      .object({
        status: z.number().int().meta({ description: 'The HTTP status' }),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        truncated: z.boolean(),
      })
      .nullable(),
    timings: z.record(z.string(), z.number().nullable()).nullable().meta({ description: 'Milliseconds' }),
    startedAt: instant,
    settledAt: instant.nullable(),
    nextAttemptAt: instant.nullable(),
  })
  .meta({ id: 'Delivery' });

export const presentDelivery = (row: DeliveryRow): z.input<typeof deliverySchema> => ({
  id: encodeId('dlv', row.id),
  eventId: encodeId('evt', row.event_id),
  eventType: row.event_type,
  attempt: row.attempt,
  isProbe: row.is_probe,
  outcome: row.outcome ?? 'pending',
  error: row.error_class === null ? null : { class: row.error_class, message: row.error_message },
  request: row.request_headers === null ? null : { headers: row.request_headers },
  response:
    row.response_status === null
      ? null
      : {
          status: row.response_status,
          headers: row.response_headers ?? {},
          body: row.response_snippet ?? '',
          truncated: row.response_truncated,
        },
  timings: row.timings,
  startedAt: row.started_at.toISOString(),
  settledAt: row.settled_at?.toISOString() ?? null,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
});
