/** Webhook endpoints of an organization: create, read, change, delete, and what was delivered to them. */
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, invalidField, refuseOvertaken } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { newUuid } from '../ids.ts';
import { DEFAULT_LANGUAGE, type Language } from '../languages.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Waker } from '../queues.ts';
import type { SecretBox } from '../secret-box.ts';
import type { EndpointFormat } from './body.ts';
import { moveCircuit, newCircuit } from './circuit-breaker.ts';
import { sealHeaders } from './custom-headers.ts';
import { listDeliveries, type DeliveryFilter, type DeliveryRow } from './delivery-repository.ts';
import {
  countEndpoints,
  countOwnProducts,
  findEndpoint,
  hasBeenEndpoint,
  insertEndpoint,
  lockEndpoint,
  lockEndpointCount,
  markEndpointDeleted,
  releaseHold,
  storeCircuit,
  updateEndpoint as writeEndpoint,
  type EndpointRow,
} from './endpoint-repository.ts';
import { beginEventOrder } from './event-order-repository.ts';
import { secretOwner } from './secret-owner.ts';
import { insertSecret } from './secret-repository.ts';
import { generateSecret } from './signature.ts';
import type { VetUrlOf } from './url-vetting.ts';

export { listEndpoints, MOST_COUNTED, type EndpointRow } from './endpoint-repository.ts';
export { ENDPOINT_FORMATS } from './body.ts';
export type { DeliveryRow } from './delivery-repository.ts';

/** An organization that needs more is likely creating them in a loop. */
const MAX_ENDPOINTS = 100;

export interface EndpointDeps {
  clock: Clock;
  random(bytes: number): Buffer;
  secretBox: SecretBox;
}

declare const vetted: unique symbol;
/** A URL that may be called, as it is stored: {@link vetNewUrl} and {@link vetChangedUrl} make them. */
export type VettedUrl = string & { readonly [vetted]: true };

/** What a caller may say about an endpoint. */
export interface EndpointInput {
  url: VettedUrl;
  events: string[];
  /** The event itself, or a message for a chat channel. */
  format: EndpointFormat;
  /** Of such messages. */
  language: Language;
  description: string | null;
  /** Attempts at a time; null: the service's default. */
  concurrency: number | null;
  /** Null: no limit of its own. */
  ratePerSecond: number | null;
  /** In the order of the events, one at a time, none past a failure. */
  fifo: boolean;
  /** Seconds after each failed attempt; null: the default schedule. */
  retryDelaysSeconds: number[] | null;
  /** Sent on every attempt; never shown again. */
  headers: Record<string, string>;
  /** UUIDs; null: all. */
  productIds: string[] | null;
}

/** The options may be left out. */
export type NewEndpointInput = Pick<EndpointInput, 'url' | 'events' | 'description'> & Partial<EndpointInput>;

const DEFAULT_OPTIONS = {
  format: 'event',
  language: DEFAULT_LANGUAGE,
  concurrency: null,
  ratePerSecond: null,
  fifo: false,
  retryDelaysSeconds: null,
  headers: {},
  productIds: null,
} as const satisfies Partial<EndpointInput>;

/** Those given; the others stay as they are. */
export type EndpointChanges = { [Name in keyof EndpointInput]?: EndpointInput[Name] | undefined };

/** What can be changed, as it is read; headers never are. */
type ReadEndpoint = Omit<EndpointInput, 'url' | 'headers'> & { url: string };
type ExpectedEndpoint = { [Name in keyof ReadEndpoint]?: ReadEndpoint[Name] | undefined };

async function requireAllowedUrl(vetWebhookUrl: VetUrlOf, orgId: string, raw: string): Promise<VettedUrl> {
  const verdict = await vetWebhookUrl(orgId, raw);
  if (!verdict.ok) throw invalidField('url', verdict.refused);
  return verdict.url.href as VettedUrl;
}

async function requireRoom(db: Db, orgId: string): Promise<void> {
  if ((await countEndpoints(db, orgId)) < MAX_ENDPOINTS) return;
  throw new AppError('CONFLICT', {
    detail: `an organization has at most ${MAX_ENDPOINTS} webhook endpoints`,
  });
}

/**
 * Vets the URL of an endpoint to come. It may ask a name server, which takes as long as that likes: never within a transaction.
 * @throws AppError VALIDATION_FAILED for a URL that must not be called, CONFLICT where there is no room for the endpoint,
 *   RATE_LIMITED
 */
export async function vetNewUrl(
  { vetWebhookUrl }: { vetWebhookUrl: VetUrlOf },
  db: Db,
  orgId: string,
  raw: string,
): Promise<VettedUrl> {
  await requireRoom(db, orgId);
  return requireAllowedUrl(vetWebhookUrl, orgId, raw);
}

/** As {@link vetNewUrl}, for an endpoint that is there. @throws AppError NOT_FOUND, VALIDATION_FAILED, RATE_LIMITED */
export async function vetChangedUrl(
  { vetWebhookUrl }: { vetWebhookUrl: VetUrlOf },
  db: Db,
  orgId: string,
  id: string,
  raw: string,
): Promise<VettedUrl> {
  await getEndpoint(db, orgId, id);
  return requireAllowedUrl(vetWebhookUrl, orgId, raw);
}

