/** Who acts. Every credential identifies exactly one organization. */
import type { Scope } from './api-keys/scopes.ts';

export interface KeyActor {
  kind: 'key';
  orgId: string;
  keyId: string;
  scopes: ReadonlySet<Scope>;
}

export type Actor = KeyActor;
