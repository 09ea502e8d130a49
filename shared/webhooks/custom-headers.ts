/** An endpoint's own headers at rest: they may hold a credential, so they are sealed as its secrets are. */
import { invalidField } from '../errors.ts';
import { AppError } from '../errors.ts';
import type { SecretBox, SecretOwner } from '../secret-box.ts';
import { validateCustomHeaders } from './delivery-headers.ts';

export interface SealedHeaders {
  names: string[];
  sealed: string | null;
}

const headersOwner = (organizationId: string, endpointId: string): SecretOwner => ({
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
  const [first] = problems;
  if (first !== undefined) {
    throw problems.length === 1
      ? invalidField(first.path, first.message)
      : new AppError('VALIDATION_FAILED', {
          detail: problems
            .map(({ path, message }) => `${path}: ${message}`)
            .join('; ')
            .slice(0, 500),
          errors: problems,
        });
  }
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
