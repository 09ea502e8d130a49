/** Webhook endpoints of an organization: create, read, change, delete, and what was delivered to them. */
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { newUuid } from '../ids.ts';
import type { Page, PageRequest } from '../page.ts';
import { vetUrl, type Resolve } from './address-guard.ts';
import { newCircuit } from './circuit-breaker.ts';
import { listDeliveries, type DeliveryFilter, type DeliveryRow } from './delivery-repository.ts';
import {
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  markEndpointDeleted,
  updateEndpoint as writeEndpoint,
  type EndpointRow,
} from './endpoint-repository.ts';
import type { SecretBox } from '../secret-box.ts';
import { secretOwner } from './secret-owner.ts';
import { generateSecret } from './signature.ts';

export { listEndpoints, type EndpointRow } from './endpoint-repository.ts';
export type { DeliveryRow } from './delivery-repository.ts';

/** An organization that needs more is likely creating them in a loop. */
export const MAX_ENDPOINTS = 100;

export interface EndpointDeps {
  clock: Clock;
  random(bytes: number): Buffer;
  secretBox: SecretBox;
  allowedCidrs: readonly string[];
  resolve: Resolve;
}

async function requireAllowedUrl(deps: EndpointDeps, raw: string): Promise<string> {
  const verdict = await vetUrl(raw, deps);
  if (!verdict.ok) throw invalidField('url', verdict.message);
  return verdict.url.href;
}

/**
 * @returns the endpoint, and its signing secret, which cannot be read again.
 * @throws AppError VALIDATION_FAILED for a URL that must not be called, CONFLICT beyond {@link MAX_ENDPOINTS}
 */
export async function createEndpoint(
  deps: EndpointDeps,
  db: Db,
  orgId: string,
  input: { url: string; events: string[]; description: string | null },
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const url = await requireAllowedUrl(deps, input.url);
  if ((await countEndpoints(db, orgId)) >= MAX_ENDPOINTS) {
    throw new AppError('CONFLICT', {
      detail: `an organization has at most ${MAX_ENDPOINTS} webhook endpoints`,
    });
  }
  const now = deps.clock.now();
  const id = newUuid();
  const secret = generateSecret(deps.random);
  const sealedSecret = deps.secretBox.seal(secret, secretOwner(orgId, id));
  const circuit = newCircuit(now.getTime());
  await insertEndpoint(db, { id, orgId, ...input, url, circuit, secretId: newUuid(), sealedSecret, now });
  return { endpoint: await getEndpoint(db, orgId, id), secret };
}

/** @throws AppError NOT_FOUND */
export async function getEndpoint(db: Db, orgId: string, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, orgId, id);
  if (endpoint === null) throw new AppError('NOT_FOUND', { detail: 'no such webhook endpoint' });
  return endpoint;
}

/** Changes the fields given. @throws AppError NOT_FOUND, VALIDATION_FAILED */
export async function updateEndpoint(
  deps: EndpointDeps,
  db: Db,
  orgId: string,
  id: string,
  changes: {
    url?: string | undefined;
    events?: string[] | undefined;
    description?: string | null | undefined;
  },
): Promise<EndpointRow> {
  await getEndpoint(db, orgId, id);
  // Vetted before the lock: a slow name server must not hold up the endpoint's deliveries.
  const vetted = changes.url === undefined ? undefined : await requireAllowedUrl(deps, changes.url);
  const current = await lockEndpoint(db, id);
  if (current === null) throw new AppError('NOT_FOUND', { detail: 'no such webhook endpoint' });
  const fields = {
    url: vetted ?? current.url,
    events: changes.events ?? current.events,
    description: changes.description === undefined ? current.description : changes.description,
  };
  await writeEndpoint(db, id, fields, deps.clock.now());
  return getEndpoint(db, orgId, id);
}

/** Ends deliveries to the endpoint for good; what waited for it is discarded. @throws AppError NOT_FOUND */
export async function deleteEndpoint(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<void> {
  await getEndpoint(db, orgId, id);
  await lockEndpoint(db, id);
  await markEndpointDeleted(db, id, clock.now());
}

/** Attempts to deliver to one endpoint, newest first. @throws AppError NOT_FOUND */
export async function listEndpointDeliveries(
  db: Db,
  orgId: string,
  endpointId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  await getEndpoint(db, orgId, endpointId);
  return listDeliveries(db, endpointId, filter, page);
}
