import type { Db } from '../db.ts';

export interface ClaimedDispatch {
  event_id: string;
  lease_epoch: number;
  /** Attempts made, this one included. */
  attempts: number;
  event_type: string;
  event_data: Record<string, unknown>;
  event_created_at: Date;
}

export interface ClaimRequest {
  endpointId: string;
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** A probe may take a parked dispatch, and no more than one. */
  fromParked: boolean;
}

/**
 * Claims the endpoint's due dispatches, oldest due first, or those whose lease has run out. Attempts that a dead
 * worker left open are closed as lost.
 */
export async function claimDueDispatches(db: Db, claim: ClaimRequest): Promise<ClaimedDispatch[]> {
  const { rows } = await db.query<ClaimedDispatch>({
    name: 'claim-due-dispatches',
    text: `with due as (
         select d.event_id, d.endpoint_id from webhook_dispatches d
          where d.endpoint_id = $1
            and ((d.state = 'pending' and d.due_at <= $2) or ($5 and d.state = 'parked'))
            and (d.lease_until is null or d.lease_until <= $2)
          order by d.due_at, d.event_id
          limit $4
          for update skip locked
       ), claimed as (
         update webhook_dispatches d
            set state = 'pending', lease_until = $3, lease_epoch = d.lease_epoch + 1, attempts = d.attempts + 1
           from due where d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
         returning d.event_id, d.endpoint_id, d.lease_epoch, d.attempts, d.due_at
       ), lost as (
         update webhook_deliveries l
            set outcome = 'failed', settled_at = $2, error_class = 'lost',
                error_message = 'the worker ended before the answer came; whether it was received is not known'
           from claimed c
          where c.attempts > 1 and l.event_id = c.event_id and l.endpoint_id = c.endpoint_id and l.outcome is null
       )
       select c.event_id, c.lease_epoch, c.attempts, e.type as event_type, e.data as event_data,
              e.created_at as event_created_at
         from claimed c join events e on e.id = c.event_id
        order by c.due_at, c.event_id`,
    values: [claim.endpointId, claim.now, claim.leaseUntil, claim.limit, claim.fromParked],
  });
  return rows;
}

/** How many of the endpoint's dispatches some worker holds. */
export async function countInFlight(db: Db, endpointId: string, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-in-flight',
    text: `select count(*) as count from webhook_dispatches
            where endpoint_id = $1 and state = 'pending' and lease_until > $2`,
    values: [endpointId, now],
  });
  return rows[0]!.count;
}

export interface DispatchSettlement {
  eventId: string;
  leaseEpoch: number;
  state: 'delivered' | 'exhausted' | 'pending';
  /** When a pending one is due again. */
  dueAt: Date;
  /** Gives the attempt back: it says nothing about the receiver (the process is shutting down). */
  refundAttempt: boolean;
}

/**
 * Writes outcomes. A worker that lost its lease changes nothing, but for a success: what was delivered is
 * delivered, and must not be sent again.
 */
export async function settleDispatches(
  db: Db,
  endpointId: string,
  settlements: readonly DispatchSettlement[],
  now: Date,
): Promise<void> {
  await db.query({
    name: 'settle-dispatches',
    text: `update webhook_dispatches d
              set state = s.state,
                  due_at = case when s.state = 'pending' then s.due_at else d.due_at end,
                  attempts = d.attempts - case when s.refund then 1 else 0 end,
                  settled_at = case when s.state = 'pending' then null else $7::timestamptz end,
                  lease_until = null
             from unnest($2::uuid[], $3::integer[], $4::text[], $5::timestamptz[], $6::boolean[])
               as s (event_id, lease_epoch, state, due_at, refund)
            where d.endpoint_id = $1 and d.event_id = s.event_id
              and (d.lease_epoch = s.lease_epoch or s.state = 'delivered')
              and d.state in ('pending', 'parked')`,
    values: [
      endpointId,
      settlements.map((s) => s.eventId),
      settlements.map((s) => s.leaseEpoch),
      settlements.map((s) => s.state),
      settlements.map((s) => s.dueAt),
      settlements.map((s) => s.refundAttempt),
      now,
    ],
  });
}

/** Parks what no worker holds; attempts stay as they are. */
export async function parkDispatches(db: Db, endpointId: string, now: Date): Promise<void> {
  await db.query(
    `update webhook_dispatches set state = 'parked', lease_until = null
      where endpoint_id = $1 and state = 'pending' and (lease_until is null or lease_until <= $2)`,
    [endpointId, now],
  );
}

/** Lets parked dispatches go, each when it was due anyway. */
export async function releaseParkedDispatches(db: Db, endpointId: string): Promise<void> {
  await db.query(
    `update webhook_dispatches set state = 'pending' where endpoint_id = $1 and state = 'parked'`,
    [endpointId],
  );
}

/** When the endpoint's next unclaimed dispatch is due, or a claimed one's lease ends; null with nothing pending. */
export async function findNextDueAt(db: Db, endpointId: string): Promise<Date | null> {
  const { rows } = await db.query<{ next: Date | null }>({
    name: 'find-next-due',
    text: `select min(greatest(due_at, coalesce(lease_until, due_at))) as next from webhook_dispatches
            where endpoint_id = $1 and state = 'pending'`,
    values: [endpointId],
  });
  return rows[0]?.next ?? null;
}
