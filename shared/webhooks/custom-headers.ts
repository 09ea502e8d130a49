/** An endpoint's own headers at rest: they may hold a credential, so they are sealed as its secrets are. */
import { invalidFields } from '../errors.ts';
import type { SecretBox, SecretOwner } from '../secret-box.ts';
import { validateCustomHeaders } from './delivery-headers.ts';

export interface SealedHeaders {
  names: string[];
  sealed: string | null;
}

export const headersOwner = (organizationId: string, endpointId: string): SecretOwner => ({
  organizationId,
  resource: `webhook-headers:${endpointId}`,
});

/** @throws AppError VALIDATION_FAILED for headers that an endpoint may not have */
export function sealHeaders(
  secretBox: SecretBox,
  headers: Record<string, string>,
  orgId: string,
  endpointId: string,
): SealedHeaders {
  const problems = validateCustomHeaders(headers);
  if (problems.length > 0) throw invalidFields(problems);
  const names = Object.keys(headers);
  const owner = headersOwner(orgId, endpointId);
  return { names, sealed: names.length === 0 ? null : secretBox.seal(JSON.stringify(headers), owner) };
}

/** @throws SecretBoxError */
export function openHeaders(
  secretBox: SecretBox,
  sealed: string,
  orgId: string,
  endpointId: string,
): Record<string, string> {
  return JSON.parse(secretBox.open(sealed, headersOwner(orgId, endpointId))) as Record<string, string>;
}
