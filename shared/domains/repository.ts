import type { Db } from '../db.ts';
import type { DomainProblem } from './schedule.ts';

export interface DomainRow {
  org_id: string;
  /** In ASCII and small letters. */
  name: string;
  /** What the TXT record says. */
  record: string;
  /** Since when the domain counts; null where it does not. */
  confirmed_at: Date | null;
  confirmed_by: 'dns' | 'operator' | null;
  /** When the record was last there. */
  seen_at: Date | null;
  /** Since when the record of a confirmed domain is known not to be there. */
  missing_since: Date | null;
  checked_at: Date | null;
  /** Of the last look. */
  problem: DomainProblem | null;
  /** When the domain was named, or a look was last asked for. */
  requested_at: Date;
  /** Of the next look; null for none. */
  due_at: Date | null;
  lease_until: Date | null;
  lease_epoch: number;
  created_at: Date;
}

export async function findDomain(db: Db, orgId: string): Promise<DomainRow | null> {
  const { rows } = await db.query<DomainRow>('select * from organization_domains where org_id = $1', [orgId]);
  return rows[0] ?? null;
}

/** Takes the place of the one that is there. Whoever looks for that one's record finds the row to be another's by its epoch. */
export async function replaceDomain(
  db: Db,
  domain: Pick<DomainRow, 'org_id' | 'name' | 'record' | 'confirmed_at' | 'confirmed_by'> & {
    due_at: Date | null;
    now: Date;
  },
): Promise<DomainRow> {
  const { rows } = await db.query<DomainRow>(
    `insert into organization_domains as d (org_id, name, record, confirmed_at, confirmed_by, due_at, requested_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
         on conflict (org_id) do update
            set name = excluded.name, record = excluded.record, confirmed_at = excluded.confirmed_at,
                confirmed_by = excluded.confirmed_by, seen_at = null, missing_since = null, checked_at = null, problem = null,
                due_at = excluded.due_at, requested_at = excluded.requested_at, created_at = excluded.created_at,
                lease_until = null, lease_epoch = d.lease_epoch + 1
     returning *`,
    [
      domain.org_id,
      domain.name,
      domain.record,
      domain.confirmed_at,
      domain.confirmed_by,
      domain.due_at,
      domain.now,
    ],
  );
  return rows[0]!;
}

/** @returns whether there was one. */
export async function deleteDomain(db: Db, orgId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from organization_domains where org_id = $1', [orgId]);
  return rowCount === 1;
}

/** Makes it due now. A look that is under way is the one that was asked for. @returns null where there is none. */
export async function requestLook(db: Db, orgId: string, now: Date): Promise<DomainRow | null> {
  const { rows } = await db.query<DomainRow>(
    'update organization_domains set due_at = $2, requested_at = $2 where org_id = $1 returning *',
    [orgId, now],
  );
  return rows[0] ?? null;
}

/** Those that are due longest. */
export async function claimDomains(db: Db, limit: number, now: Date, leaseUntil: Date): Promise<DomainRow[]> {
  const { rows } = await db.query<DomainRow>(
    `with due as (
       select org_id from organization_domains
        where due_at <= $2 and (lease_until is null or lease_until <= $2)
        order by due_at limit $1 for update skip locked
     )
     update organization_domains d set lease_until = $3, lease_epoch = d.lease_epoch + 1
       from due where d.org_id = due.org_id
     returning d.*`,
    [limit, now, leaseUntil],
  );
  return rows;
}

/**
 * The record tells domains apart as well: a row that was deleted and made anew counts its leases from the beginning, and what was
 * found of one domain must never be settled on another.
 * @returns the row as it is by now, locked; null where it is another worker's, or another domain's.
 */
export async function lockClaimed(
  db: Db,
  { org_id: orgId, lease_epoch: epoch, record }: DomainRow,
): Promise<DomainRow | null> {
  const { rows } = await db.query<DomainRow>(
    'select * from organization_domains where org_id = $1 and lease_epoch = $2 and record = $3 for update',
    [orgId, epoch, record],
  );
  return rows[0] ?? null;
}

export async function storeLook(
  db: Db,
  row: Pick<
    DomainRow,
    | 'org_id'
    | 'confirmed_at'
    | 'confirmed_by'
    | 'seen_at'
    | 'missing_since'
    | 'problem'
    | 'requested_at'
    | 'due_at'
  >,
  now: Date,
): Promise<void> {
  await db.query(
    `update organization_domains
        set confirmed_at = $3, confirmed_by = $4, seen_at = $5, missing_since = $6, problem = $7, requested_at = $8, due_at = $9,
            checked_at = $2, lease_until = null
      where org_id = $1`,
    [
      row.org_id,
      now,
      row.confirmed_at,
      row.confirmed_by,
      row.seen_at,
      row.missing_since,
      row.problem,
      row.requested_at,
      row.due_at,
    ],
  );
}

export async function countDueDomains(db: Db, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from organization_domains
      where due_at <= $1 and (lease_until is null or lease_until <= $1)`,
    [now],
  );
  return rows[0]!.count;
}
