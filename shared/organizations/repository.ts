import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import { escapeLike } from '../search/pattern.ts';
import type { Language } from '../languages.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  logo_url: string | null;
  brand_color: string | null;
  support: string | null;
  consumer_message: string | null;
  /** By language (ISO 639-1); null where there is none. */
  consumer_messages: Readonly<Record<string, string>> | null;
  time_zone: string;
  scan_retention_days: number;
  event_retention_days: number;
  security_contact: string | null;
  created_at: Date;
  updated_at: Date;
}

export type OrganizationFields = Omit<OrganizationRow, 'id' | 'created_at' | 'updated_at'>;

export async function insertOrganization(
  db: Db,
  org: { id: string; name: string; timeZone: string; now: Date },
): Promise<void> {
  await db.query(
    'insert into organizations (id, name, time_zone, created_at, updated_at) values ($1, $2, $3, $4, $4)',
    [org.id, org.name, org.timeZone, org.now],
  );
}

export interface NewUser {
  id: string;
  orgId: string;
  email: string;
  name: string | null;
  language: Language;
  passwordDigest: string;
  role: Role;
  now: Date;
}

export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db.query(
    `insert into users (id, org_id, email, name, language, password_digest, role, created_at, alerts_told_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [user.id, user.orgId, user.email, user.name, user.language, user.passwordDigest, user.role, user.now],
  );
}

export async function organizationExists(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from organizations where id = $1', [id]);
  return rowCount === 1;
}

export async function findOrganizationIdByEmail(db: Db, email: string): Promise<string | null> {
  const { rows } = await db.query<{ org_id: string }>('select org_id from users where email = $1', [email]);
  return rows[0]?.org_id ?? null;
}

/** In which language to write to a user; null for an address that nobody has. */
export async function findLanguageByEmail(db: Db, email: string): Promise<Language | null> {
  const { rows } = await db.query<{ language: Language }>('select language from users where email = $1', [
    email,
  ]);
  return rows[0]?.language ?? null;
}

export async function findOrganization(db: Db, id: string): Promise<OrganizationRow | null> {
  const { rows } = await db.query<OrganizationRow>(
    `select id, name, logo_url, brand_color, support, consumer_message, consumer_messages, time_zone, scan_retention_days,
            event_retention_days, security_contact, created_at, updated_at
       from organizations where id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/**
 * Takes an organization's lock: who decides about its members decides alone. Not for whoever only refers to it: an entry of the
 * audit log does, and a person who signs in holds their own row when they write theirs.
 */
export async function lockOrganization(db: Db, id: string): Promise<void> {
  await db.query('select 1 from organizations where id = $1 for no key update', [id]);
}

/** What a person may do by now; null for whoever was disabled or removed. */
export async function findRole(db: Db, orgId: string, userId: string): Promise<Role | null> {
  const { rows } = await db.query<{ role: Role }>(
    'select role from users where org_id = $1 and id = $2 and disabled_at is null',
    [orgId, userId],
  );
  return rows[0]?.role ?? null;
}

export async function updateOrganization(
  db: Db,
  id: string,
  fields: OrganizationFields,
  now: Date,
): Promise<void> {
  await db.query(
    `update organizations
        set name = $3, logo_url = $4, brand_color = $5, support = $6, consumer_message = $7,
            consumer_messages = $8, time_zone = $9, scan_retention_days = $10, event_retention_days = $11,
            security_contact = $12, updated_at = $2
      where id = $1`,
    [
      id,
      now,
      fields.name,
      fields.logo_url,
      fields.brand_color,
      fields.support,
      fields.consumer_message,
      fields.consumer_messages === null ? null : JSON.stringify(fields.consumer_messages),
      fields.time_zone,
      fields.scan_retention_days,
      fields.event_retention_days,
      fields.security_contact,
    ],
  );
}

/** Who was removed is disabled, too. */
export async function isActiveUser(db: Db, orgId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from users where org_id = $1 and id = $2 and disabled_at is null',
    [orgId, userId],
  );
  return rowCount === 1;
}

/** @returns why an organization is blocked, with its row locked; null where there is no such organization */
export async function findBlock(db: Db, id: string): Promise<{ block_reason: string | null } | null> {
  const { rows } = await db.query<{ block_reason: string | null }>(
    'select block_reason from organizations where id = $1 for no key update',
    [id],
  );
  return rows[0] ?? null;
}

/** @param reason null for no block */
export async function setBlock(db: Db, id: string, reason: string | null, now: Date): Promise<void> {
  await db.query(
    `update organizations
        set block_reason = $2, blocked_at = case when $2::text is null then null else coalesce(blocked_at, $3) end
      where id = $1`,
    [id, reason, now],
  );
}

export interface ListedOrganization {
  id: string;
  name: string;
  domain: string | null;
  /** Where its new codes lead; null where to the service's own address. */
  codes_url: string | null;
  owners: string[];
  created_at: Date;
  blocked_at: Date | null;
  block_reason: string | null;
}

/** For whoever runs the service, newest first. @param search a part of the name, the domain or an owner's address */
export async function searchOrganizations(
  db: Db,
  search: string | null,
  limit: number,
): Promise<ListedOrganization[]> {
  const { rows } = await db.query<ListedOrganization>(
    `select o.id, o.name, d.name as domain, h.url as codes_url, o.created_at, o.blocked_at, o.block_reason,
            array(select email from users where org_id = o.id and role = 'owner' and removed_at is null order by email) as owners
       from organizations o
       left join organization_domains d on d.org_id = o.id and d.confirmed_at is not null
       left join code_hosts h on h.org_id = o.id and h.is_current
      where $1::text is null or o.name ilike $1 or d.name ilike $1
         or exists (select 1 from users where org_id = o.id and role = 'owner' and removed_at is null and email ilike $1)
      order by o.id desc
      limit $2`,
    [search === null ? null : `%${escapeLike(search)}%`, limit],
  );
  return rows;
}
