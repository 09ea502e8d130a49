import { z } from 'zod';
import { encodeId } from '../../shared/ids.ts';
import { invitationStatus, type InvitationRow } from '../../shared/invitations/service.ts';
import { emailField, newPasswordField, roleField, tokenField } from '../auth/schema.ts';
import { languageField, text } from '../fields.ts';
import { instant, listQuery } from '../list.ts';

export const listInvitationsQuery = listQuery('invitations', {});

export const inviteBody = z.strictObject({
  email: emailField,
  role: roleField,
  language: languageField.optional().meta({
    description:
      'Language of the mail, and of the person’s later ones unless they accept in another; without it your own',
  }),
});

export const acceptInvitationBody = z.strictObject({
  token: tokenField,
  name: text(200).nullable().default(null),
  password: newPasswordField,
  language: languageField
    .optional()
    .meta({ description: 'Language of the person’s mails; without it that of the invitation' }),
});

export const acceptedSchema = z.object({ userId: z.string(), organizationId: z.string() });

export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: roleField,
    language: languageField.meta({
      description: 'Language of the mail, and of the person’s later ones unless they accept in another',
    }),
    status: z.enum(['pending', 'accepted', 'revoked', 'expired']),
    invitedBy: z.string(),
    createdAt: instant,
    expiresAt: instant,
    acceptedAt: instant.nullable(),
  })
  .meta({ id: 'Invitation' });

export const presentInvitation = (row: InvitationRow, now: Date): z.input<typeof invitationSchema> => ({
  id: encodeId('inv', row.id),
  email: row.email,
  role: row.role,
  language: row.language,
  status: invitationStatus(row, now),
  invitedBy: encodeId('user', row.invited_by),
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  acceptedAt: row.accepted_at?.toISOString() ?? null,
});
