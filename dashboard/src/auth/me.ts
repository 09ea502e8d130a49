/** Who is signed in, and what they may do: `GET /api/v1/auth/me` is the one source, the service checks again anyway. */
import { createContext, use, useSyncExternalStore } from 'react';
import type { Schemas } from '../api/types.gen.ts';
import { session, type SessionState } from './session.ts';

export type Me = Schemas['Me'];
export type Scope = Me['scopes'][number];
export type Permission = Me['permissions'][number];

/** What something takes: a scope of the API, or a permission that only people have. */
export type Need = Scope | Permission;

export const MeContext = createContext<Me | null>(null);

/** The signed-in person, or null on the pages before. */
export const useMe = (): Me | null => use(MeContext);

export const may = (me: Me | null, need: Need | undefined): boolean =>
  need === undefined ||
  (me !== null &&
    ((me.scopes as readonly string[]).includes(need) ||
      (me.permissions as readonly string[]).includes(need)));

/** Whether the signed-in person has this scope or permission: `const mayEdit = useMay('products.write')`. */
export const useMay = (need: Need | undefined): boolean => may(useMe(), need);

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.state);
