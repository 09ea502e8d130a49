/**
 * Every queue, once: name, payload, options. A job is a wake-up ("there is work for X"), never the work itself:
 * the work is a row in Postgres, so a lost, doubled or late wake-up costs time and nothing else.
 */
import { Queue, type JobsOptions } from 'bullmq';
import type { ExportKind } from './exports/kinds.ts';
import { inTime } from './in-time.ts';
import type { Logger } from './logger.ts';
import { REDIS_DEADLINE_MS, type Redis } from './redis.ts';

/** Payloads are ids. The label is for the operator who reads the Bull Board. */
export interface WakeUps {
  /** Do one chunk of this job; a chain of wake-ups in one slot does them one after the other. */
  'mint-barcodes': { jobId: string; slot: number };
  /** Score what waits. */
  'score-scans': { slot: number };
  /** Wake the deliverer for every endpoint of the organization that has something due. */
  'fan-out-events': { orgId: string };
  /** Send what is due for one endpoint. */
  'deliver-webhooks': { endpointId: string };
  /** Send the mail that is due. */
  'send-mail': { outbox: 'mails' };
  /** Take the next step of a recovery. */
  'recover-webhooks': { recoveryId: string };
  /** Work on this simulation. */
  'simulate-risk-policies': { simulationId: string };
  /** Work off this bulk job. */
  'run-bulk-jobs': { jobId: string };
  /** Clean the photos of counterfeit reports that wait. */
  'clean-photos': Record<string, never>;
  /** Write this export. */
  'export-scans': { exportId: string };
  'export-units': { exportId: string };
  /** Look for the records of the domains that are due. */
  'check-domains': Record<string, never>;
  /** Ask providers of single sign-on about the sign-ins that wait. */
  'sign-people-in': { slot: number };
}

export type QueueName = keyof WakeUps;

export const QUEUE_NAMES = [
  'mint-barcodes',
  'score-scans',
  'fan-out-events',
  'deliver-webhooks',
  'send-mail',
  'recover-webhooks',
  'simulate-risk-policies',
  'run-bulk-jobs',
  'clean-photos',
  'export-scans',
  'export-units',
  'check-domains',
  'sign-people-in',
] as const satisfies QueueName[];

/** Which queues a worker process runs, by the name that the Procfile gives it. */
export const WORKER_GROUPS = {
  barcodes: ['mint-barcodes'],
  scans: ['score-scans'],
  webhooks: ['fan-out-events', 'deliver-webhooks', 'recover-webhooks'],
  maintenance: [
    'send-mail',
    'simulate-risk-policies',
    'run-bulk-jobs',
    'clean-photos',
    'export-scans',
    'export-units',
    'check-domains',
    'sign-people-in',
  ],
} as const satisfies Record<string, QueueName[]>;

/** Chains of one job's chunks that may run side by side, over all processes. */
const MINT_SLOTS = 8;
/** Loops that ask providers of single sign-on: while one waits for a slow one, another takes whoever comes. */
const SIGN_IN_SLOTS = 4;
/** Scoring loops that may run side by side, over all processes. */
export const SCORE_SLOTS = 4;

// The row owns retries, so BullMQ's attempts stay at one. A few finished wake-ups are kept for the operator's eyes;
// ids are BullMQ's own, because a retained custom id would turn the next add into a silent no-op.
const JOB_OPTIONS: JobsOptions = {
  attempts: 1,
  removeOnComplete: { count: 200 },
  removeOnFail: { count: 500 },
};

/** Hash-tagged, so that all keys of one queue share a slot of a Redis Cluster and the queues spread over it. */
export const queuePrefix = (prefix: string, name: QueueName): string => `{${prefix}:${name}}`;

export type Queues = { [Name in QueueName]: Queue<WakeUps[Name]> };

