import { z } from 'zod';
import { encodeId } from '../../shared/ids.ts';
import type { UserRow } from '../../shared/users/service.ts';
import { roleField } from '../auth/schema.ts';
import { instant, listQuery } from '../list.ts';

export const listUsersQuery = listQuery({});

export const updateUserBody = z
  .strictObject({ role: roleField, disabled: z.boolean() })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { error: 'nothing to change' });

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
