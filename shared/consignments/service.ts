/**
 * Consignments: units on their way to a distributor. `draft → dispatched → received | partially_received`; a draft and a
 * dispatched one can be cancelled; a recall lies over all of that.
 */
import { hasOpenJob, startBulkJob, type BulkJobRow, type Selection } from '../bulk-jobs/service.ts';
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, constraintOf, invalidTransition } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import type { Waker } from '../queues.ts';
import { digestOfLink, newLinkToken, type LinkKey } from './link.ts';
import {
  findConsignment,
  findIdByLink,
  hasRecall,
  insertConsignment,
  lockConsignment,
  markCancelled,
  markDispatched,
  setLink,
  type ConsignmentFields,
  type ConsignmentRow,
} from './repository.ts';

export {
  listConsignments,
  type ConsignmentFields,
  type ConsignmentFilter,
  type ConsignmentRow,
  type Party,
} from './repository.ts';
export { listConsignmentUnits, MOST_PRODUCTS, type ConsignmentUnitRow } from './unit-repository.ts';

export const CONSIGNMENT_STATUSES = [
  'draft',
  'dispatched',
  'received',
  'partially_received',
  'recalled',
  'cancelled',
] as const;
export type ConsignmentStatus = (typeof CONSIGNMENT_STATUSES)[number];

export interface ConsignmentDeps {
  clock: Clock;
  waker: Waker;
  random(bytes: number): Buffer;
  linkKey: LinkKey;
  /** They tell whose code a scanner has read. */
  tokenKeys: Keyring;
}

const DAY_MS = 86_400_000;

/** The status as callers see it: a recall in force lies over the stored one. */
export const statusOf = (row: Pick<ConsignmentRow, 'status' | 'recalled_at'>): ConsignmentStatus =>
  row.recalled_at === null ? row.status : 'recalled';

/** What a consignment says of itself, as it was given. */
export const fieldsOfConsignment = (row: ConsignmentRow): ConsignmentFields => ({
  reference: row.reference,
  sscc: row.sscc,
  origin: row.origin,
  destination: row.destination,
  expectedMarkets: row.expected_markets,
  references: row.document_references,
});

/** What the events of a consignment have in common. */
export const consignmentEventData = (row: ConsignmentRow) => ({
  consignmentId: encodeId('cons', row.id),
  reference: row.reference,
  sscc: row.sscc,
  distributor: row.destination?.name ?? null,
  unitCount: row.unit_count,
});

export function refuseTakenSscc(error: unknown): never {
  if (constraintOf(error) !== 'consignments_sscc') throw error;
  throw new AppError('CONFLICT', {
    detail: 'another open consignment has this SSCC',
    errors: [{ path: 'sscc', ...refusal('TAKEN', 'is taken') }],
    cause: error,
  });
}

/** @throws AppError CONFLICT for an SSCC that another open consignment has */
export async function createConsignment(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  fields: ConsignmentFields,
): Promise<ConsignmentRow> {
  const id = newUuid();
  await insertConsignment(db, orgId, id, fields, clock.now()).catch(refuseTakenSscc);
  return getConsignment(db, orgId, id);
}

/** @throws AppError NOT_FOUND */
export async function getConsignment(db: Db, orgId: string, id: string): Promise<ConsignmentRow> {
  const row = await findConsignment(db, orgId, id);
  if (row === null) throw new AppError('NOT_FOUND', { detail: 'no such consignment' });
  return row;
}

/** Holds it until the transaction ends; none of the organization with that id is fine. */
export const holdConsignment = async (db: Db, orgId: string, id: string): Promise<void> => {
  await lockConsignment(db, orgId, id);
};

/** As {@link getConsignment}, and holds it until the transaction ends. @throws AppError NOT_FOUND */
export async function lockAndGetConsignment(db: Db, orgId: string, id: string): Promise<ConsignmentRow> {
  if (!(await lockConsignment(db, orgId, id)))
    throw new AppError('NOT_FOUND', { detail: 'no such consignment' });
  return getConsignment(db, orgId, id);
}

async function requireNoOpenJob(db: Db, id: string): Promise<void> {
  if (await hasOpenJob(db, id))
    throw new AppError('CONFLICT', {
      detail: 'units are still being added; wait for that job, or cancel it',
    });
}

/**
 * Starts adding units to a draft: all of the selection, or none of it.
 * @throws AppError NOT_FOUND; CONFLICT where it is no draft, or units are being added already
 */
export async function addUnits(
  deps: ConsignmentDeps,
  uow: UnitOfWork,
  orgId: string,
  id: string,
  selection: Selection,
): Promise<BulkJobRow> {
  const status = statusOf(await lockAndGetConsignment(uow.db, orgId, id));
  if (status !== 'draft')
    throw new AppError('CONFLICT', { detail: `units are added to a draft; this consignment is ${status}` });
  // The schema refuses a second job, too, but only when the first one's worker, which may wait for this consignment, is done.
  await requireNoOpenJob(uow.db, id);
  return startBulkJob(deps, uow, orgId, { action: 'consign', selection, consignmentId: id });
}

