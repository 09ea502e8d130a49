import type { ServerMetadata } from 'openid-client';
import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import type { ProviderProblem } from './provider.ts';

export interface ProviderRow {
  org_id: string;
  /** Another one with each issuer and client. */
  id: string;
  issuer: string;
  client_id: string;
  secret_sealed: string;
  /** Whether nobody but owners signs in with a password. */
  is_required: boolean;
  /** Of whom the provider names and nobody invited; null for none: such people are refused. */
  newcomer_role: Exclude<Role, 'owner'> | null;
  /** What the provider says of itself; null until it was read. */
  metadata: ServerMetadata | null;
  /** When somebody was identified by it first, with this client and secret. */
  proven_at: Date | null;
  /** Of the last look. */
  problem: ProviderProblem | null;
  checked_at: Date | null;
  /** Of the next look. */
  due_at: Date;
  /** One more with each change and each look that is asked for. */
  revision: number;
  created_at: Date;
  updated_at: Date;
}

export async function findProvider(db: Db, orgId: string): Promise<ProviderRow | null> {
  const { rows } = await db.query<ProviderRow>('select * from sign_in_providers where org_id = $1', [orgId]);
  return rows[0] ?? null;
}

/** Held, so that no browser's return comes to it any more meanwhile. */
export async function lockProvider(db: Db, orgId: string): Promise<ProviderRow | null> {
  const { rows } = await db.query<ProviderRow>(
    'select * from sign_in_providers where org_id = $1 for update',
    [orgId],
  );
  return rows[0] ?? null;
}

/** Of an organization that is not blocked. */
export async function findUsableProvider(db: Db, orgId: string): Promise<ProviderRow | null> {
  const { rows } = await db.query<ProviderRow>(
    `select p.* from sign_in_providers p join organizations o on o.id = p.org_id and o.blocked_at is null
      where p.org_id = $1 and p.metadata is not null`,
    [orgId],
  );
  return rows[0] ?? null;
}

/** The one of whoever holds a domain, of the longest holder where several do. @param domain in ASCII */
export async function findProviderOfDomain(db: Db, domain: string): Promise<ProviderRow | null> {
  const { rows } = await db.query<ProviderRow>(
    `select p.* from organization_domains d
       join sign_in_providers p on p.org_id = d.org_id and p.metadata is not null
       join organizations o on o.id = d.org_id and o.blocked_at is null
      where d.name = $1 and d.confirmed_at is not null
      order by d.confirmed_at, d.org_id limit 1`,
    [domain],
  );
  return rows[0] ?? null;
}

