import { z } from 'zod';
import { changesSomething } from '../fields.ts';
import { encodeId } from '../../shared/ids.ts';
import type { PersonRow, UserRow } from '../../shared/users/service.ts';
import { roleField } from '../auth/schema.ts';
import { idField, instant, listQuery, searchField } from '../list.ts';

export const listUsersQuery = listQuery('users', {});

export const listPeopleQuery = listQuery('people', {
  id: idField('user').optional().meta({ description: 'Only this person' }),
  q: searchField('Part of the name', 'ana'),
});

export const updateUserBody = z
  .strictObject({ role: roleField, disabled: z.boolean() })
  .partial()
  .refine(...changesSomething);

export const userSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: roleField,
    disabled: z.boolean(),
    secondFactorEnabled: z.boolean(),
    lastSignedInAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'User' });

/** Who somebody is, for everybody who works beside them. */
export const personSchema = z
  .object({ id: z.string(), name: z.string(), active: z.boolean() })
  .meta({ id: 'Person' });

export const presentPerson = (row: PersonRow): z.input<typeof personSchema> => ({
  id: encodeId('user', row.id),
  name: row.name,
  active: row.is_active,
});

export const presentUser = (row: UserRow): z.input<typeof userSchema> => ({
  id: encodeId('user', row.id),
  email: row.email,
  name: row.name,
  role: row.role,
  disabled: row.disabled_at !== null,
  secondFactorEnabled: row.totp_confirmed_at !== null,
  lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});
