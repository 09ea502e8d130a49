/** `GET /ops/status`: the installation's state as JSON, for the dashboard's operator screen and for scripts. */
import { z } from 'zod';
import { readStatus } from '../../shared/installation/service.ts';
import { ok, operation, operator } from '../operation.ts';

const says = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description });
const instant = (description: string) => says(z.iso.datetime(), description);
const count = (description: string) => says(z.number().int().min(0), description);
const text = (description: string) => says(z.string(), description);
const answersInMs = says(z.number(), 'How long the answer took, in milliseconds');

const runningProcess = z
  .object({
    process: text('As in the Procfile: `web`, `worker-scans`'),
    version: text('Of the program that it runs'),
    startedAt: instant('When it began'),
    lastSeenAt: instant('When it was last heard of'),
  })
  .meta({ id: 'RunningProcess', description: 'A process that was heard of in the last half minute' });

const queueDepth = z
  .object({
    name: text('Of the queue, as in Bull Board'),
    waiting: count('Wake-ups that wait for a worker'),
    active: count('Wake-ups that a worker is at'),
    delayed: count('Wake-ups that are for later'),
    failed: count('Wake-ups that failed for good'),
  })
  .meta({ id: 'QueueDepth', description: 'What is in a queue' });

const sweeper = z.object({
  everySeconds: count('How often it looks'),
  last: z
    .object({
      at: instant('When it looked'),
      ms: count('How long that took, in milliseconds'),
      did: says(z.record(z.string(), z.number().int()), 'What it woke or did, by kind; zeros left out'),
    })
    .nullable()
    .meta({ description: 'The last time that it looked; null where it has not yet, or Redis is away' }),
  isLate: says(z.boolean(), 'Whether it has missed three turns'),
});

const oldestWork = (kind: string) =>
  z
    .object({
      since: instant('Since when it is due'),
      seconds: count('The same in seconds, until now'),
    })
    .nullable()
    .meta({ description: `Of ${kind}, what waits the longest; null where nothing does` });

const oldestDue = z.object({
  barcodeChunks: oldestWork('codes to mint'),
  scans: oldestWork('scans to score'),
  webhookDispatches: oldestWork('events to deliver'),
  mails: oldestWork('mails to send'),
  bulkJobs: oldestWork('bulk jobs'),
  webhookRecoveries: oldestWork('recoveries of webhooks'),
  reportPhotos: oldestWork('photos to clean'),
  simulations: oldestWork('trials of risk policies'),
  scanExports: oldestWork('exports of scans'),
  unitExports: oldestWork('exports of units'),
  domains: oldestWork('domains whose record is to be looked for'),
  signIns: oldestWork('sign-ins by providers, and looks at those'),
});

const status = z
  .object({
    version: text('Of the program that answers'),
    at: instant('When this was read'),
    postgres: z
      .object({ version: text('Of the server'), ms: answersInMs })
      .nullable()
      .meta({ description: 'The database; null where it does not answer' }),
    redis: z
      .object({ version: says(z.string().nullable(), 'Of the server, where it tells'), ms: answersInMs })
      .nullable()
      .meta({ description: 'Redis; null where it does not answer' }),
    processes: says(z.array(runningProcess).nullable(), 'Processes that live; null while Redis is away'),
    queues: says(z.array(queueDepth).nullable(), 'What is in each queue; null while Redis is away'),
    sweeper: says(sweeper, 'What looks for forgotten work'),
    oldestDue: says(
      oldestDue.nullable(),
      'Work that waits the longest, by kind; null while the database is away',
    ),
  })
  .meta({ id: 'InstallationStatus', description: 'How the installation is doing' });

export const operatorOperations = [
  operation({
    method: 'get',
    path: '/ops/status',
    operationId: 'readInstallationStatus',
    tag: 'Operation',
    summary: 'How the installation is doing, over all organizations',
    description:
      'For whoever runs the installation. A part that cannot be read is null, and the others are told all the same. In production it is there only with `OPS_PUBLIC=true`.',
    access: operator,
    responses: { 200: { description: 'How it is now', schema: status } },
    handle: async ({ deps }) => ok(await readStatus(deps), { 'Cache-Control': 'no-store' }),
  }),
];
