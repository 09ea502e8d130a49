import type { Db } from '../db.ts';
import type { RiskPolicyOverride } from '../risk/policy.ts';

/** A scan with what an entry of its unit's hidden code needs. */
export interface EnteringScan {
  id: string;
  org_id: string;
  unit_id: string;
  at: Date;
  result: string;
  is_internal: boolean;
  code: Buffer;
  token_key: string;
  hidden_codes: boolean;
}

export async function findEnteringScan(db: Db, scanId: string): Promise<EnteringScan | null> {
  const { rows } = await db.query<EnteringScan>({
    name: 'find-entering-scan',
    text: `select s.id, s.org_id, s.unit_id, s.at, s.result, s.is_internal, u.code, u.token_key, b.hidden_codes
             from scans s
             join product_units u on u.org_id = s.org_id and u.id = s.unit_id
             join batches b on b.id = u.batch_id
            where s.id = $1`,
    values: [scanId],
  });
  return rows[0] ?? null;
}

/**
 * Notes an attempt; the first right one of a scan stays the one that counts. The caller holds the unit's profile: right ones are in the
 * order in which they came, whatever the clocks of two processes say.
 */
export async function noteAttempt(
  db: Db,
  { id, org_id, unit_id }: Pick<EnteringScan, 'id' | 'org_id' | 'unit_id'>,
  isRight: boolean,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into hidden_code_entries as e (scan_id, org_id, unit_id, at, is_right, wrong_attempts)
     select $1, $2, $3, greatest($4, max(r.at) + interval '1 millisecond'), $5, case when $5 then 0 else 1 end
       from hidden_code_entries r where r.unit_id = $3 and r.is_right and $5
         on conflict (scan_id) do update
            set at = case when e.is_right then e.at else excluded.at end, is_right = e.is_right or excluded.is_right,
                wrong_attempts = e.wrong_attempts + excluded.wrong_attempts`,
    [id, org_id, unit_id, now, isRight],
  );
}

/** On the scan itself, where lists of scans find it. */
export async function markScan(db: Db, id: string, isRight: boolean): Promise<void> {
  await db.query(
    'update scans set hidden_code_correct = coalesce(hidden_code_correct, false) or $2 where id = $1',
    [id, isRight],
  );
}

/** A right entry; session and network are null once retention has taken them, or the scan. */
export interface EntryRow {
  scan_id: string;
  at: Date;
  session_id: string | null;
  network_id: string | null;
}

/** The first right entries of a unit, in order. @param since those before, and of that moment, are left out; null for none */
export async function listEntries(
  db: Db,
  unitId: string,
  since: Date | null,
  limit: number,
): Promise<EntryRow[]> {
  const { rows } = await db.query<EntryRow>({
    name: 'list-hidden-code-entries',
    text: `select e.scan_id, e.at, s.session_id, s.network_id
             from (select scan_id, at from hidden_code_entries
                    where unit_id = $1 and is_right and at > coalesce($2::timestamptz, '-infinity') order by at, scan_id limit $3) e
             left join scans s on s.id = e.scan_id
            order by e.at, e.scan_id`,
    values: [unitId, since, limit],
  });
  return rows;
}

/** Who made a scan, as far as it is kept. */
export async function findVisitorOfScan(
  db: Db,
  scanId: string,
): Promise<Pick<EntryRow, 'session_id' | 'network_id'> & { unit_id: string }> {
  const { rows } = await db.query<Pick<EntryRow, 'session_id' | 'network_id'> & { unit_id: string }>(
    'select unit_id, session_id, network_id from scans where id = $1',
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
