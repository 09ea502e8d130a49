import { z } from 'zod';
import type { ApiKeyRow } from '../../shared/api-keys/service.ts';
import { DEFAULT_GRACE_SECONDS, MAX_GRACE_SECONDS } from '../../shared/api-keys/service.ts';
import { KEY_PREFIX } from '../../shared/api-keys/secret.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import { text } from '../fields.ts';
import { instant, listQuery, moment, searchField } from '../list.ts';

export const createApiKeyBody = z.strictObject({
  name: text(200),
  scopes: z.array(z.string().max(100)).max(100).meta({ description: 'None that your role lacks' }),
  expiresAt: moment
    .nullable()
    .default(null)
    .meta({ description: 'When the key stops working; null, as without it, for never' }),
  allowedCidrs: z
    .array(z.string().max(64))
    .default([])
    .meta({ description: 'Addresses and CIDRs that the key works from; empty for everywhere' }),
});

export const rotateApiKeyBody = z
  .strictObject({
    graceSeconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(DEFAULT_GRACE_SECONDS)
      .meta({ description: 'How long the old secret works on: 24 hours unless given, 7 days at the most' }),
  })
  .default({ graceSeconds: DEFAULT_GRACE_SECONDS });

export const listApiKeysQuery = listQuery('api-keys', { q: searchField('Part of the name', 'factory') });

const fields = {
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  lastFour: z.string().meta({ description: 'Of the newest secret' }),
  scopes: z.array(z.string()),
  allowedCidrs: z.array(z.string()),
  createdBy: z.string().nullable().meta({ description: 'A user; null for the operator' }),
  createdAt: instant,
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  lastUsedAt: instant.nullable().meta({ description: 'To about five minutes' }),
  rotatedAt: instant.meta({ description: 'When the newest secret was made' }),
  previousSecretExpiresAt: instant.nullable().meta({ description: 'Until when an older secret works on' }),
};

export const apiKeySchema = z.object(fields).meta({ id: 'ApiKey' });

export const apiKeyWithSecretSchema = z
  .object({ ...fields, secret: z.string().meta({ description: 'The whole key, shown this once' }) })
  .meta({ id: 'ApiKeyWithSecret' });

export const presentApiKey = (row: ApiKeyRow): z.input<typeof apiKeySchema> => ({
  id: encodeId('key', row.id),
  name: row.name,
  prefix: KEY_PREFIX,
  lastFour: row.last_four,
  scopes: row.scopes,
  allowedCidrs: row.allowed_cidrs,
  createdBy: encodeNullableId('user', row.created_by),
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  rotatedAt: row.rotated_at.toISOString(),
  previousSecretExpiresAt: row.previous_secret_expires_at?.toISOString() ?? null,
});