export function createQueues(redis: Redis, prefix: string): Queues {
  const create = <Name extends QueueName>(name: Name) => {
    const queue = new Queue<WakeUps[Name]>(name, {
      connection: redis,
      prefix: queuePrefix(prefix, name),
      defaultJobOptions: JOB_OPTIONS,
      skipWaitingForReady: true,
    });
    // The connection's own listener logs; without this one an outage would be an uncaught exception.
    queue.on('error', () => undefined);
    return queue;
  };
  return {
    'mint-barcodes': create('mint-barcodes'),
    'score-scans': create('score-scans'),
    'fan-out-events': create('fan-out-events'),
    'deliver-webhooks': create('deliver-webhooks'),
    'send-mail': create('send-mail'),
    'recover-webhooks': create('recover-webhooks'),
    'simulate-risk-policies': create('simulate-risk-policies'),
    'run-bulk-jobs': create('run-bulk-jobs'),
    'clean-photos': create('clean-photos'),
    'export-scans': create('export-scans'),
    'export-units': create('export-units'),
    'check-domains': create('check-domains'),
    'sign-people-in': create('sign-people-in'),
  };
}

export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(QUEUE_NAMES.map((name) => queues[name].close().catch(() => undefined)));
}

/**
 * Adds wake-ups. Never throws, and keeps nobody waiting: with Redis away the sweeper finds the rows later, and the caller's fact is
 * committed; a Redis that hangs takes them when it goes on.
 */
export interface Waker {
  /** @param slot the one slot to go on in; all of them when left out. */
  mintBarcodes(jobIds: string[], slot?: number): Promise<void>;
  /** When a chunk that failed, or that a dead worker held, is due. */
  mintBarcodesLater(jobId: string, delayMs: number): Promise<void>;
  scoreScans(slots?: number): Promise<void>;
  fanOutEvents(orgIds: string[]): Promise<void>;
  /** @param delayMs until the earliest due dispatch; 0 means now. */
  deliverWebhooks(endpointIds: string[], delayMs?: number): Promise<void>;
  sendMail(): Promise<void>;
  /** When the next mail is due. */
  sendMailLater(delayMs: number): Promise<void>;
  /** @param delayMs until the next step; 0 means now. */
  recoverWebhooks(recoveryIds: string[], delayMs?: number): Promise<void>;
  simulateRiskPolicies(simulationIds: string[]): Promise<void>;
  /** @param delayMs until a job that failed is due again; 0 means now. */
  runBulkJobs(jobIds: string[], delayMs?: number): Promise<void>;
  cleanPhotos(): Promise<void>;
  /** @param delayMs until an export that failed is due again; 0 means now. */
  writeExports(kind: ExportKind, exportIds: string[], delayMs?: number): Promise<void>;
  checkDomains(): Promise<void>;
  signPeopleIn(): Promise<void>;
}

// At most one wake-up of an id waits while one runs: an add during the run is kept and becomes the next job, so
// nothing is lost between "none is due" and the job's end.
const coalesced = (id: string) => ({ deduplication: { id, keepLastIfActive: true } });

// A later wake-up has an id of its own, for it must not swallow one that is wanted now; the newest time wins. One that
// runs asks for the next: without `keepLastIfActive` every second retry would be swallowed and wait for a sweep.
const delayed = (id: string, delay: number) => ({
  delay,
  deduplication: { id, replace: true, keepLastIfActive: true },
});

/**
 * One job by itself: a bulk is a pipeline, and ioredis gives each of those three hundred methods and a getter of its own, 40 KB that
 * outlive all but a full collection. The web process asks for scoring thirty times a second.
 */
async function addAll<Data>(
  queue: Queue<Data>,
  jobs: { name: string; data: Data; opts: JobsOptions }[],
): Promise<void> {
  const [first] = jobs;
  if (first === undefined) return;
  if (jobs.length > 1) await (queue as Queue).addBulk(jobs);
  else await (queue as Queue).add(first.name, first.data, first.opts);
}

