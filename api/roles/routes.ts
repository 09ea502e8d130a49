/** What each role may do: the table of the roles, for whoever decides which one to give. */
import { z } from 'zod';
import { PERMISSIONS, ROLE_TABLE, ROLES, type Permission } from '../../shared/access/roles.ts';
import { ALL_SCOPES, type Scope } from '../../shared/api-keys/scopes.ts';
import { roleField } from '../auth/schema.ts';
import { ok, operation, session } from '../operation.ts';

const roleSchema = z
  .object({
    role: roleField,
    description: z.string(),
    scopes: z.array(z.enum(ALL_SCOPES as [Scope, ...Scope[]])),
    permissions: z.array(z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])),
  })
  .meta({ id: 'RoleGrants' });

const table: z.input<typeof roleSchema>[] = ROLES.map((role) => ({
  role,
  description: ROLE_TABLE[role].sentence,
  scopes: [...ROLE_TABLE[role].scopes],
  permissions: [...ROLE_TABLE[role].permissions],
}));

export const roleOperations = [
  operation({
    method: 'get',
    path: '/api/v1/roles',
    operationId: 'listRoles',
    tag: 'Users',
    summary: 'List the roles, from the most to the least powerful, with what each may do',
    access: session('account.self'),
    responses: { 200: { description: 'All roles', schema: z.object({ data: z.array(roleSchema) }) } },
    handle: async () => ok({ data: table }),
  }),
];
