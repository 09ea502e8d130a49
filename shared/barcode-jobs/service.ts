/** Barcode jobs as callers see them: start one, watch it, cancel it, try it again, fetch what it made. */
import { requireNoJobOfBatch, requireNoJobOfSerials } from '../bulk-jobs/service.ts';
import { lockAndGetBatch } from '../batches/service.ts';
import { namesUnitByGtin, symbologyTraits } from '../barcodes/symbology.ts';
import type { Clock } from '../clock.ts';
import { currentCodeAddress } from '../code-hosts/service.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, constraintOf, invalidTransition } from '../errors.ts';
import { newUuid } from '../ids.ts';
import { lockSerialsOfProduct } from '../product-serials-repository.ts';
import { holdAndGetProduct } from '../products/service.ts';
import type { Waker } from '../queues.ts';
import { checkRequest } from './check-request.ts';
import { chooseSerials, requireResumable } from './choose-serials.ts';
import {
  ANY_SHEET,
  chunkUnits,
  symbologyTypeOf,
  type Format,
  type SerialRequest,
  type SheetRequest,
  type SymbolLook,
  type SymbologyName,
} from './options.ts';
import {
  findArtifact,
  findJob,
  insertJob,
  listArtifacts,
  lockJob,
  markJobFinished,
  reopenJob,
  type ArtifactRow,
  type JobRow,
} from './repository.ts';

export {
  listArtifacts,
  listJobs,
  listNeglectedJobIds,
  type ArtifactRow,
  type JobFilter,
  type JobRow,
  type JobStatus,
} from './repository.ts';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const ARTIFACT_KINDS = ['images', 'labels', 'codes', 'manifest'] as const;

export interface JobDeps {
  clock: Clock;
  waker: Waker;
  /** The largest chunk, in units. */
  chunkUnits: number;
  /** The service's own address, as symbols hold it where the organization has none. */
  baseUrl: string;
}

export interface JobRequest {
  symbology: SymbologyName;
  formats: readonly Format[];
  look: SymbolLook;
  /** For `pdf`; the default sheet where it is null. */
  sheet: SheetRequest | null;
  /** Null leaves the choice to what the batch has: an earlier job's scheme, an upload, or else random ones. */
  serials: SerialRequest | null;
  activate: boolean;
}

/**
 * Starts a job for all units of a batch. Units that an earlier job minted are rendered again, never minted twice.
 * @throws AppError NOT_FOUND for the batch; VALIDATION_FAILED for what cannot be made, with paths of the request;
 *   CONFLICT while another job of the batch is open, or a bulk job would leave its units out, or where they have other serials already
 */
export async function startBarcodeJob(
  deps: JobDeps,
  uow: UnitOfWork,
  orgId: string,
  batchId: string,
  request: JobRequest,
): Promise<JobRow> {
  const { clock, waker } = deps;
  const batch = await lockAndGetBatch(uow.db, orgId, batchId);
  if (batch.minted < batch.quantity) await requireNoJobOfBatch(uow.db, orgId, batch.id);
  // Held, or its GTIN could change between here and the job that has it in its symbols.
  const product = await holdAndGetProduct(uow.db, orgId, batch.product_id);
  await lockSerialsOfProduct(uow.db, product.id);
  const serials = await chooseSerials(uow.db, batch, request.serials);
  const asked = request.formats.includes('pdf') ? (request.sheet ?? ANY_SHEET) : request.sheet;
  const label = { productName: product.name, brand: product.brand, sku: product.sku };
  const ownUrl = await currentCodeAddress(uow.db, orgId);
  const sheet = checkRequest(
    { ...request, sheet: asked },
    {
      ...label,
      baseUrl: ownUrl ?? deps.baseUrl,
      gtin: product.gtin,
      lot: batch.lot,
      expiresOn: batch.expires_on,
    },
    serials.samples,
  );
  const id = newUuid();
  const { kind } = symbologyTraits(symbologyTypeOf(request.symbology));
  await insertJob(uow.db, {
    id,
    orgId,
    batchId,
    symbology: request.symbology,
    formats: request.formats,
    options: {
      look: request.look,
      sheet,
      serials: serials.scheme,
      gtin: product.gtin,
      label,
      ...(ownUrl === null ? {} : { baseUrl: ownUrl }),
    },
    activate: request.activate,
    total: batch.quantity,
    chunkUnits: chunkUnits({
      total: batch.quantity,
      formats: request.formats,
      sheet,
      fast: kind === 'qr' || kind === 'datamatrix',
      most: deps.chunkUnits,
    }),
    now: clock.now(),
  }).catch(refuseSecondJob);
  if (batch.minted < batch.quantity) await requireNoJobOfSerials(uow.db, orgId, product.id);
  uow.afterCommit(() => waker.mintBarcodes([id]));
  return getBarcodeJob(uow.db, orgId, id);
}

