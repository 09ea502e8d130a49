import type { Role } from '../access/roles.ts';
import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';
import { pageOf, type Page, type PageRequest } from '../page.ts';

export interface InvitationRow {
  id: string;
  org_id: string;
  email: string;
  role: Role;
  language: Language;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  /** As it is now; null where who invited was disabled or removed. */
  inviter_role: Role | null;
}

/** @throws the unique violation `invitations_open` where one is open for the address. */
export async function insertInvitation(
  db: Db,
  invitation: {
    id: string;
    orgId: string;
    email: string;
    role: Role;
    language: Language;
    tokenDigest: Buffer;
    invitedBy: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.query(
    `insert into invitations (id, org_id, email, role, language, token_digest, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      invitation.id,
      invitation.orgId,
      invitation.email,
      invitation.role,
      invitation.language,
      invitation.tokenDigest,
      invitation.invitedBy,
      invitation.now,
      invitation.expiresAt,
    ],
  );
}

/** What is open for an address, expired or not: there is one at most. */
export async function findOpenInvitation(
  db: Db,
  orgId: string,
  email: string,
): Promise<InvitationRow | null> {
  const { rows } = await db.query<InvitationRow>(
    `select i.id, i.org_id, i.email, i.role, i.language, i.invited_by, i.created_at, i.expires_at, i.accepted_at,
            i.revoked_at,
            (select role from users where id = i.invited_by and disabled_at is null) as inviter_role
       from invitations i
      where i.org_id = $1 and i.email = $2 and i.accepted_at is null and i.revoked_at is null`,
    [orgId, email],
  );
  return rows[0] ?? null;
}

/** The invitation of a token, whatever has become of it. */
export async function findInvitationByToken(db: Db, tokenDigest: Buffer): Promise<InvitationRow | null> {
  const { rows } = await db.query<InvitationRow>(
    `select i.id, i.org_id, i.email, i.role, i.language, i.invited_by, i.created_at, i.expires_at, i.accepted_at,
            i.revoked_at,
            (select role from users where id = i.invited_by and disabled_at is null) as inviter_role
       from invitations i where i.token_digest = $1`,
    [tokenDigest],
  );
  return rows[0] ?? null;
}

export async function findInvitation(db: Db, orgId: string, id: string): Promise<InvitationRow | null> {
  const { rows } = await db.query<InvitationRow>(
    `select i.id, i.org_id, i.email, i.role, i.language, i.invited_by, i.created_at, i.expires_at, i.accepted_at,
            i.revoked_at,
            (select role from users where id = i.invited_by and disabled_at is null) as inviter_role
       from invitations i where i.org_id = $1 and i.id = $2`,
    [orgId, id],
  );
  return rows[0] ?? null;
}

export async function listInvitations(
  db: Db,
  orgId: string,
  page: PageRequest,
): Promise<Page<InvitationRow>> {
  const { rows } = await db.query<InvitationRow>(
    `select i.id, i.org_id, i.email, i.role, i.language, i.invited_by, i.created_at, i.expires_at, i.accepted_at,
            i.revoked_at,
            (select role from users where id = i.invited_by and disabled_at is null) as inviter_role
       from invitations i
      where i.org_id = $1 and ($2::uuid is null or i.id < $2)
      order by i.id desc
      limit $3`,
    [orgId, page.beforeId, page.limit + 1],
  );
  return pageOf(rows, page);
}

export async function markInvitationRevoked(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    'update invitations set revoked_at = $2 where id = $1 and accepted_at is null and revoked_at is null',
    [id, now],
  );
}

export async function markInvitationAccepted(db: Db, id: string, now: Date): Promise<void> {
  await db.query('update invitations set accepted_at = $2 where id = $1 and accepted_at is null', [id, now]);
}

/** Accepts once: of two at once, one gets the row and the other nothing. */
export async function acceptInvitation(
  db: Db,
  tokenDigest: Buffer,
  now: Date,
): Promise<(InvitationRow & { organization_name: string }) | null> {
  const { rows } = await db.query<InvitationRow & { organization_name: string }>(
    `update invitations i set accepted_at = $2
       from organizations o
      where i.token_digest = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > $2
        and o.id = i.org_id
     returning i.id, i.org_id, i.email, i.role, i.language, i.invited_by, i.created_at, i.expires_at, i.accepted_at,
            i.revoked_at,
               (select role from users where id = i.invited_by and disabled_at is null) as inviter_role,
               o.name as organization_name`,
    [tokenDigest, now],
  );
  return rows[0] ?? null;
}

/** Forgets those that were accepted, revoked or had expired by then. @returns how many. */
export async function deleteOldInvitations(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query(
    'delete from invitations where least(accepted_at, revoked_at, expires_at) <= $1',
    [before],
  );
  return rowCount ?? 0;
}
