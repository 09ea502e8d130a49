import { z } from 'zod';
import { PERMISSIONS, ROLES, type Permission } from '../../shared/access/roles.ts';
import { ACCESS_TOKEN_SECONDS } from '../../shared/accounts/access-token.ts';
import type { SessionRow } from '../../shared/accounts/sessions.ts';
import { ALERT_MAILS } from '../../shared/alerts/service.ts';
import { SUMMARY_MAILS } from '../../shared/summaries/service.ts';
import { ALL_SCOPES, type Scope } from '../../shared/api-keys/scopes.ts';
import { encodeId } from '../../shared/ids.ts';
import { changesSomething, languageField, text } from '../fields.ts';
import { instant } from '../list.ts';

/** Compared without case. */
export const emailField = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email().max(254))
  .meta({ description: 'An e-mail address', examples: ['ana@oliveira.example'] });

/** Vetted by its service, which knows what else to compare it with. */
export const newPasswordField = z
  .string()
  .min(1)
  .max(1000)
  .meta({ description: '10 to 200 characters, none of the first that a guesser would try' });

// As it was set, whatever that was; a limit keeps the hash cheap.
const passwordField = z.string().min(1).max(1000);

const codeField = z.string().trim().min(1).max(40);

export const tokenField = z.string().min(1).max(200).meta({ description: 'From the link in the mail' });

const alertMailsField = z.enum(ALERT_MAILS).meta({
  description:
    'How often at most a mail tells one what is new and waits for somebody: cases, units outside their markets, reports, receipts with a discrepancy',
});

const summaryMailsField = z.enum(SUMMARY_MAILS).meta({
  description: 'Whether a mail tells one on Mondays what the week before came to',
});

export const roleField = z.enum(ROLES);

export const signInBody = z.strictObject({
  email: emailField,
  password: passwordField,
  code: codeField.optional().meta({
    description: 'Six digits of the authenticator app, or a recovery code; where the second factor is on',
  }),
});

export const forgotPasswordBody = z.strictObject({ email: emailField });

export const resetPasswordBody = z.strictObject({ token: tokenField, password: newPasswordField });

export const changePasswordBody = z.strictObject({
  currentPassword: passwordField,
  newPassword: newPasswordField,
});

export const updateMeBody = z
  .strictObject({
    name: text(200).nullable(),
    language: languageField,
    alertMails: alertMailsField,
    summaryMails: summaryMailsField,
  })
  .partial()
  .refine(...changesSomething);

export const confirmTotpBody = z.strictObject({ code: codeField });

export const disableTotpBody = z.strictObject({ password: passwordField, code: codeField });

/** Of a schema of its own, and of one within an outcome, which may be null and so has no name. */
export const tokenFields = {
  accessToken: z.string().meta({ description: 'Send it as `Authorization: Bearer …`' }),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().meta({ description: 'Seconds' }),
};

export const tokensSchema = z.object(tokenFields).meta({ id: 'AccessToken' });

export const presentTokens = (accessToken: string): z.input<typeof tokensSchema> => ({
  accessToken,
  tokenType: 'Bearer',
  expiresIn: ACCESS_TOKEN_SECONDS,
});

export const meSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    language: languageField,
    alertMails: alertMailsField,
    summaryMails: summaryMailsField,
    role: roleField,
    organization: z.object({
      id: z.string(),
      name: z.string(),
      timeZone: z.string().meta({ description: 'IANA name' }),
    }),
    scopes: z.array(z.enum(ALL_SCOPES as [Scope, ...Scope[]])),
    permissions: z.array(z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])),
    sessionId: z.string(),
    secondFactor: z.object({ enabled: z.boolean(), recoveryCodesLeft: z.number().int() }),
  })
  .meta({ id: 'Me' });

export const totpSetUpSchema = z.object({
  secret: z.string().meta({ description: 'Base 32, to type into the app' }),
  otpauthUrl: z.string().meta({ description: 'For a QR code' }),
  qrCode: z
    .array(z.string())
    .meta({ description: 'That QR code, row by row: 1 is dark; without the quiet zone of four modules' }),
});

export const recoveryCodesSchema = z.object({
  recoveryCodes: z.array(z.string()).meta({ description: 'Each works once; they are shown this once' }),
});

export const sessionSchema = z
  .object({
    id: z.string(),
    isCurrent: z.boolean(),
    createdAt: instant,
    lastUsedAt: instant.meta({ description: 'When its access token was last renewed' }),
    expiresAt: instant,
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'Session' });

export const presentSession = (row: SessionRow, currentId: string): z.input<typeof sessionSchema> => ({
  id: encodeId('sess', row.id),
  isCurrent: row.id === currentId,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  ip: row.ip,
  userAgent: row.user_agent,
});
