/** Which code serves which queue, and how much of it at a time. */
import type { QueueName, WakeUps } from '../shared/queues.ts';
import type { WorkerDeps } from './deps.ts';
import { deliverWebhooks, serveSeconds } from './deliver-webhooks/processor.ts';
import { fanOutEvents } from './fan-out-events/processor.ts';
import { checkDomains } from './check-domains/processor.ts';
import { cleanPhotos } from './clean-photos/processor.ts';
import { exportScans } from './export-scans/processor.ts';
import { exportUnits } from './export-units/processor.ts';
import { mintBarcodes } from './mint-barcodes/processor.ts';
import { sendMail } from './send-mail/processor.ts';
import { recoverWebhooks } from './recover-webhooks/processor.ts';
import { runBulkJobs } from './run-bulk-jobs/processor.ts';
import { signPeopleIn } from './sign-people-in/processor.ts';
import { scoreScans } from './score-scans/processor.ts';
import { simulateRiskPolicies } from './simulate-risk-policies/processor.ts';

export interface Registration<Name extends QueueName> {
  /** The result is for the operator's eyes on the Bull Board. */
  process(data: WakeUps[Name]): Promise<object>;
  /** Wake-ups of this queue that one process serves at a time. */
  concurrency: number;
  /** How long a wake-up that ran in a killed worker blocks further ones; what the leases behind it allow, if left out. */
  lockMs?: number;
}

export type Registry = { [Name in QueueName]: Registration<Name> };

export const createRegistry = (deps: WorkerDeps): Registry => ({
  'mint-barcodes': { process: mintBarcodes(deps), concurrency: deps.config.MINT_CONCURRENCY },
  // Scoring is transactions one after another; a second one overlaps the first's waiting for Postgres.
  'score-scans': { process: scoreScans(deps), concurrency: 2 },
  'fan-out-events': { process: fanOutEvents(deps), concurrency: 5 },
  'deliver-webhooks': {
    process: deliverWebhooks(deps),
    concurrency: deps.config.WEBHOOK_CONCURRENCY,
    lockMs: serveSeconds(deps.config) * 1000,
  },
  'send-mail': { process: sendMail(deps), concurrency: 1 },
  'recover-webhooks': { process: recoverWebhooks(deps), concurrency: 2 },
  // One at a time: it reads much and is in no hurry.
  'simulate-risk-policies': { process: simulateRiskPolicies(deps), concurrency: 1 },
  'run-bulk-jobs': { process: runBulkJobs(deps), concurrency: 2 },
  // An image takes a core while it is decoded.
  'clean-photos': { process: cleanPhotos(deps), concurrency: 1 },
  'export-scans': { process: exportScans(deps), concurrency: 2 },
  'export-units': { process: exportUnits(deps), concurrency: 2 },
  'check-domains': { process: checkDomains(deps), concurrency: 1 },
  // Somebody waits: one slow provider must not hold the others up.
  'sign-people-in': { process: signPeopleIn(deps), concurrency: 4 },
});
