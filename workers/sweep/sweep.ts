/**
 * The sweeper: looks for due rows that nobody claimed and wakes them again. After a FLUSHALL, a Redis failover or a
 * crash between commit and wake-up, everything goes on within two sweeps.
 */
import { forgetOldAccountData } from '../../shared/accounts/housekeeping.ts';
import { SECOND_FACTORS } from '../../shared/accounts/second-factor.ts';
import { expireOldArtifacts, forgetBrokenUploads } from '../../shared/barcode-jobs/retention.ts';
import { listNeglectedBulkJobIds } from '../../shared/bulk-jobs/service.ts';
import { listNeglectedJobIds } from '../../shared/barcode-jobs/service.ts';
import { countNeglectedPhotos } from '../../shared/counterfeit-reports/photos.ts';
import { forgetOldContacts } from '../../shared/counterfeit-reports/retention.ts';
import { forgetExpiredKeys } from '../../shared/idempotency/service.ts';
import { WAITING_MAILS } from '../../shared/mail/outbox.ts';
import { findNextDueAt as findNextMailDueAt } from '../../shared/mail/sending.ts';
import { makePartitionsAhead } from '../../shared/partitions/service.ts';
import { SCORE_SLOTS } from '../../shared/queues.ts';
import { makeEventsCoarse } from '../../shared/events/retention.ts';
import { resealStale } from '../../shared/reseal.ts';
import { forgetOldSimulations } from '../../shared/risk-simulations/housekeeping.ts';
import { listNeglectedSimulationIds } from '../../shared/risk-simulations/service.ts';
import { applyOrganizationRetention, dropExpiredScans } from '../../shared/retention/service.ts';
import { expireOldExports, listNeglectedExportIds } from '../../shared/scan-exports/housekeeping.ts';
import { applyRetention } from '../../shared/scans/retention.ts';
import { hasOpenLotReviews } from '../../shared/scans/lot-review.ts';
import { findOldestUnscored } from '../../shared/scans/scoring.ts';
import { forgetOldRequestErrors } from '../../shared/request-errors/service.ts';
import { removeStrayFiles } from '../../shared/storage/intake.ts';
import { dropExpiredPartitions } from '../../shared/webhooks/retention.ts';
import { listDueRecoveryIds } from '../../shared/webhooks/recoveries.ts';
import { ENDPOINT_HEADERS, SIGNING_SECRETS } from '../../shared/webhooks/sealed.ts';
import { listNeglectedEndpointIds } from '../../shared/webhooks/turn.ts';
import type { WorkerDeps } from '../deps.ts';

// More than this many waits for the next sweep: their own chains of wake-ups take them on.
const MOST_WAKE_UPS = 1_000;
// Younger than this, a scan's own wake-up is still on its way.
const UNSCORED_GRACE_MS = 1_000;

export type SweepDeps = Pick<WorkerDeps, 'db' | 'clock' | 'waker'>;

export interface SweepReport {
  jobs: number;
  bulkJobs: number;
  photos: number;
  exports: number;
  endpoints: number;
  scansWaitSince: Date | null;
}