/** Another client is another provider: what was known of people at the one that was there is not known at this one. */
export async function storeProvider(
  db: Db,
  row: Pick<
    ProviderRow,
    'org_id' | 'id' | 'issuer' | 'client_id' | 'secret_sealed' | 'is_required' | 'newcomer_role' | 'proven_at'
  >,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into sign_in_providers as p (org_id, id, issuer, client_id, secret_sealed, is_required, newcomer_role, proven_at, due_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $9, $8, $8, $8)
         on conflict (org_id) do update
            set id = excluded.id, issuer = excluded.issuer, client_id = excluded.client_id, secret_sealed = excluded.secret_sealed,
                is_required = excluded.is_required, newcomer_role = excluded.newcomer_role, proven_at = excluded.proven_at, due_at = excluded.due_at,
                updated_at = excluded.updated_at, lease_until = null, revision = p.revision + 1,
                metadata = case when p.issuer = excluded.issuer then p.metadata end,
                problem = case when p.issuer = excluded.issuer then p.problem end,
                checked_at = case when p.issuer = excluded.issuer then p.checked_at end`,
    [
      row.org_id,
      row.id,
      row.issuer,
      row.client_id,
      row.secret_sealed,
      row.is_required,
      row.newcomer_role,
      now,
      row.proven_at,
    ],
  );
}

/** Its sign-ins that are under way go with it. @returns whether there was one. */
export async function deleteProvider(db: Db, orgId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from sign_in_providers where org_id = $1', [orgId]);
  return rowCount === 1;
}

export async function deleteSignInsOf(db: Db, providerId: string): Promise<void> {
  await db.query('delete from provider_sign_ins where provider_id = $1', [providerId]);
}

/** Of a person who was identified, and has not fetched it. */
export async function deleteSignInsAs(db: Db, userId: string): Promise<void> {
  await db.query('delete from provider_sign_ins where user_id = $1', [userId]);
}

/** @returns whether there is one. */
export async function requestLook(db: Db, orgId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update sign_in_providers set due_at = $2, lease_until = null, revision = revision + 1 where org_id = $1',
    [orgId, now],
  );
  return rowCount === 1;
}

/** That it works is seen by whoever came by it, with the secret as it was claimed. @returns whether that was the first one */
export async function markProven(db: Db, claimed: ProviderRow, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update sign_in_providers set proven_at = $3 where id = $1 and secret_sealed = $2 and proven_at is null',
    [claimed.id, claimed.secret_sealed, now],
  );
  return rowCount === 1;
}

export async function claimProviders(
  db: Db,
  limit: number,
  now: Date,
  leaseUntil: Date,
): Promise<ProviderRow[]> {
  const { rows } = await db.query<ProviderRow>(
    `with due as (
       select org_id from sign_in_providers where due_at <= $2 and (lease_until is null or lease_until <= $2)
        order by due_at limit $1 for update skip locked
     )
     update sign_in_providers p set lease_until = $3 from due where p.org_id = due.org_id
     returning p.*`,
    [limit, now, leaseUntil],
  );
  return rows;
}

/** Where it has not been changed, nor a look been asked for, since it was claimed. Metadata of before stay where there are none. */
export async function storeLook(
  db: Db,
  claimed: ProviderRow,
  found: { metadata: ServerMetadata | null; problem: ProviderProblem | null; dueAt: Date },
  now: Date,
): Promise<void> {
  await db.query(
    `update sign_in_providers
        set metadata = coalesce($4, metadata), problem = $5, checked_at = $6, due_at = $7, lease_until = null
      where org_id = $1 and id = $2 and revision = $3`,
    [
      claimed.org_id,
      claimed.id,
      claimed.revision,
      found.metadata === null ? null : JSON.stringify(found.metadata),
      found.problem,
      now,
      found.dueAt,
    ],
  );
}

/** Why a provider's word let nobody in. */
export const REFUSALS = [
  'CANCELLED',
  'PROVIDER_FAILED',
  'PROVIDER_UNREACHABLE',
  'NO_EMAIL',
  'EMAIL_NOT_VERIFIED',
  'NOT_A_MEMBER',
  'OTHER_IDENTITY',
  'DISABLED',
  'BLOCKED',
  'EXPIRED',
] as const;

export type Refusal = (typeof REFUSALS)[number];

/** Of a browser that came back from the provider. */
export interface ProviderSignInRow {
  digest: Buffer;
  provider_id: string;
  status: 'waiting' | 'identified' | 'refused';
  /** What the worker needs to ask the provider; null once it has. */
  sealed: string | null;
  user_id: string | null;
  reason: Refusal | null;
  expires_at: Date;
}

/** A browser that comes back twice with the same answer has asked once; to a provider that was changed or removed meanwhile, never. */
export async function insertSignIn(db: Db, row: ProviderSignInRow & { now: Date }): Promise<void> {
  await db.query(
    `insert into provider_sign_ins (digest, provider_id, status, sealed, reason, created_at, expires_at)
     select $1, id, $3, $4, $5, $6, $7 from sign_in_providers where id = $2 for key share
         on conflict (digest) do nothing`,
    [row.digest, row.provider_id, row.status, row.sealed, row.reason, row.now, row.expires_at],
  );
}

export async function lockSignIn(db: Db, digest: Buffer): Promise<ProviderSignInRow | null> {
  const { rows } = await db.query<ProviderSignInRow>(
    'select * from provider_sign_ins where digest = $1 for update',
    [digest],
  );
  return rows[0] ?? null;
}

export async function deleteSignIn(db: Db, digest: Buffer): Promise<void> {
  await db.query('delete from provider_sign_ins where digest = $1', [digest]);
}

export interface WaitingSignIn {
  digest: Buffer;
  sealed: string;
  provider: ProviderRow;
}

/** One claims at a time: each would else take as many of one provider as all may. */
export async function lockClaims(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('provider-sign-ins', 0))`);
}

