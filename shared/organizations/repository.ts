import type { Db } from '../db.ts';

export async function insertOrganization(
  db: Db,
  org: { id: string; name: string; now: Date },
): Promise<void> {
  await db.query('insert into organizations (id, name, created_at) values ($1, $2, $3)', [
    org.id,
    org.name,
    org.now,
  ]);
}

export interface NewUser {
  id: string;
  orgId: string;
  email: string;
  passwordDigest: string;
  role: 'owner' | 'administrator' | 'analyst' | 'viewer';
  now: Date;
}

export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db.query(
    'insert into users (id, org_id, email, password_digest, role, created_at) values ($1, $2, $3, $4, $5, $6)',
    [user.id, user.orgId, user.email, user.passwordDigest, user.role, user.now],
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
