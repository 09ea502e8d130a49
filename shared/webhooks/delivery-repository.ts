import type { Db } from '../db.ts';
import { uuidFloor } from '../ids.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';
import { shownHeaders } from './request-log.ts';

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
        -- Every failure has a class: one that is rare is found by its index.
        and ($4::text is distinct from 'failed' or error_class is not null)
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
  return pageOf(
    rows.map((row) => ({ ...row, request_headers: shownHeaders(row, row.request_headers) })),
    page,
  );
}