export interface LinkOptions {
  /** How long the distributor's link works. */
  linkDays: number;
}

/** A consignment with its distributor's link, which is shown this once; null where none was made. */
export interface WithLink {
  row: ConsignmentRow;
  linkToken: string | null;
}

async function writeLink(deps: ConsignmentDeps, db: Db, id: string, days: number): Promise<string> {
  const token = newLinkToken(deps.random);
  const expiresAt = new Date(deps.clock.now().getTime() + days * DAY_MS);
  await setLink(db, id, { digest: digestOfLink(deps.linkKey, token), expiresAt });
  return token;
}

/**
 * Sends a draft on its way and makes the distributor's link. Dispatching again changes nothing and shows no link.
 * @param activateUnits starts a job that activates the units that were only minted
 * @throws AppError NOT_FOUND, INVALID_TRANSITION; CONFLICT without units or while some are being added
 */
export async function dispatchConsignment(
  deps: ConsignmentDeps,
  uow: UnitOfWork,
  orgId: string,
  id: string,
  options: LinkOptions & { activateUnits: boolean },
): Promise<WithLink & { activation: BulkJobRow | null }> {
  const before = await lockAndGetConsignment(uow.db, orgId, id);
  const status = statusOf(before);
  if (status === 'dispatched') return { row: before, linkToken: null, activation: null };
  if (status !== 'draft') throw invalidTransition(status, 'dispatched');
  await requireNoOpenJob(uow.db, id);
  if (before.unit_count === 0)
    throw new AppError('CONFLICT', { detail: 'a consignment without units cannot be dispatched' });
  await markDispatched(uow.db, id, deps.clock.now());
  const linkToken = await writeLink(deps, uow.db, id, options.linkDays);
  const activation = options.activateUnits
    ? await startBulkJob(deps, uow, orgId, {
        action: 'activate',
        selection: { kind: 'consignment', consignmentId: id },
        params: { onlyMinted: true },
      })
    : null;
  return { row: await getConsignment(uow.db, orgId, id), linkToken, activation };
}

/**
 * Calls a draft or a dispatched consignment off: its units are free for another. Cancelling again changes nothing.
 * @throws AppError NOT_FOUND, INVALID_TRANSITION; CONFLICT while units are being added, or while a recall stands or is planned
 */
export async function cancelConsignment(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<ConsignmentRow> {
  const before = await lockAndGetConsignment(db, orgId, id);
  if (before.status === 'cancelled') return before;
  if (before.status !== 'draft' && before.status !== 'dispatched')
    throw invalidTransition(statusOf(before), 'cancelled');
  await requireNoOpenJob(db, id);
  // Its units would be recalled with it, wherever they went since.
  if (await hasRecall(db, id))
    throw new AppError('CONFLICT', { detail: 'it is recalled, or will be: lift that recall first' });
  await markCancelled(db, id, clock.now());
  return getConsignment(db, orgId, id);
}

/** Makes a new link for the distributor; the old one stops working. @throws AppError NOT_FOUND, INVALID_TRANSITION */
export async function renewLink(
  deps: ConsignmentDeps,
  db: Db,
  orgId: string,
  id: string,
  { linkDays }: LinkOptions,
): Promise<WithLink> {
  const status = statusOf(await lockAndGetConsignment(db, orgId, id));
  if (status !== 'dispatched')
    throw new AppError('CONFLICT', {
      detail: `only a dispatched consignment has a link; this one is ${status}`,
    });
  const linkToken = await writeLink(deps, db, id, linkDays);
  return { row: await getConsignment(db, orgId, id), linkToken };
}

/** Takes the distributor's link away; none there is fine. @throws AppError NOT_FOUND */
export async function revokeLink(db: Db, orgId: string, id: string): Promise<ConsignmentRow> {
  await lockAndGetConsignment(db, orgId, id);
  await setLink(db, id, null);
  return getConsignment(db, orgId, id);
}

/** As {@link findByLink}, and holds it until the transaction ends: the link may be taken away while it is waited for. */
export async function lockByLink(
  deps: Pick<ConsignmentDeps, 'clock' | 'linkKey'>,
  db: Db,
  token: string,
): Promise<ConsignmentRow | null> {
  const found = await findByLink(deps, db, token);
  if (found === null || !(await lockConsignment(db, found.org_id, found.id))) return null;
  return findByLink(deps, db, token);
}

/** @returns the consignment behind a distributor's link, or null where the link is unknown, expired or revoked. */
export async function findByLink(
  { clock, linkKey }: Pick<ConsignmentDeps, 'clock' | 'linkKey'>,
  db: Db,
  token: string,
): Promise<ConsignmentRow | null> {
  const found = await findIdByLink(db, digestOfLink(linkKey, token), clock.now());
  return found === null ? null : findConsignment(db, found.org_id, found.id);
}
