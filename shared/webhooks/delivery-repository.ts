import type { Db } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import type { AttemptOutcome } from './attempt.ts';

export interface DeliverySettlement {
  id: string;
  outcome: AttemptOutcome;
  /** As they went out, fit for the log. */
  requestHeaders: Record<string, string>;
  nextAttemptAt: Date | null;
}

/** Writes what came of attempts. A late answer overwrites what was thought to be lost. */
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
                  request_headers = s.request_headers,
                  next_attempt_at = s.next_attempt_at
             from unnest($1::uuid[], $3::jsonb[], $4::timestamptz[], $5::jsonb[])
               as s (id, value, next_attempt_at, request_headers)
            where d.id = s.id`,
    values: [
      settlements.map((s) => s.id),
      now,
      settlements.map((s) => storableJson(s.outcome)),
      settlements.map((s) => s.nextAttemptAt),
      settlements.map((s) => JSON.stringify(s.requestHeaders)),
    ],
  });
}

/** Attempts that were written down and never made leave no trace. */
export async function deleteUnsent(db: Db, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'delete-unsent-deliveries',
    text: 'delete from webhook_deliveries where id = any($1::uuid[]) and outcome is null',
    values: [ids],
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
  request_headers: Record<string, string> | null;
  is_probe: boolean;
  next_attempt_at: Date | null;
}

export interface DeliveryFilter {
  eventId?: string | undefined;
  outcome?: 'pending' | 'delivered' | 'failed' | undefined;
  /** Started at or after this time. */
  from?: Date | undefined;
  /** Started before this time. */
  to?: Date | undefined;
}

export async function listDeliveries(
  db: Db,
  endpointId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  const { rows } = await db.query<DeliveryRow>(
    `select id, event_id, event_type, attempt, started_at, settled_at, outcome, error_class, error_message,
            response_status, response_headers, response_snippet, response_truncated, timings, request_headers, is_probe, next_attempt_at
       from webhook_deliveries
      where endpoint_id = $1
        and ($2::uuid is null or id < $2)
        and ($3::uuid is null or event_id = $3)
        and ($4::text is null or coalesce(outcome, 'pending') = $4)
        and ($5::uuid is null or id >= $5)
        and ($6::uuid is null or id < $6)
      order by id desc
      limit $7`,
    [
      endpointId,
      page.beforeId,
      filter.eventId ?? null,
      filter.outcome ?? null,
      // Ids are made when an attempt is claimed, and sort by that time: a range of ids prunes partitions.
      filter.from === undefined ? null : uuidFloor(filter.from),
      filter.to === undefined ? null : uuidFloor(filter.to),
      page.limit + 1,
    ],
  );
  return pageOf(rows, page);
}
