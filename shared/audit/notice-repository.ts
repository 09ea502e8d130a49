import type { Db } from '../db.ts';
import type { Language } from '../languages.ts';
import type { SecurityAction } from './security-actions.ts';

export type ActorKind = 'user' | 'key' | 'operator' | 'anonymous';

export interface SecurityNoticeRow {
  address: string;
  /** Of the organization's user with that address; null where there is none. */
  language: Language | null;
  organization_name: string;
  at: Date;
  action: SecurityAction;
  actor_kind: ActorKind;
  actor_name: string | null;
  resource: string | null;
  ip: string | null;
}

/** For the organization's security contact, and for the one before where that was changed; nothing where there is none. */
export async function insertSecurityNotices(
  db: Db,
  orgId: string,
  auditId: string,
  formerAddress: string | null,
): Promise<void> {
  await db.query({
    name: 'insert-security-notices',
    text: `insert into security_notices (audit_id, address)
           select $1::uuid, address
             from (select security_contact as address from organizations where id = $2 union select $3::text) a
            where address is not null`,
    values: [auditId, orgId, formerAddress],
  });
}

/** Removes up to `limit` notices, oldest first, passing over those that another takes. @returns what they are about. */
export async function takeSecurityNotices(db: Db, limit: number): Promise<SecurityNoticeRow[]> {
  const { rows } = await db.query<SecurityNoticeRow>(
    `with taken as (
       delete from security_notices
        where (audit_id, address) in (select audit_id, address from security_notices order by audit_id, address
                                       limit $1 for update skip locked)
       returning audit_id, address
     )
     select t.address, u.language, o.name as organization_name, a.at, a.action, a.actor_kind, a.actor_name, a.resource,
            host(a.ip) as ip
       from taken t join audit_log a on a.id = t.audit_id join organizations o on o.id = a.org_id
       left join users u on u.email = lower(t.address) and u.org_id = a.org_id
      order by t.audit_id, t.address`,
    [limit],
  );
  return rows;
}
