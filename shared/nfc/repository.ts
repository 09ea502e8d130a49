import type { Db } from '../db.ts';
import type { Visitor } from '../scans/told-apart.ts';
import type { NfcTapOutcome } from './outcome.ts';

/** A scan with what a tap of its unit's NFC tag needs. */
export interface TappingScan extends Visitor {
  id: string;
  org_id: string;
  unit_id: string;
  at: Date;
  user_agent: string | null;
  is_internal: boolean;
  /** Whether the unit is on sale, or was. */
  is_on_sale: boolean;
  code: Buffer;
  token_key: string;
}

export async function findTappingScan(db: Db, scanId: string): Promise<TappingScan | null> {
  const { rows } = await db.query<TappingScan>({
    name: 'find-tapping-scan',
    text: `select s.id, s.org_id, s.unit_id, s.at, s.session_id, s.network_id, s.user_agent, s.is_internal,
                  u.status in ('active', 'suspended') as is_on_sale, u.code, u.token_key
             from scans s
             join product_units u on u.org_id = s.org_id and u.id = s.unit_id
            where s.id = $1`,
    values: [scanId],
  });
  return rows[0] ?? null;
}

/** A tap as it was judged. */
export interface TapRow {
  counter: number;
  /** Since when somebody else had come with it or a later one; null where it was new. */
  stale_since: Date | null;
}

/**
 * How the same tap was judged when the same session came with it, within the visit or before. Found by the session alone, which is another
 * one at each unit: a copied tap comes with as many scans as there are copies.
 */
export async function findOwnTap(
  db: Db,
  { session_id: session }: Pick<TappingScan, 'session_id'>,
  counter: number,
): Promise<TapRow | null> {
  const { rows } = await db.query<TapRow>({
    name: 'find-own-nfc-tap',
    text: `with visits as materialized (select id from scans where session_id = $1)
           select t.counter, t.stale_since
             from visits v join nfc_taps t on t.scan_id = v.id and t.counter = $2
            limit 1`,
    values: [session, counter],
  });
  return rows[0] ?? null;
}

/** Who came with a tap first, as far as it is kept. */
export interface FirstTapRow {
  at: Date;
  stale_since: Date | null;
  network_id: string | null;
  user_agent: string | null;
}

export async function findFirstTap(db: Db, unitId: string, counter: number): Promise<FirstTapRow | null> {
  const { rows } = await db.query<FirstTapRow>({
    name: 'find-first-nfc-tap',
    text: `select t.at, t.stale_since, s.network_id, s.user_agent
             from (select scan_id, at, stale_since from nfc_taps where unit_id = $1 and counter = $2
                    order by at, stale_since nulls first limit 1) t
             left join scans s on s.id = t.scan_id`,
    values: [unitId, counter],
  });
  return rows[0] ?? null;
}

/** More than these hardly came in another order than the tag counted. */
const NEXT_TAPS = 100;

/** What counts as another visitor's later tap. */
export interface Overtaking {
  /** Up to when it came. */
  until: Date;
  /** From when on it is the visitor's own where network and browser are. */
  ownFrom: Date;
}

/**
 * When somebody else came with a later tap first; null where nobody did. The visitor's own are told as with {@link findOwnTap}, and by
 * network and browser after a moment: a network alone has many people. A replay is never the first, and is left out: of a copied tap
 * there is no end. In the order of the counters, as in that of time the newest tap is behind all others.
 */
