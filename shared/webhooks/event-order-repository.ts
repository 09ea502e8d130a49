/**
 * For an endpoint that becomes FIFO: what waits is due in the order of its events again, not of its retries. There may be a million of
 * them, so the endpoint's row keeps how far that is, and whoever serves it does a slice at a time before anything is sent.
 */
import type { Db } from '../db.ts';

/** Dispatches of a slice: some 25 ms, which the endpoints that share the turn wait as well. */
const SLICE = 1_000;

export async function beginEventOrder(db: Db, endpointId: string): Promise<void> {
  await db.query(
    `update webhook_endpoints set ordered_to_due_at = '-infinity', ordered_to_event_id = '00000000-0000-0000-0000-000000000000'
      where id = $1`,
    [endpointId],
  );
}

/**
 * Takes the next slice. But for a test, which went before all that waited, an event is never due before it happened, so what is put in
 * order goes behind the place that has been reached, and one pass sees all; a test goes ahead of it and is seen twice. The caller holds
 * the endpoint's lock. @returns whether all that waits is in order.
 */
export async function restoreEventOrder(db: Db, endpointId: string): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: 'restore-event-order',
    text: `with slice as materialized (
         select d.event_id, d.due_at
           from webhook_dispatches d
          where d.endpoint_id = $1 and d.state = 'pending'
            and (d.due_at, d.event_id) > (select ordered_to_due_at, ordered_to_event_id from webhook_endpoints where id = $1)
          order by d.due_at, d.event_id
          limit $2
       ), moved as (
         update webhook_dispatches d set due_at = e.created_at
           from slice s join events e on e.id = s.event_id
          where d.endpoint_id = $1 and d.event_id = s.event_id and d.state = 'pending' and d.due_at <> e.created_at
       ), reached as (
         select due_at, event_id, (select count(*) from slice) = $2 as is_full
           from slice order by due_at desc, event_id desc limit 1
       )
       update webhook_endpoints p
          set ordered_to_due_at = (select due_at from reached where is_full),
              ordered_to_event_id = (select event_id from reached where is_full)
        where p.id = $1
       returning ordered_to_due_at is null as done`,
    values: [endpointId, SLICE],
  });
  return rows[0]!.done;
}