function refuseSecondJob(error: unknown): never {
  if (constraintOf(error) !== 'barcode_jobs_one_open') throw error;
  throw new AppError('CONFLICT', {
    detail: 'another barcode job of this batch is still open',
    cause: error,
  });
}

/** @throws AppError NOT_FOUND */
export async function getBarcodeJob(db: Db, orgId: string, id: string): Promise<JobRow> {
  const job = await findJob(db, orgId, id);
  if (job === null) throw new AppError('NOT_FOUND', { detail: 'no such barcode job' });
  return job;
}

/** Holds a job until the transaction ends; none of the organization with that id is fine. */
export async function holdBarcodeJob(db: Db, orgId: string, id: string): Promise<void> {
  // Another organization's is not waited for.
  if ((await findJob(db, orgId, id)) !== null) await lockJob(db, id);
}

/**
 * Cancels an open job. Chunks that are done keep their units; one in the middle writes nothing. A cancelled job stays
 * cancelled, a finished one cannot be cancelled.
 * @throws AppError NOT_FOUND, INVALID_TRANSITION
 */
export async function cancelBarcodeJob(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
): Promise<JobRow> {
  await getBarcodeJob(db, orgId, id);
  const status = (await lockJob(db, id))?.status;
  if (status === 'completed' || status === 'failed') throw invalidTransition(status, 'cancelled');
  if (status !== 'cancelled') await markJobFinished(db, id, 'cancelled', null, clock.now());
  return getBarcodeJob(db, orgId, id);
}

/**
 * Takes a failed job up again where it stopped. An open one is left as it is.
 * @throws AppError NOT_FOUND; INVALID_TRANSITION for a completed or cancelled one; CONFLICT where another job of the
 *   batch is open, what this one had made has expired, lot, expiry, hidden codes or NFC tags changed since (half of its labels would say otherwise),
 *   its symbols name units by a GTIN that the product has no more, or its serials are not the batch's any more
 */
export async function retryBarcodeJob(
  { clock, waker }: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  id: string,
): Promise<JobRow> {
  await getBarcodeJob(uow.db, orgId, id);
  await lockJob(uow.db, id);
  // Only now: its artifacts may have expired while it was waited for.
  const job = await getBarcodeJob(uow.db, orgId, id);
  const { status } = job;
  if (status === 'completed' || status === 'cancelled') throw invalidTransition(status, 'queued');
  if (status !== 'failed') return job;
  if (job.artifacts_expired_at !== null)
    throw new AppError('CONFLICT', { detail: 'the job’s artifacts have expired: start a new job' });
  const batch = await lockAndGetBatch(uow.db, orgId, job.batch_id);
  if (batch.relabelled_at !== null && batch.relabelled_at >= job.created_at)
    throw new AppError('CONFLICT', {
      detail:
        'lot, expiry, hidden codes or NFC tags of the batch changed since this job began: start a new job',
    });
  const product = await holdAndGetProduct(uow.db, orgId, batch.product_id);
  const isNamingUnits = namesUnitByGtin(symbologyTraits(symbologyTypeOf(job.symbology)));
  if (isNamingUnits && job.options.gtin !== product.gtin)
    throw new AppError('CONFLICT', {
      detail: 'the product has another GTIN than when this job began: start a new job',
    });
  if (batch.minted < batch.quantity) await requireNoJobOfBatch(uow.db, orgId, batch.id);
  await lockSerialsOfProduct(uow.db, batch.product_id);
  await requireResumable(uow.db, batch, job.options.serials);
  await reopenJob(uow.db, id, clock.now()).catch(refuseSecondJob);
  if (batch.minted < batch.quantity) await requireNoJobOfSerials(uow.db, orgId, batch.product_id);
  uow.afterCommit(() => waker.mintBarcodes([id]));
  return getBarcodeJob(uow.db, orgId, id);
}

/** @throws AppError NOT_FOUND, also before the job is completed and after its artifacts have expired */
export async function getArtifact(db: Db, jobId: string, name: string): Promise<ArtifactRow> {
  const artifact = await findArtifact(db, jobId, name);
  if (artifact === null) throw new AppError('NOT_FOUND', { detail: 'no such artifact' });
  return artifact;
}

/** Artifacts of several jobs, by the job's UUID; none where they have expired. */
export async function artifactsByJob(db: Db, jobs: readonly JobRow[]): Promise<Map<string, ArtifactRow[]>> {
  const completed = jobs
    .filter((job) => job.status === 'completed' && job.artifacts_expired_at === null)
    .map((job) => job.id);
  const byJob = new Map(completed.map((id) => [id, [] as ArtifactRow[]]));
  if (completed.length > 0)
    for (const artifact of await listArtifacts(db, completed)) byJob.get(artifact.job_id)!.push(artifact);
  return byJob;
}
