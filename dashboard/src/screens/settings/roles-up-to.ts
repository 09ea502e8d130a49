import type { Schemas } from '../../api/types.gen.ts';

type Role = Schemas['User']['role'];

/** From the most to the least powerful. */
const ROLES: readonly Role[] = ['owner', 'administrator', 'analyst', 'viewer'];

/** Those about which somebody of a role decides: nobody does about a role above their own. */
export const rolesUpTo = (role: Role): readonly Role[] => ROLES.slice(ROLES.indexOf(role));
