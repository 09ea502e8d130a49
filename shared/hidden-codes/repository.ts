import type { Db } from '../db.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';

/** Who made a scan, as far as it is kept. */
export interface Visitor {
  session_id: string | null;
  network_id: string | null;
}

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
 * @param visitor of the right code, see {@link EntryRow}; null for a wrong one
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

/** A right entry whose scan is kept. `visitor`: which of the unit's, from 1; it stays when retention has taken what tells them apart. */
export interface EntryRow extends Visitor {
  scan_id: string;
  visitor: number;
}

/** A unit's right entries, in order: so many of the first ones, and of the newest, and a scan's own. */
export async function listEntries(
  db: Db,
  { id, unit_id: unitId }: { id: string; unit_id: string },
  limit: number,
): Promise<EntryRow[]> {
  const { rows } = await db.query<EntryRow>({
    name: 'list-hidden-code-entries',
    text: `select e.scan_id, e.visitor, s.session_id, s.network_id
             from ((select scan_id, at, visitor from hidden_code_entries where unit_id = $1 and is_right order by at, scan_id limit $2)
                   union
                   (select scan_id, at, visitor from hidden_code_entries where unit_id = $1 and is_right
                     order by at desc, scan_id desc limit $2)
                   union
                   select scan_id, at, visitor from hidden_code_entries where scan_id = $3 and is_right) e
             join scans s on s.id = e.scan_id
            order by e.at, e.scan_id`,
    values: [unitId, limit, id],
  });
  return rows;
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

export async function findVisitorOfScan(
  db: Db,
  scanId: string,
): Promise<Pick<EnteringScan, 'id' | 'unit_id' | keyof Visitor>> {
  const { rows } = await db.query<EnteringScan>(
    'select id, unit_id, session_id, network_id from scans where id = $1',
    [scanId],
  );
  return rows[0]!;
}

/** What decides whether a unit's hidden code is on more packages than one. */
export interface ReuseRow {
  /** When a person found no copy, where that is the decision in force. */
  dismissed_at: Date | null;
  /** Since when it is known. */
  reused_at: Date | null;
  org_policy: RiskPolicyOverride | null;
  product_policy: RiskPolicyOverride | null;
}

export async function findReuse(db: Db, unitId: string): Promise<ReuseRow> {
  const { rows } = await db.query<ReuseRow>(
    `select case when r.decision = 'dismissed' then r.decided_at end as dismissed_at, r.hidden_code_reused_at as reused_at,
            op.policy as org_policy, pp.policy as product_policy
       from unit_risk_profiles r
       join product_units u on u.org_id = r.org_id and u.id = r.unit_id
       left join risk_policies op on op.org_id = u.org_id and op.product_id is null
       left join risk_policies pp on pp.org_id = u.org_id and pp.product_id = u.product_id
      where r.unit_id = $1`,
    [unitId],
  );
  return rows[0]!;
}

export async function storeReuse(db: Db, unitId: string, at: Date): Promise<void> {
  await db.query('update unit_risk_profiles set hidden_code_reused_at = $2 where unit_id = $1', [unitId, at]);
}