/**
 * In the order in which they came, of each provider so many at a time: one that does not answer has its own people wait.
 * @param atProvider those that are claimed already count; the caller holds {@link lockClaims}
 */
export async function claimSignIns(
  db: Db,
  { limit, atProvider }: { limit: number; atProvider: number },
  now: Date,
  leaseUntil: Date,
): Promise<WaitingSignIn[]> {
  const { rows } = await db.query<ProviderRow & { digest: Buffer; sealed: string }>(
    `with due as (
       select waiting.digest
         from (select distinct provider_id from provider_sign_ins
                where status = 'waiting' and expires_at > $2 and (lease_until is null or lease_until <= $2)) p
        cross join lateral (
          select digest, created_at from provider_sign_ins
           where provider_id = p.provider_id and status = 'waiting' and expires_at > $2
             and (lease_until is null or lease_until <= $2)
           order by created_at
           limit greatest(0, $4::int - (select count(*) from provider_sign_ins
                                         where provider_id = p.provider_id and status = 'waiting' and lease_until > $2))
             for update skip locked) waiting
        order by waiting.created_at limit $1
     ), claimed as (
       update provider_sign_ins s set lease_until = $3 from due where s.digest = due.digest
       returning s.digest, s.sealed, s.provider_id
     )
     select c.digest, c.sealed, p.* from claimed c join sign_in_providers p on p.id = c.provider_id`,
    [limit, now, leaseUntil, atProvider],
  );
  return rows.map(({ digest, sealed, ...provider }) => ({ digest, sealed, provider }));
}

export async function settleSignIn(
  db: Db,
  digest: Buffer,
  outcome: { userId: string } | { reason: Refusal },
): Promise<void> {
  const [userId, reason] = 'userId' in outcome ? [outcome.userId, null] : [null, outcome.reason];
  await db.query(
    `update provider_sign_ins set status = case when $2::uuid is null then 'refused' else 'identified' end,
            user_id = $2, reason = $3, sealed = null, lease_until = null
      where digest = $1 and status = 'waiting'`,
    [digest, userId, reason],
  );
}

export async function deleteExpiredSignIns(db: Db, now: Date): Promise<void> {
  await db.query('delete from provider_sign_ins where expires_at <= $1', [now]);
}

/** Sign-ins and providers that wait for a worker. */
export async function countDue(db: Db, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select (select count(*) from provider_sign_ins
              where status = 'waiting' and expires_at > $1 and (lease_until is null or lease_until <= $1))
          + (select count(*) from sign_in_providers where due_at <= $1 and (lease_until is null or lease_until <= $1)) as count`,
    [now],
  );
  return rows[0]!.count;
}

export interface Member {
  id: string;
  email: string;
  provider_subject: string | null;
  disabled_at: Date | null;
}

/** Whom the provider knows by a subject, or else who has the address: locked. */
export async function lockMember(
  db: Db,
  orgId: string,
  subject: string,
  email: string | null,
): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `select id, email, provider_subject, disabled_at from users
      where org_id = $1 and (provider_subject = $2 or email = $3)
      order by provider_subject is not distinct from $2 desc limit 1 for update`,
    [orgId, subject, email],
  );
  return rows[0] ?? null;
}

export async function storeSubject(db: Db, userId: string, subject: string): Promise<void> {
  await db.query('update users set provider_subject = $2 where id = $1', [userId, subject]);
}

/** @returns whether the person was known by one. */
export async function forgetSubject(db: Db, orgId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update users set provider_subject = null where org_id = $1 and id = $2 and provider_subject is not null',
    [orgId, userId],
  );
  return rowCount === 1;
}

export async function forgetSubjects(db: Db, orgId: string): Promise<void> {
  await db.query(
    'update users set provider_subject = null where org_id = $1 and provider_subject is not null',
    [orgId],
  );
}
