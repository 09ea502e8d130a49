import { z } from 'zod';
import {
  artifactsByJob,
  cancelBarcodeJob,
  getBarcodeJob,
  holdBarcodeJob,
  listJobs,
  retryBarcodeJob,
  startBarcodeJob,
  type JobRow,
} from '../../shared/barcode-jobs/service.ts';
import { failedSince } from '../../shared/attention/service.ts';
import type { Db } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import type { ApiDeps } from '../deps.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { accepted, needs, ok, operation } from '../operation.ts';
import { streamJob } from './event-stream.ts';
import { jobSchema, listJobsQuery, presentJob, startJobBody } from './schema.ts';

const tag = 'Barcode jobs';
const RETRY_AFTER = { 'Retry-After': '1' };
/** Who may read jobs, and the links to their files. */
export const readsJobs = needs('products.read', 'barcodes.generate');

const isOpen = (job: JobRow): boolean => job.status === 'queued' || job.status === 'running';

/** Jobs with the artifacts of those that are completed. */
async function presenter({ clock, config, links }: ApiDeps, db: Db, jobs: readonly JobRow[]) {
  const artifacts = await artifactsByJob(db, jobs);
  const linksExpireAt = new Date(clock.now().getTime() + config.ARTIFACT_LINK_SECONDS * 1000);
  const options = { links, linksExpireAt, retentionDays: config.ARTIFACT_RETENTION_DAYS };
  return (job: JobRow) => presentJob(job, artifacts.get(job.id) ?? [], options);
}

export const barcodeJobOperations = [
  operation({
    method: 'post',
    path: '/api/v1/batches/{id}/barcode-jobs',
    operationId: 'startBarcodeJob',
    tag,
    summary: 'Start a barcode job for a batch',
    description:
      'Mints the batch’s units, each with a code, and makes their images. Poll the job at `Location`. Units that an earlier job minted are rendered again, never minted twice.',
    access: needs('barcodes.generate'),
    ids: { id: 'batch' },
    body: startJobBody,
    idempotent: true,
    responses: {
      202: {
        description: 'The job, queued',
        schema: jobSchema,
        headers: {
          Location: { description: 'Where to poll the job' },
          'Retry-After': { description: 'Seconds until the next poll' },
        },
      },
    },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, ids, body }) => {
      const { clock, waker, config } = deps;
      const jobDeps = { clock, waker, chunkUnits: config.MINT_CHUNK_UNITS, baseUrl: config.PRINTED_URL };
      const job = await startBarcodeJob(jobDeps, { db, afterCommit }, actor.orgId, ids.id, body);
      const present = await presenter(deps, db, [job]);
      return accepted(present(job), `/api/v1/barcode-jobs/${encodeId('job', job.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/barcode-jobs',
    operationId: 'listBarcodeJobs',
    tag,
    summary: 'List barcode jobs, newest first',
    access: readsJobs,
    query: listJobsQuery,
    responses: { 200: { description: 'A page of jobs', schema: listOf(jobSchema) } },
    handle: async ({ deps, db, actor, query }) => {
      const openOrFailedSince =
        query.needsAttention === undefined ? undefined : failedSince(deps.clock.now());
      const page = await listJobs(db, actor.orgId, { ...query, openOrFailedSince }, pageRequest(query));
      return ok(listBody('barcode-jobs', page, await presenter(deps, db, page.rows)));
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/barcode-jobs/{id}',
    operationId: 'getBarcodeJob',
    tag,
    summary: 'Read a barcode job',
    access: readsJobs,
    ids: { id: 'job' },
    responses: {
      200: {
        description: 'The job',
        schema: jobSchema,
        headers: {
          'Retry-After': { description: 'Seconds until the next poll, while the job is not finished' },
        },
      },
    },
    handle: async ({ deps, db, actor, ids }) => {
      const job = await getBarcodeJob(db, actor.orgId, ids.id);
      const present = await presenter(deps, db, [job]);
      return ok(present(job), isOpen(job) ? RETRY_AFTER : {});
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/barcode-jobs/{id}/events',
    operationId: 'watchBarcodeJob',
    tag,
    summary: 'Watch a barcode job',
    description:
      'Server-sent events: `progress` with the job whenever it has moved, at least once a second while it runs, and `end` with the finished job, after which the stream closes. A comment every 15 seconds keeps proxies patient. A client that reconnects gets the job as it is; one that has had the `end` already gets 204, which ends an `EventSource`. An organization has 50 streams at a time; beyond them, poll the job.',
    access: readsJobs,
    ids: { id: 'job' },
    responses: {
      200: { description: 'The stream', schema: z.string(), mediaType: 'text/event-stream' },
      204: { description: 'The job is finished, and the client has had its `end`' },
    },
    handle: async ({ deps, db, actor, ids, req, res }) => {
      const job = await getBarcodeJob(db, actor.orgId, ids.id);
      await streamJob(deps, job, req, res, async (row) => (await presenter(deps, db, [row]))(row));
      return null;
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/barcode-jobs/{id}/retry',
    operationId: 'retryBarcodeJob',
    tag,
    summary: 'Take a failed barcode job up again',
    description: 'It goes on where it stopped; what is done stays done. A job that is open is left as it is.',
    access: needs('barcodes.generate'),
    ids: { id: 'job' },
    responses: { 202: { description: 'The job, queued again', schema: jobSchema } },
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    handle: async ({ deps, db, afterCommit, actor, ids }) => {
      const job = await retryBarcodeJob(deps, { db, afterCommit }, actor.orgId, ids.id);
      const present = await presenter(deps, db, [job]);
      return accepted(present(job), `/api/v1/barcode-jobs/${encodeId('job', job.id)}`);
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/barcode-jobs/{id}/cancel',
    operationId: 'cancelBarcodeJob',
    tag,
    summary: 'Cancel a barcode job',
    description: 'What is minted stays: whole chunks or nothing. A new job of the batch goes on from there.',
    access: needs('barcodes.generate'),
    ids: { id: 'job' },
    // A worker waits as well: what it has made is no change of this caller.
    lock: ({ db, actor, ids }) => holdBarcodeJob(db, actor.orgId, ids.id),
    responses: { 200: { description: 'The cancelled job', schema: jobSchema } },
    errors: ['INVALID_TRANSITION'],
    handle: async ({ deps, db, actor, ids }) => {
      const job = await cancelBarcodeJob(deps, db, actor.orgId, ids.id);
      const present = await presenter(deps, db, [job]);
      return ok(present(job));
    },
  }),
];
