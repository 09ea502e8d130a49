import type { Db } from '../db.ts';
import { LAST_UUID, uuidFloor } from '../ids.ts';
import { begunAt, hasBegun } from '../recall-in-force.ts';
import type { EntryType } from './service.ts';

/** Ids of one process never fall, though its clock is set back a little. */
const ID_LEAD_MS = 60_000;

export interface EntryRow {
  /** Unique among the unit's entries; puts those of one moment in order. */
  key: string;
  at: Date;
  type: EntryType;
  /** Ids in it are UUIDs. */
  data: Record<string, unknown>;
}

export interface EntryPlace {
  at: Date;
  key: string;
}

export interface TimelineQuery {
  orgId: string;
  unitId: string;
  batchId: string;
  productId: string;
  types: readonly EntryType[];
  /** Only entries behind this one; null for the first page. */
  after: EntryPlace | null;
  limit: number;
}

/**
 * A unit's entries, newest first. Only scans, and what was typed with them, may be many: their branches read the unit's index from its end until the page
 * is full. Ids of scans follow their times, so that a page behind another begins where that one ended.
 */
export async function listEntries(db: Db, query: TimelineQuery): Promise<EntryRow[]> {
  const { rows } = await db.query<EntryRow>({
    name: 'unit-timeline',
    text: `with consigned as (
         select c.id, c.reference, c.destination->>'name' as destination, c.created_at, c.dispatched_at, c.received_at,
                c.cancelled_at, c.status, cu.condition
           from consignment_units cu join consignments c on c.id = cu.consignment_id
          where cu.unit_id = $2 and c.org_id = $1
       ), recalling as (
         select r.id, r.scope, r.reason, ${begunAt('r')} as begun_at, r.lifted_at
           from recalls r
          where r.org_id = $1 and ${hasBegun('r')}
            and r.target_id = any(array[$2, $3, $4]::uuid[] || array(select id from consigned))
       ), entries as (
         select 'minted' as type, uuid_time(u.id) as at, 'a-' || u.id as key,
                jsonb_build_object('batchId', u.batch_id, 'serial', u.serial) as data
           from product_units u where u.org_id = $1 and u.id = $2
         union all
         select 'activated', u.activated_at, 'b-' || u.id, '{}'
           from product_units u where u.org_id = $1 and u.id = $2 and u.activated_at is not null
         union all
         select case when status = 'suspended' then 'suspended' else 'reactivated' end, at, 'c-' || id, '{}'
           from unit_transitions where unit_id = $2 and org_id = $1
         union all
         select 'voided', u.voided_at, 'c-' || u.id, '{}'
           from product_units u where u.org_id = $1 and u.id = $2 and u.voided_at is not null
         union all
         select 'consumed', u.consumed_at, 'c-' || u.id, '{}'
           from product_units u where u.org_id = $1 and u.id = $2 and u.consumed_at is not null
         union all
         select 'shipped', dispatched_at, 'd-' || id,
                jsonb_build_object('consignmentId', id, 'reference', reference, 'destination', destination)
           from consigned where dispatched_at is not null
         union all
         select 'received', received_at, 'e-' || id,
                jsonb_build_object('consignmentId', id, 'reference', reference, 'destination', destination,
                                   'condition', condition)
           from consigned where received_at is not null
         union all
         select 'shipment_cancelled', cancelled_at, 'e-' || id,
                jsonb_build_object('consignmentId', id, 'reference', reference, 'destination', destination)
           from consigned where cancelled_at is not null and dispatched_at is not null
         union all
         select 'recalled', begun_at, 'f-' || id, jsonb_build_object('recallId', id, 'scope', scope, 'reason', reason)
           from recalling
         union all
         select 'recall_lifted', lifted_at, 'g-' || id, jsonb_build_object('recallId', id, 'scope', scope)
           from recalling where lifted_at is not null
         union all
         select 'flagged', opened_at, 'h-' || id,
                jsonb_build_object('caseId', id, 'signals', signals, 'firstScanId', first_scan_id, 'openedBy', opened_by, 'reportId', report_id)
           from risk_cases where unit_id = $2 and org_id = $1
         union all
         select 'decided', at, 'i-' || id,
                jsonb_build_object('caseId', case_id, 'decision', decision, 'closingReason', closing_reason)
           from every_case_decision where unit_id = $2 and org_id = $1
         union all
         select 'reported', created_at, 'j-' || id,
                jsonb_build_object('reportId', id, 'channel', channel, 'excerpt', left(description, 140), 'status', status)
           from counterfeit_reports where unit_id = $2 and org_id = $1
         union all
         (select 'hidden_code_entered', at, 'l-' || scan_id,
                 jsonb_build_object('scanId', (select s.id from scans s where s.id = scan_id), 'isCorrect', is_right, 'wrongAttempts', wrong_attempts)
            from hidden_code_entries
           where unit_id = $2 and org_id = $1 and ($6::timestamptz is null or (at <= $6 and (at, 'l-' || scan_id) < ($6, $7)))
             and 'hidden_code_entered' = any($5)
           order by at desc, scan_id desc limit $8)
         union all
         (select 'scanned', at, 'k-' || id,
                 jsonb_build_object('scanId', id, 'result', result, 'country', country, 'lat', lat, 'lon', lon,
                                    'accuracyKm', accuracy_km, 'riskLevel', risk_level, 'riskScore', risk_score, 'isInternal', is_internal, 'nfcTap', nfc_tap,
                                    'signals', (select coalesce(jsonb_agg(s->>'type'), '[]') from jsonb_array_elements(signals) s
                                                 where s->>'type' <> 'diversion' or (s->>'counted')::boolean))
            from scans
           where unit_id = $2 and org_id = $1
             and ($6::timestamptz is null or (at, 'k-' || id) < ($6, $7)) and id < $9
             and 'scanned' = any($5)
           order by id desc limit $8)
       )
       select key, at, type, data from entries
        where type = any($5) and ($6::timestamptz is null or (at, key) < ($6, $7))
        order by at desc, key desc
        limit $8`,
    values: [
      query.orgId,
      query.unitId,
      query.batchId,
      query.productId,
      query.types,
      query.after?.at ?? null,
      query.after?.key ?? '',
      query.limit,
      query.after === null ? LAST_UUID : uuidFloor(new Date(query.after.at.getTime() + ID_LEAD_MS)),
    ],
  });
  return rows;
}
