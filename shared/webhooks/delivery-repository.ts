import type { Db } from '../db.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { AttemptOutcome } from './attempt.ts';

export interface NewDelivery {
  id: string;
  eventId: string;
  eventType: string;
  attempt: number;
}

/** Writes the attempts that are about to be sent: what may have reached somebody is never without a row. */
export async function insertDeliveries(
  db: Db,
  endpoint: { id: string; orgId: string },
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  await db.query({
    name: 'insert-deliveries',
    text: `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at)
           select t.id, $1, $2, t.event_id, t.event_type, t.attempt, $3
             from unnest($4::uuid[], $5::uuid[], $6::text[], $7::integer[]) as t (id, event_id, event_type, attempt)`,
    values: [
      endpoint.orgId,
      endpoint.id,
      now,
      deliveries.map((d) => d.id),
      deliveries.map((d) => d.eventId),
      deliveries.map((d) => d.eventType),
      deliveries.map((d) => d.attempt),
    ],
  });
}

export interface DeliverySettlement {
  id: string;
  outcome: AttemptOutcome;
  nextAttemptAt: Date | null;
}

export async function settleDeliveries(
  db: Db,
  settlements: readonly DeliverySettlement[],
  now: Date,
): Promise<void> {
  await db.query({
    name: 'settle-deliveries',
    text: `update webhook_deliveries d
              set outcome = case when s.value->>'ok' = 'true' then 'delivered' else 'failed' end,
                  settled_at = $2,
                  error_class = s.value->>'errorClass',
                  error_message = s.value->>'error',
                  response_status = (s.value->>'status')::smallint,
                  response_headers = s.value->'responseHeaders',
                  response_snippet = s.value->>'responseBody',
                  response_truncated = (s.value->>'responseTruncated')::boolean,
                  timings = s.value->'timings',
                  next_attempt_at = s.next_attempt_at
             from unnest($1::uuid[], $3::jsonb[], $4::timestamptz[]) as s (id, value, next_attempt_at)
            where d.id = s.id`,
    values: [
      settlements.map((s) => s.id),
      now,
      settlements.map((s) => storableJson(s.outcome)),
      settlements.map((s) => s.nextAttemptAt),
    ],
  });
}

/** JSON that jsonb takes: a receiver may answer with NUL characters, which Postgres cannot store. */
const storableJson = (value: unknown): string => JSON.stringify(value).replaceAll('\\u0000', '\\ufffd');

export interface DeliveryRow {
  id: string;
  event_id: string;
  event_type: string;
  attempt: number;
  started_at: Date;
  settled_at: Date | null;
  outcome: 'delivered' | 'failed' | null;
  error_class: string | null;
  error_message: string | null;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_snippet: string | null;
  response_truncated: boolean;
  timings: Record<string, number | null> | null;
  next_attempt_at: Date | null;
}

export interface DeliveryFilter {
  eventId?: string | undefined;
  outcome?: 'delivered' | 'failed' | undefined;
}

export async function listDeliveries(
  db: Db,
  endpointId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  const { rows } = await db.query<DeliveryRow>(
    `select id, event_id, event_type, attempt, started_at, settled_at, outcome, error_class, error_message,
            response_status, response_headers, response_snippet, response_truncated, timings, next_attempt_at
       from webhook_deliveries
      where endpoint_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::uuid is null or event_id = $3)
        and ($4::text is null or outcome = $4)
      order by id desc
      limit $5`,
    [endpointId, page.beforeId, filter.eventId ?? null, filter.outcome ?? null, page.limit + 1],
  );
  return pageOf(rows, page);
}