async function requireOwnProducts(db: Db, orgId: string, productIds: string[] | null): Promise<void> {
  if (productIds === null) return;
  if ((await countOwnProducts(db, orgId, productIds)) !== productIds.length)
    throw invalidField('productIds', refusal('NO_SUCH_PRODUCT', 'names a product that does not exist'));
}

/**
 * @returns the endpoint, and its signing secret, which cannot be read again.
 * @throws AppError VALIDATION_FAILED for a header that may not be set or a product that is not there, CONFLICT beyond
 *   {@link MAX_ENDPOINTS}
 */
export async function createEndpoint(
  deps: EndpointDeps,
  db: Db,
  orgId: string,
  given: NewEndpointInput,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  const input: EndpointInput = { ...DEFAULT_OPTIONS, ...given };
  await requireOwnProducts(db, orgId, input.productIds);
  await lockEndpointCount(db, orgId);
  await requireRoom(db, orgId);
  const now = deps.clock.now();
  const id = newUuid();
  const headers = sealHeaders(deps.secretBox, input.headers, orgId, id);
  const secret = generateSecret(deps.random);
  await insertEndpoint(db, {
    ...input,
    id,
    orgId,
    retryDelays: input.retryDelaysSeconds,
    headerNames: headers.names,
    sealedHeaders: headers.sealed,
    circuit: newCircuit(now.getTime()),
    now,
  });
  const sealed = deps.secretBox.seal(secret, secretOwner(orgId, id));
  await insertSecret(db, { id: newUuid(), endpointId: id, sealed, now });
  return { endpoint: await getEndpoint(db, orgId, id), secret };
}

const noSuchEndpoint = () => new AppError('NOT_FOUND', { detail: 'no such webhook endpoint' });

/** @throws AppError NOT_FOUND */
export async function getEndpoint(db: Db, orgId: string, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, orgId, id);
  if (endpoint === null) throw noSuchEndpoint();
  return endpoint;
}

/** The endpoint, held until the transaction ends. @throws AppError NOT_FOUND */
export async function holdEndpoint(db: Db, orgId: string, id: string): Promise<EndpointRow> {
  await getEndpoint(db, orgId, id);
  const endpoint = await lockEndpoint(db, id);
  if (endpoint === null) throw noSuchEndpoint();
  return endpoint;
}

/**
 * Changes the fields given; `headers` are replaced as a whole. A new URL has no history: an open circuit tries it at once, and
 * whatever patience the old receiver had asked for is over; a disabled endpoint stays disabled.
 * @param change with `expected`, only where these fields still have these values
 * @throws AppError NOT_FOUND, VALIDATION_FAILED; CONFLICT where a field is not what was expected
 */
export async function updateEndpoint(
  deps: EndpointDeps & { waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  id: string,
  { expected, ...changes }: EndpointChanges & { expected?: ExpectedEndpoint | undefined },
): Promise<EndpointRow> {
  const { db } = uow;
  await getEndpoint(db, orgId, id);
  await requireOwnProducts(db, orgId, changes.productIds ?? null);
  const current = await holdEndpoint(db, orgId, id);
  refuseOvertaken<ReadEndpoint>(
    expected,
    {
      ...current,
      ratePerSecond: current.rate_per_second,
      retryDelaysSeconds: current.retry_delays,
      productIds: current.product_ids,
    },
    changes,
  );
  const now = deps.clock.now();
  const headers =
    changes.headers === undefined ? null : sealHeaders(deps.secretBox, changes.headers, orgId, id);
  const fields = {
    url: changes.url ?? current.url,
    events: changes.events ?? current.events,
    format: changes.format ?? current.format,
    language: changes.language ?? current.language,
    description: changes.description === undefined ? current.description : changes.description,
    concurrency: changes.concurrency === undefined ? current.concurrency : changes.concurrency,
    ratePerSecond: changes.ratePerSecond === undefined ? current.rate_per_second : changes.ratePerSecond,
    fifo: changes.fifo ?? current.fifo,
    retryDelays: changes.retryDelaysSeconds === undefined ? current.retry_delays : changes.retryDelaysSeconds,
    productIds: changes.productIds === undefined ? current.product_ids : changes.productIds,
  };
  await writeEndpoint(
    db,
    id,
    fields,
    headers === null ? null : { headerNames: headers.names, sealedHeaders: headers.sealed },
    now,
  );
  const hasMoved = fields.url !== current.url;
  if (hasMoved) await storeCircuit(db, id, moveCircuit(current.circuit, now.getTime()));
  if (fields.fifo && !current.fifo) await beginEventOrder(db, id);
  if (hasMoved || (current.fifo && !fields.fifo)) await releaseHold(db, id);
  // What waited for its retry may go now.
  if (hasMoved || current.fifo !== fields.fifo) uow.afterCommit(() => deps.waker.deliverWebhooks([id]));
  return getEndpoint(db, orgId, id);
}

/** Ends deliveries to the endpoint for good; what waited for it counts as discarded. @throws AppError NOT_FOUND */
export async function deleteEndpoint(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<void> {
  await holdEndpoint(db, orgId, id);
  await markEndpointDeleted(db, id, clock.now());
}

/** Attempts to deliver to one endpoint, newest first; the log outlives the endpoint. @throws AppError NOT_FOUND */
export async function listEndpointDeliveries(
  db: Db,
  orgId: string,
  endpointId: string,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  if (!(await hasBeenEndpoint(db, orgId, endpointId))) throw noSuchEndpoint();
  return listDeliveries(db, endpointId, filter, page);
}
