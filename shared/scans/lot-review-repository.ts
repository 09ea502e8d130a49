import type { Db } from '../db.ts';
import type { CountedRow } from './position-repository.ts';

/** A batch, and a country in which it turned out to be sold. */
export interface LotTurn {
  batchId: string;
  country: string;
}

/** Asks for reviews; each is made once. Rows in one order, so that no two scorers deadlock. */
export async function requestLotReviews(db: Db, turns: readonly LotTurn[], now: Date): Promise<void> {
  if (turns.length === 0) return;
  await db.query({
    name: 'request-lot-reviews',
    text: `insert into lot_reviews (batch_id, country, requested_at)
           select batch_id, country, $3 from unnest($1::uuid[], $2::text[]) as t (batch_id, country)
            order by batch_id, country
               on conflict do nothing`,
    values: [turns.map(({ batchId }) => batchId), turns.map(({ country }) => country), now],
  });
}

export interface LotReviewRow {
  batch_id: string;
  country: string;
  next_ordinal: number;
}

/** The oldest review under way that no other worker is at; the lock lasts as long as the transaction. */
export async function lockLotReview(db: Db, now: Date): Promise<LotReviewRow | null> {
  const { rows } = await db.query<LotReviewRow>(
    `select batch_id, country, next_ordinal from lot_reviews
      where done_at is null and (held_until is null or held_until <= $1)
      order by requested_at limit 1 for update skip locked`,
    [now],
  );
  return rows[0] ?? null;
}

/** @param nextOrdinal the unit to go on with, or null where none is left */
export async function storeReviewed(
  db: Db,
  { batch_id: batchId, country }: LotReviewRow,
  nextOrdinal: number | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update lot_reviews set next_ordinal = coalesce($3, next_ordinal), done_at = case when $3::integer is null then $4::timestamptz end
      where batch_id = $1 and country = $2`,
    [batchId, country, nextOrdinal, now],
  );
}

/** Sets a review aside. */
export async function holdLotReview(
  db: Db,
  { batch_id: batchId, country }: LotReviewRow,
  until: Date,
): Promise<void> {
  await db.query('update lot_reviews set held_until = $3 where batch_id = $1 and country = $2', [
    batchId,
    country,
    until,
  ]);
}

/** Whether a review waits to be begun or gone on with. */
export async function hasOpenLotReviews(db: Db, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ open: boolean }>(
    `select exists (
       select 1 from lot_reviews where done_at is null and (held_until is null or held_until <= $1)
     ) as open`,
    [now],
  );
  return rows[0]!.open;
}

/**
 * Some units of the batch, in order, and which of them were first seen in the country, or may be: a scorer may be at those that
 * wait, with the lot as it was before it turned.
 * @returns `last`: ordinal of the last one that was looked at; null where there is none
 */
export async function listFirstSeenIn(
  db: Db,
  { batch_id: batchId, country, next_ordinal: from }: LotReviewRow,
  limit: number,
): Promise<{ last: number | null; unitIds: string[] }> {
  const { rows } = await db.query<{ last: number | null; unit_ids: string[] }>(
    `with looked_at as (
       select id, ordinal from product_units where batch_id = $1 and ordinal >= $2 order by ordinal limit $4
     )
     select max(l.ordinal) as last,
            coalesce(array_agg(l.id::text order by l.id) filter (where p.profile->>'seenIn' = $3 or p.unscored_since is not null), '{}') as unit_ids
       from looked_at l left join unit_risk_profiles p on p.unit_id = l.id`,
    [batchId, from, country, limit],
  );
  return { last: rows[0]!.last, unitIds: rows[0]!.unit_ids };
}

/**
 * In the order of ids, as everything that locks several.
 * @returns the units among them that are under no suspicion: a copy tells nothing about the way of the genuine one
 */
export async function lockClearProfiles(db: Db, unitIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ unit_id: string }>(
    `select unit_id from unit_risk_profiles where unit_id = any($1) and state = 'clear' order by unit_id for update`,
    [unitIds],
  );
  return rows.map((row) => row.unit_id);
}

/** Scans in the country that were let pass because the batch spoke against it, among the newest of each unit; in order. */
export async function listLetPass(
  db: Db,
  { country }: LotReviewRow,
  unitIds: readonly string[],
  newestPerUnit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select s.id
       from unnest($1::uuid[]) as u (unit_id)
       cross join lateral (
         select id, assessment, signals from scans where unit_id = u.unit_id and not is_internal order by id desc limit $2
       ) s
      where s.assessment = 'final' and s.signals @> $3::jsonb
      order by s.id`,
    [unitIds, newestPerUnit, JSON.stringify([{ type: 'diversion', reason: 'lot-inside', country }])],
  );
  return rows.map((row) => row.id);
}

/**
 * Marks scans, and the units with them, for scoring. The caller holds the units' profiles.
 * @param scanIds as values, not as a query within: the planner would take the weeks between the first and the last for a few rows,
 *   and read all of them
 * @returns the scans as the figures have them
 */
export async function reopenScans(db: Db, scanIds: readonly string[], now: Date): Promise<CountedRow[]> {
  const { rows } = await db.query<CountedRow>(
    `with reopened as (
       update scans set assessment = 'preliminary'
        where id = any($1::uuid[])
       returning id, unit_id, org_id, product_id, at, result, country, lat, lon, accuracy_km, place_source, 'final' as assessment
     ),
     marked as (
       update unit_risk_profiles p
          set unscored_since = coalesce(p.unscored_since, $2),
              unscored_from = least(p.unscored_from, r.id)
         from (select unit_id, min(id::text)::uuid as id from reopened group by unit_id) r
        where p.unit_id = r.unit_id
     )
     select org_id, product_id, at, result, country, lat, lon, accuracy_km, place_source, assessment from reopened`,
    [scanIds, now],
  );
  return rows;
}