export function createWaker(queues: Queues, log: Logger): Waker {
  const guard = async (queue: QueueName, add: () => Promise<unknown>) => {
    try {
      await inTime(add(), REDIS_DEADLINE_MS);
    } catch (error) {
      log.warn({ err: error, queue }, 'wake-up not added; the sweeper will find the work');
    }
  };
  const range = (count: number) => Array.from({ length: count }, (_, slot) => slot);
  return {
    mintBarcodes: (jobIds, slot) =>
      guard('mint-barcodes', () =>
        addAll(
          queues['mint-barcodes'],
          jobIds.flatMap((jobId) =>
            (slot === undefined ? range(MINT_SLOTS) : [slot]).map((each) => ({
              name: 'mint-chunk',
              data: { jobId, slot: each },
              opts: coalesced(`${jobId}-${each}`),
            })),
          ),
        ),
      ),
    mintBarcodesLater: (jobId, delayMs) =>
      guard('mint-barcodes', () =>
        queues['mint-barcodes'].add(
          'mint-chunk-later',
          { jobId, slot: 0 },
          delayed(`later-${jobId}`, delayMs),
        ),
      ),
    scoreScans: (slots = 1) =>
      guard('score-scans', () =>
        addAll(
          queues['score-scans'],
          range(slots).map((slot) => ({
            name: 'score-waiting-scans',
            data: { slot },
            opts: coalesced(`slot-${slot}`),
          })),
        ),
      ),
    fanOutEvents: (orgIds) =>
      guard('fan-out-events', () =>
        addAll(
          queues['fan-out-events'],
          orgIds.map((orgId) => ({ name: 'wake-endpoints', data: { orgId }, opts: coalesced(orgId) })),
        ),
      ),
    deliverWebhooks: (endpointIds, delayMs = 0) =>
      guard('deliver-webhooks', () =>
        addAll(
          queues['deliver-webhooks'],
          endpointIds.map((endpointId) => ({
            name: delayMs > 0 ? 'deliver-later' : 'deliver-due',
            data: { endpointId },
            opts: delayMs > 0 ? delayed(`later-${endpointId}`, delayMs) : coalesced(endpointId),
          })),
        ),
      ),
    sendMail: () =>
      guard('send-mail', () =>
        queues['send-mail'].add('send-due-mail', { outbox: 'mails' }, coalesced('mails')),
      ),
    sendMailLater: (delayMs) =>
      guard('send-mail', () =>
        queues['send-mail'].add('send-mail-later', { outbox: 'mails' }, delayed('mails-later', delayMs)),
      ),
    recoverWebhooks: (recoveryIds, delayMs = 0) =>
      guard('recover-webhooks', () =>
        addAll(
          queues['recover-webhooks'],
          recoveryIds.map((recoveryId) => ({
            name: delayMs > 0 ? 'recover-later' : 'recover-step',
            data: { recoveryId },
            opts: delayMs > 0 ? delayed(`later-${recoveryId}`, delayMs) : coalesced(recoveryId),
          })),
        ),
      ),
    simulateRiskPolicies: (simulationIds) =>
      guard('simulate-risk-policies', () =>
        addAll(
          queues['simulate-risk-policies'],
          simulationIds.map((simulationId) => ({
            name: 'simulate',
            data: { simulationId },
            opts: coalesced(simulationId),
          })),
        ),
      ),
    runBulkJobs: (jobIds, delayMs = 0) =>
      guard('run-bulk-jobs', () =>
        addAll(
          queues['run-bulk-jobs'],
          jobIds.map((jobId) => ({
            name: delayMs > 0 ? 'run-later' : 'run-slices',
            data: { jobId },
            opts: delayMs > 0 ? delayed(`later-${jobId}`, delayMs) : coalesced(jobId),
          })),
        ),
      ),
    cleanPhotos: () =>
      guard('clean-photos', () => queues['clean-photos'].add('clean-waiting', {}, coalesced('all'))),
    writeExports: (kind, exportIds, delayMs = 0) =>
      guard(`export-${kind}`, () =>
        addAll(
          queues[`export-${kind}`],
          exportIds.map((exportId) => ({
            name: delayMs > 0 ? 'export-later' : 'export',
            data: { exportId },
            opts: delayMs > 0 ? delayed(`later-${exportId}`, delayMs) : coalesced(exportId),
          })),
        ),
      ),
    checkDomains: () =>
      guard('check-domains', () => queues['check-domains'].add('check-due', {}, coalesced('all'))),
    signPeopleIn: () =>
      guard('sign-people-in', () =>
        addAll(
          queues['sign-people-in'],
          range(SIGN_IN_SLOTS).map((slot) => ({
            name: 'ask-providers',
            data: { slot },
            opts: coalesced(`slot-${slot}`),
          })),
        ),
      ),
  };
}
