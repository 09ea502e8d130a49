import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
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
    `insert into users (id, org_id, email, name, language, password_digest, role, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
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
