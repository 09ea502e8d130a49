import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';
import { escapeLike } from '../search/pattern.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  disabled_at: Date | null;
  totp_confirmed_at: Date | null;
  last_signed_in_at: Date | null;
  created_at: Date;
}

export async function findUser(db: Db, orgId: string, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    `select u.id, u.email, u.name, u.role, u.disabled_at, u.totp_confirmed_at, u.created_at,
            greatest(u.last_signed_in_at, (select max(created_at) from sessions where user_id = u.id)) as last_signed_in_at
       from users u where u.org_id = $1 and u.id = $2 and u.removed_at is null`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function listUsers(db: Db, orgId: string, page: PageRequest): Promise<Page<UserRow>> {
  const { rows } = await db.query<UserRow>(
    `select u.id, u.email, u.name, u.role, u.disabled_at, u.totp_confirmed_at, u.created_at,
            greatest(u.last_signed_in_at, (select max(created_at) from sessions where user_id = u.id)) as last_signed_in_at
       from users u
      where u.org_id = $1 and u.removed_at is null and ($2::uuid is null or u.id < $2)
      order by u.id desc
      limit $3`,
    [orgId, page.beforeId, page.limit + 1],
  );
  return pageOf(rows, page);
}

export interface PersonRow {
  id: string;
  name: string;
  is_active: boolean;
}

export interface PersonFilter {
  id?: string | undefined;
  /** Part of the name. */
  q?: string | undefined;
}

/** Everybody by name; who gave none goes by their address. */
export async function listPeople(
  db: Db,
  orgId: string,
  filter: PersonFilter,
  page: PageRequest,
): Promise<Page<PersonRow>> {
  const { rows } = await db.query<PersonRow>(
    `select id, coalesce(name, email) as name, disabled_at is null as is_active
       from users
      where org_id = $1 and removed_at is null and ($2::uuid is null or id < $2)
        and ($4::uuid is null or id = $4)
        and ($5::text is null or coalesce(name, email) ilike '%' || $5 || '%')
      order by id desc
      limit $3`,
    [
      orgId,
      page.beforeId,
      page.limit + 1,
      filter.id ?? null,
      filter.q === undefined ? null : escapeLike(filter.q),
    ],
  );
  return pageOf(rows, page);
}

export async function countActiveOwners(db: Db, orgId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from users where org_id = $1 and role = 'owner' and disabled_at is null`,
    [orgId],
  );
  return rows[0]!.count;
}

export async function isMember(db: Db, orgId: string, email: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from users where org_id = $1 and email = $2', [orgId, email]);
  return rowCount === 1;
}

export async function updateUser(
  db: Db,
  id: string,
  fields: { role: Role; disabledAt: Date | null },
): Promise<void> {
  await db.query('update users set role = $2, disabled_at = $3 where id = $1', [
    id,
    fields.role,
    fields.disabledAt,
  ]);
}

/** Frees the address and forgets what is personal; the row stays, as other rows name it. */
export async function markUserRemoved(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `with invited as (delete from invitations i using users u where u.id = $1 and i.org_id = u.org_id and i.email = u.email)
     update users
        set removed_at = $2, disabled_at = coalesce(disabled_at, $2), email = 'removed-' || id || '@removed.invalid',
            name = null, provider_subject = null, language = default, alert_mails = default, summary_mails = default, last_signed_in_at = null, password_digest = '', totp_sealed = null, totp_confirmed_at = null, totp_last_step = null
      where id = $1`,
    [id, now],
  );
  await db.query('delete from recovery_codes where user_id = $1', [id]);
}

/** Those who administer the organization, as a mail to them needs it. */
export async function listAdministrators(
  db: Db,
  orgId: string,
): Promise<{ email: string; language: Language }[]> {
  const { rows } = await db.query<{ email: string; language: Language }>(
    `select email, language from users
      where org_id = $1 and role in ('owner', 'administrator') and disabled_at is null
      order by email`,
    [orgId],
  );
  return rows;
}
