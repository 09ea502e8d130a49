import type { Db } from '../db.ts';
import type { Visitor } from '../scans/told-apart.ts';

/** A scan with what an entry of its unit's hidden code needs. */
export interface EnteringScan extends Visitor {
  id: string;
  org_id: string;
  unit_id: string;
  at: Date;
  is_internal: boolean;
  /** Whether the unit is on sale, or was. */
  is_on_sale: boolean;
  code: Buffer;
  token_key: string;
  hidden_codes: boolean;
}

export async function findEnteringScan(db: Db, scanId: string): Promise<EnteringScan | null> {
  const { rows } = await db.query<EnteringScan>({
    name: 'find-entering-scan',
    text: `select s.id, s.org_id, s.unit_id, s.at, s.session_id, s.network_id, s.is_internal, u.status in ('active', 'suspended') as is_on_sale,
                  u.code, u.token_key, b.hidden_codes
             from scans s
             join product_units u on u.org_id = s.org_id and u.id = s.unit_id
             join batches b on b.id = u.batch_id
            where s.id = $1`,
    values: [scanId],
  });
  return rows[0] ?? null;
}

/**
 * Notes an attempt; the first right one of a scan stays the one that counts. With a right one, the caller holds the unit's profile: they
 * are in the order in which they came, whatever the clocks of two processes say.
 * @param visitor who entered the right code, as `told-apart.ts` has them; null for a wrong one
 */
export async function noteAttempt(
  db: Db,
  { id, org_id, unit_id }: Pick<EnteringScan, 'id' | 'org_id' | 'unit_id'>,
  visitor: number | null,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into hidden_code_entries as e (scan_id, org_id, unit_id, at, is_right, visitor, wrong_attempts)
     select $1, $2, $3, greatest($4, max(r.at) + interval '1 millisecond'), $5::integer is not null, $5,
            case when $5 is null then 1 else 0 end
       from hidden_code_entries r where r.unit_id = $3 and r.is_right and $5 is not null
         on conflict (scan_id) do update
            set at = case when e.is_right then e.at else excluded.at end, is_right = e.is_right or excluded.is_right,
                visitor = coalesce(e.visitor, excluded.visitor), wrong_attempts = e.wrong_attempts + excluded.wrong_attempts`,
    [id, org_id, unit_id, now, visitor],
  );
}

/** On the scan itself, where lists of scans find it. */
export async function markScan(db: Db, id: string, isRight: boolean): Promise<void> {
  await db.query(
    `update scans set hidden_code_correct = $2
      where id = $1 and (hidden_code_correct is null or (not hidden_code_correct and $2))`,
    [id, isRight],
  );
}

/** When a unit's code was entered first, null where it never was, and by how many different visitors it was. */
export interface EnteredRow {
  first_at: Date | null;
  visitors: number;
}

export async function findEntered(db: Db, unitId: string): Promise<EnteredRow> {
  const { rows } = await db.query<EnteredRow>(
    `select (select min(at) from hidden_code_entries where unit_id = $1 and is_right) as first_at,
            coalesce((select max(visitor) from hidden_code_entries where unit_id = $1 and is_right), 0) as visitors`,
    [unitId],
  );
  return rows[0]!;
}

/** Different visitors who have entered a unit's code after a moment. */
export async function countVisitorsSince(db: Db, unitId: string, since: Date): Promise<number> {
  const { rows } = await db.query<{ visitors: number }>(
    `select count(distinct visitor)::integer as visitors from hidden_code_entries
      where unit_id = $1 and is_right and at > $2`,
    [unitId, since],
  );
  return rows[0]!.visitors;
}

export interface LookedAtScan extends Visitor {
  id: string;
  unit_id: string;
  /** Whether the code that was entered with it is right; null where none was. */
  hidden_code_correct: boolean | null;
}

export async function findVisitorOfScan(db: Db, scanId: string): Promise<LookedAtScan> {
  const { rows } = await db.query<LookedAtScan>(
    'select id, unit_id, session_id, network_id, hidden_code_correct from scans where id = $1',
    [scanId],
  );
  return rows[0]!;
}
