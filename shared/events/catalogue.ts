import { z } from 'zod';
import { refusal, ruled } from '../field-errors.ts';
import * as schemas from './event-data.ts';
import * as examples from './event-examples.ts';

/** One kind of event: what it means, and what its `data` looks like. */
export interface EventDefinition {
  /** Rises when `data` changes in a way that could break a receiver. */
  version: number;
  /** One sentence: when it fires. */
  description: string;
  /** False for what is sent on request only, whatever an endpoint subscribes to. */
  isSubscribable: boolean;
  /** Schema of `data`; strict. */
  schema: z.ZodObject;
  /** A valid `data`. */
  example: Record<string, unknown>;
}

/** Every event that the service sends. `docs/webhooks.md` has the same list; a test holds the two together. */
export const EVENT_CATALOGUE = {
  'scan.recorded': {
    version: 1,
    description: 'A product code is scanned, and the scan has its final verdict.',
    isSubscribable: true,
    schema: schemas.scanRecorded,
    example: examples.scanRecorded,
  },
  'suspicious_scan.detected': {
    version: 1,
    description: 'A scan is risk-scored suspicious: clone, impossible travel or excessive scanning.',
    isSubscribable: true,
    schema: schemas.suspiciousScanDetected,
    example: examples.suspiciousScanDetected,
  },
  'product.diverted': {
    version: 1,
    description: 'A genuine unit is scanned outside its authorized markets.',
    isSubscribable: true,
    schema: schemas.productDiverted,
    example: examples.productDiverted,
  },
  'counterfeit_report.created': {
    version: 1,
    description: 'A consumer reports a suspected fake.',
    isSubscribable: true,
    schema: schemas.counterfeitReportCreated,
    example: examples.counterfeitReportCreated,
  },
  'barcode_job.completed': {
    version: 2,
    description: 'A code-generation job is finished and its files can be downloaded.',
    isSubscribable: true,
    schema: schemas.barcodeJobCompleted,
    example: examples.barcodeJobCompleted,
  },
  'barcode_job.failed': {
    version: 1,
    description: 'A code-generation job has failed for good.',
    isSubscribable: true,
    schema: schemas.barcodeJobFailed,
    example: examples.barcodeJobFailed,
  },
  'consignment.received': {
    version: 1,
    description: 'A distributor confirms receipt of a consignment, or of a part of it.',
    isSubscribable: true,
    schema: schemas.consignmentReceived,
    example: examples.consignmentReceived,
  },
  'consignment.recalled': {
    version: 1,
    description: 'A consignment is recalled; where that was planned, its time has come.',
    isSubscribable: true,
    schema: schemas.consignmentRecalled,
    example: examples.consignmentRecalled,
  },
  'webhook.test': {
    version: 1,
    description: 'Somebody asked for a test of this endpoint; it is sent to that endpoint only.',
    isSubscribable: false,
    schema: schemas.webhookTest,
    example: examples.webhookTest,
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof EVENT_CATALOGUE;

/** The `data` of one event type. */
export type EventData<T extends EventType> = z.output<(typeof EVENT_CATALOGUE)[T]['schema']>;

/** The types that an endpoint may list in `events`. */
export const SUBSCRIBABLE_EVENT_TYPES: readonly EventType[] = (
  Object.keys(EVENT_CATALOGUE) as EventType[]
).filter((type) => EVENT_CATALOGUE[type].isSubscribable);

/** An endpoint's `events`: names of types without repetition, or the single entry `"*"`. */
export const eventFilterSchema = z
  .array(
    z
      .string()
      .refine((name) => name === '*' || (SUBSCRIBABLE_EVENT_TYPES as readonly string[]).includes(name), {
        ...ruled(refusal('UNKNOWN_CHOICE', '', { choices: [...SUBSCRIBABLE_EVENT_TYPES, '*'] })),
        error: (issue) =>
          `Unknown event type ${JSON.stringify(issue.input).slice(0, 60)}; known are ${SUBSCRIBABLE_EVENT_TYPES.join(', ')} and "*".`,
      }),
  )
  .min(1)
  .max(SUBSCRIBABLE_EVENT_TYPES.length)
  .refine(
    (names) => !names.includes('*') || names.length === 1,
    ruled(refusal('ALL_EVENTS_ALONE', '"*" stands alone.')),
  )
  .refine(
    (names) => new Set(names).size === names.length,
    ruled(refusal('REPEATED', 'An event type is listed twice.')),
  );

/** Far above any event that there is; the limit keeps one fault from filling receivers and the database. */
export const MAX_EVENT_DATA_BYTES = 1024 * 1024;

/**
 * Checks an event's data before it is written. A mismatch is a fault in this program, not in a request.
 * @throws TypeError for an unknown type or data that does not fit; the message names the paths and not the values.
 */
export function parseEventData<T extends EventType>(type: T, data: unknown): EventData<T> {
  const definition: EventDefinition | undefined = Object.hasOwn(EVENT_CATALOGUE, type)
    ? EVENT_CATALOGUE[type]
    : undefined;
  if (definition === undefined) throw new TypeError(`there is no event type ${type}`);
  const result = definition.schema.safeParse(data);
  if (result.success) {
    if (Buffer.byteLength(JSON.stringify(result.data)) > MAX_EVENT_DATA_BYTES)
      throw new TypeError(`the data of ${type} is larger than ${MAX_EVENT_DATA_BYTES} bytes`);
    return result.data as EventData<T>;
  }
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || 'data'}: ${issue.message}`);
  throw new TypeError(`the data of ${type} does not fit: ${problems.join('; ')}`);
}

/** An event type as callers see it. */
export interface EventTypeDocument {
  type: EventType;
  version: number;
  description: string;
  isSubscribable: boolean;
  /** JSON Schema (2020-12) of the envelope's `data`. */
  dataSchema: Record<string, unknown>;
  /** A whole envelope. */
  example: { id: string; type: EventType; createdAt: string; data: Record<string, unknown> };
}

/** The catalogue as plain JSON, for `GET /api/v1/event-types` and the OpenAPI document. */
export function eventTypeDocuments(): EventTypeDocument[] {
  return (Object.keys(EVENT_CATALOGUE) as EventType[]).map((type) => {
    const { version, description, isSubscribable, schema, example } = EVENT_CATALOGUE[type];
    return {
      type,
      version,
      description,
      isSubscribable,
      dataSchema: z.toJSONSchema(schema),
      example: { id: examples.EVENT_ID, type, createdAt: examples.CREATED_AT, data: { ...example } },
    };
  });
}
