import type { SecretOwner } from '../secret-box.ts';

/** Whose a signing secret is, for the secret box. Both are UUIDs. */
export const secretOwner = (organizationId: string, endpointId: string): SecretOwner => ({
  organizationId,
  resource: `webhook-endpoint:${endpointId}`,
});
