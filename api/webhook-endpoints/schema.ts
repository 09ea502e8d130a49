import { z } from 'zod';
import { eventFilterSchema } from '../../shared/events/catalogue.ts';
import { encodeId } from '../../shared/ids.ts';
import type { DeliveryRow, EndpointRow } from '../../shared/webhooks/service.ts';
import { text } from '../fields.ts';
import { idField, instant, listQuery } from '../list.ts';

const fields = {
  url: z
    .string()
    .max(2000)
    .meta({ description: 'An https URL at a public address', examples: ['https://example.com/hooks'] }),
  events: eventFilterSchema.meta({ description: 'Names of event types, or the single entry "*"' }),
  description: text(500).nullable(),
};

export const createEndpointBody = z.strictObject({
  ...fields,
  description: fields.description.default(null),
});

export const updateEndpointBody = z
  .strictObject(fields)
  .partial()
  .refine((body) => Object.keys(body).length > 0, { error: 'nothing to change' });

export const listEndpointsQuery = listQuery({});

export const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    circuit: z
      .object({
        state: z.enum(['closed', 'open', 'half-open', 'disabled']),
        changedAt: instant,
        openUntil: instant.nullable(),
        failingSince: instant.nullable(),
        disabledReason: z.enum(['gone', 'failing', 'manual']).nullable(),
      })
      .meta({ description: 'While it is not closed, events are kept and wait' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'WebhookEndpoint' });

export const createdEndpointSchema = endpointSchema
  .extend({ secret: z.string().meta({ description: 'The signing secret (`whsec_…`), shown this once' }) })
  .meta({ id: 'CreatedWebhookEndpoint' });

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const presentEndpoint = ({ circuit, ...row }: EndpointRow): z.input<typeof endpointSchema> => ({
  id: encodeId('whep', row.id),
  url: row.url,
  events: row.events,
  description: row.description,
  circuit: {
    state: circuit.phase,
    changedAt: new Date(circuit.changedAt).toISOString(),
    openUntil: isoOrNull(circuit.openUntil),
    failingSince: isoOrNull(circuit.failingSince),
    disabledReason: circuit.disabledReason,
  },
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export const listDeliveriesQuery = listQuery({
  eventId: idField('evt').optional(),
  outcome: z.enum(['delivered', 'failed']).optional(),
});

export const deliverySchema = z
  .object({
    id: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    attempt: z.number().int(),
    outcome: z.enum(['pending', 'delivered', 'failed']),
    error: z.object({ class: z.string(), message: z.string().nullable() }).nullable(),
    response: z
      .object({
        status: z.number().int(),
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
  outcome: row.outcome ?? 'pending',
  error: row.error_class === null ? null : { class: row.error_class, message: row.error_message },
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