/** One sweep. Waking what is awake already changes nothing. */
export async function sweep({ db, clock, waker }: SweepDeps): Promise<SweepReport> {
  const now = clock.now();
  const jobs = await listNeglectedJobIds(db, now, MOST_WAKE_UPS);
  if (jobs.length > 0) await waker.mintBarcodes(jobs);
  const scansWaitSince = await findOldestUnscored(db);
  if (scansWaitSince !== null && now.getTime() - scansWaitSince.getTime() >= UNSCORED_GRACE_MS) {
    await waker.scoreScans(SCORE_SLOTS);
  } else if (await hasOpenLotReviews(db, now)) {
    await waker.scoreScans();
  }
  const endpoints = await listNeglectedEndpointIds(db, now, MOST_WAKE_UPS);
  if (endpoints.length > 0) await waker.deliverWebhooks(endpoints);
  const mailDueAt = await findNextMailDueAt(db);
  if (mailDueAt !== null && mailDueAt <= now) await waker.sendMail();
  const recoveries = await listDueRecoveryIds(db, now, MOST_WAKE_UPS);
  if (recoveries.length > 0) await waker.recoverWebhooks(recoveries);
  const simulations = await listNeglectedSimulationIds(db, now, MOST_WAKE_UPS);
  if (simulations.length > 0) await waker.simulateRiskPolicies(simulations);
  const bulkJobs = await listNeglectedBulkJobIds(db, now, MOST_WAKE_UPS);
  if (bulkJobs.length > 0) await waker.runBulkJobs(bulkJobs);
  const photos = await countNeglectedPhotos(db, now);
  if (photos > 0) await waker.cleanPhotos();
  const exports = await listNeglectedExportIds(db, now, MOST_WAKE_UPS);
  if (exports.length > 0) await waker.exportScans(exports);
  return {
    jobs: jobs.length,
    bulkJobs: bulkJobs.length,
    photos,
    exports: exports.length,
    endpoints: endpoints.length,
    scansWaitSince,
  };
}

export interface HousekeepingReport {
  partitions: number;
  droppedPartitions: number;
  /** Rows that organizations keep for less time than the installation. */
  retention: Awaited<ReturnType<typeof applyOrganizationRetention>>;
  idempotencyKeys: number;
  accounts: Awaited<ReturnType<typeof forgetOldAccountData>>;
  expiredJobs: number;
  expiredExports: number;
  simulations: number;
  brokenUploads: number;
  scansMadeCoarse: number;
  /** Of any type: how many came of that age. */
  eventsMadeCoarse: number;
  strayUploads: number;
  contacts: number;
  requestErrors: number;
  /** Secrets that an older key had sealed; `unreadable` ones need a key that is not in the ring. */
  secrets: Awaited<ReturnType<typeof resealStale>>;
}

// What answers `Idempotency-Key` a second time is sealed too, and goes within a day by itself.
const SEALED_KINDS = [SIGNING_SECRETS, ENDPOINT_HEADERS, SECOND_FACTORS, WAITING_MAILS];

/** What needs doing now and then rather than at once. */
export async function housekeep(
  given: SweepDeps & Pick<WorkerDeps, 'config' | 'storage' | 'secretBox'>,
): Promise<HousekeepingReport> {
  const { SCAN_ADDRESS_DAYS, SCAN_PSEUDONYM_DAYS: pseudonymDays, SCAN_RETENTION_DAYS } = given.config;
  // One time for all rules: what is dropped must have been made coarse, or a profile would keep an exact position whose scan is gone.
  const now = given.clock.now();
  const deps = { ...given, clock: { now: () => now } };
  const addressDays = Math.min(SCAN_ADDRESS_DAYS, SCAN_RETENTION_DAYS);
  return {
    scansMadeCoarse: await applyRetention(deps, { addressDays, pseudonymDays }),
    eventsMadeCoarse: await makeEventsCoarse(deps, addressDays),
    partitions: await makePartitionsAhead(deps.db, deps.clock.now()),
    droppedPartitions: (await dropExpiredPartitions(deps)) + (await dropExpiredScans(deps)),
    retention: await applyOrganizationRetention(deps),
    idempotencyKeys: await forgetExpiredKeys(deps, deps.db),
    accounts: await forgetOldAccountData(deps, deps.db),
    expiredJobs: await expireOldArtifacts({ ...deps, retentionDays: deps.config.ARTIFACT_RETENTION_DAYS }),
    expiredExports: await expireOldExports(deps, deps.config.ARTIFACT_RETENTION_DAYS),
    simulations: await forgetOldSimulations(deps, deps.config.ARTIFACT_RETENTION_DAYS),
    brokenUploads: await forgetBrokenUploads(deps),
    strayUploads: await removeStrayFiles(deps),
    contacts: await forgetOldContacts(deps, deps.config.REPORT_CONTACT_DAYS),
    requestErrors: await forgetOldRequestErrors(deps),
    secrets: await resealStale(deps, SEALED_KINDS),
  };
}