export async function findOvertakenSince(
  db: Db,
  scan: Pick<TappingScan, 'unit_id' | 'session_id' | 'network_id' | 'user_agent'>,
  counter: number,
  { until, ownFrom }: Overtaking,
): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>({
    name: 'find-nfc-tap-overtaken-since',
    text: `select min(t.at) as at
             from (select scan_id, at from nfc_taps
                    where unit_id = $1 and counter > $2 and stale_since is null
                    order by counter, at limit $3) t
             left join scans s on s.id = t.scan_id
            where t.at <= $4 and s.session_id is distinct from $5::text
              and (t.at <= $6 or s.network_id is distinct from $7::text or s.user_agent is distinct from $8)`,
    values: [
      scan.unit_id,
      counter,
      NEXT_TAPS,
      until,
      // Whoever has no session, or no network, is the same as nobody else who has none.
      scan.session_id ?? '',
      ownFrom,
      scan.network_id ?? '',
      scan.user_agent,
    ],
  });
  return rows[0]!.at;
}

/** The highest number that a visitor of a unit's tag was given; 0 where there was none. */
export async function findLastVisitor(db: Db, unitId: string): Promise<number> {
  const { rows } = await db.query<{ visitors: number }>(
    'select coalesce(max(visitor), 0) as visitors from nfc_taps where unit_id = $1',
    [unitId],
  );
  return rows[0]!.visitors;
}

export async function insertTap(
  db: Db,
  { id, org_id, unit_id }: Pick<TappingScan, 'id' | 'org_id' | 'unit_id'>,
  { counter, stale_since }: TapRow,
  { visitor, isLinked }: { visitor: number; isLinked: boolean },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into nfc_taps (scan_id, counter, org_id, unit_id, at, visitor, stale_since, is_linked)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (scan_id, counter) do nothing`,
    [id, counter, org_id, unit_id, now, visitor, stale_since, isLinked],
  );
}

/** On the scan itself, where lists of scans find it: of several taps the best one. */
export async function markScan(db: Db, id: string, outcome: NfcTapOutcome): Promise<void> {
  await db.query(
    `update scans set nfc_tap = $2
      where id = $1 and (nfc_tap is null or (nfc_tap = 'invalid' and $2 <> 'invalid') or (nfc_tap = 'replayed' and $2 = 'fresh'))`,
    [id, outcome],
  );
}

/** Different visitors who came with used taps of a unit's tag, and not by a link, after a moment or ever. */
export async function countReplayers(db: Db, unitId: string, since: Date | null): Promise<number> {
  const { rows } = await db.query<{ visitors: number }>(
    `select count(distinct visitor)::integer as visitors from nfc_taps
      where unit_id = $1 and stale_since is not null and not is_linked and ($2::timestamptz is null or at > $2)`,
    [unitId, since],
  );
  return rows[0]!.visitors;
}

/** The newest tap that came with a scan. */
export async function findTapOfScan(db: Db, scanId: string): Promise<TapRow | null> {
  const { rows } = await db.query<TapRow>({
    name: 'find-nfc-tap-of-scan',
    text: 'select counter, stale_since from nfc_taps where scan_id = $1 order by at desc, counter desc limit 1',
    values: [scanId],
  });
  return rows[0] ?? null;
}

/**
 * Of the taps that came with scans in this range of ids, those go behind which the unit has a new one, or which came with the same tap as one.
 * @returns of how many scans, `limit` at the most, and the last one's id
 */
export async function deleteOldTaps(
  db: Db,
  fromId: string,
  toId: string,
  limit: number,
): Promise<{ rows: number; last: string | null }> {
  const { rows } = await db.query<{ rows: number; last: string | null }>(
    `with aged as materialized (
       select distinct scan_id from nfc_taps where scan_id > $1 and scan_id < $2 order by scan_id limit $3
     ), gone as (
       delete from nfc_taps t using aged a
        where t.scan_id = a.scan_id
          and exists (select 1 from nfc_taps n
                       where n.unit_id = t.unit_id and n.stale_since is null
                         and (n.counter > t.counter
                              or (n.counter = t.counter and (n.at, n.scan_id) < (t.at, t.scan_id))))
     )
     select count(*)::integer as rows, (select scan_id from aged order by scan_id desc limit 1) as last from aged`,
    [fromId, toId, limit],
  );
  return rows[0]!;
}
