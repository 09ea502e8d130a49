/** Who acts. Every credential identifies exactly one organization. */
import type { Permission, Role } from './access/roles.ts';
import type { Scope } from './api-keys/scopes.ts';
import { encodeId } from './ids.ts';

/** An integration with an API key. */
export interface KeyActor {
  kind: 'key';
  orgId: string;
  keyId: string;
  /** The key's name, for the audit log. */
  name: string;
  scopes: ReadonlySet<Scope>;
}

/** A signed-in person; role and rights as the database has them at this request. */
export interface UserActor {
  kind: 'user';
  orgId: string;
  userId: string;
  /** The e-mail address, for the audit log. */
  name: string;
  sessionId: string;
  role: Role;
  scopes: ReadonlySet<Scope>;
  permissions: ReadonlySet<Permission>;
}

export type Actor = KeyActor | UserActor;

/** Public id of who acts, as notes and cases name their author. */
export const authorOf = (actor: Actor): string =>
  actor.kind === 'key' ? encodeId('key', actor.keyId) : encodeId('user', actor.userId);

/** Where a request comes from, as the audit log keeps it. */
export interface Origin {
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}
