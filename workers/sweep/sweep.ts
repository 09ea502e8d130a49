/**
 * The sweeper: looks for due rows that nobody claimed and wakes them again. After a FLUSHALL, a Redis failover or a
 * crash between commit and wake-up, everything goes on within two sweeps.
 */
import { forgetOldAccountData } from '../../shared/accounts/housekeeping.ts';
import { SECOND_FACTORS } from '../../shared/accounts/second-factor.ts';
import { expireOldExports, listNeglectedExportIds } from '../../shared/exports/housekeeping.ts';
import type { ExportKind } from '../../shared/exports/kinds.ts';
import { expireOldArtifacts, forgetBrokenUploads } from '../../shared/barcode-jobs/retention.ts';
import { forgetLeftItems, listNeglectedBulkJobIds } from '../../shared/bulk-jobs/service.ts';
import { listNeglectedJobIds } from '../../shared/barcode-jobs/service.ts';
import { forgetContactMessages } from '../../shared/contact/service.ts';
import { countNeglectedPhotos } from '../../shared/counterfeit-reports/photos.ts';
import { forgetOldContacts, forgetReporters } from '../../shared/counterfeit-reports/retention.ts';
import { countDueDomains } from '../../shared/domains/service.ts';
import { countDue as countDueSignIns, PROVIDER_SECRETS } from '../../shared/single-sign-on/service.ts';
import { isLockTimeout } from '../../shared/db.ts';
import { isPassing } from '../../shared/errors.ts';
import { forgetExpiredKeys } from '../../shared/idempotency/service.ts';
import { WAITING_MAILS } from '../../shared/mail/outbox.ts';
import { findNextDueAt as findNextMailDueAt } from '../../shared/mail/sending.ts';
import { makePartitionsAhead } from '../../shared/partitions/service.ts';
import { SCORE_SLOTS } from '../../shared/queues.ts';
import { tellBegunRecalls } from '../../shared/recalls/service.ts';
import { makeEventsCoarse } from '../../shared/events/retention.ts';
import { resealStale } from '../../shared/reseal.ts';
import { forgetOldTaps } from '../../shared/nfc/retention.ts';
import { forgetOldSimulations } from '../../shared/risk-simulations/housekeeping.ts';
import { listNeglectedSimulationIds } from '../../shared/risk-simulations/service.ts';
import { applyOrganizationRetention, dropExpiredScans } from '../../shared/retention/service.ts';

import { learnHindsights } from '../../shared/scans/learning.ts';
import { applyRetention } from '../../shared/scans/retention.ts';
import { hasOpenLotReviews } from '../../shared/scans/lot-review.ts';
import { findOldestUnscored } from '../../shared/scans/scoring.ts';
import { forgetOldRequestErrors } from '../../shared/request-errors/service.ts';
import { removeStrayFiles } from '../../shared/storage/intake.ts';
import { discardForDeletedEndpoints } from '../../shared/webhooks/deleted-endpoints.ts';
import { dropExpiredPartitions } from '../../shared/webhooks/retention.ts';
import { listDueRecoveryIds } from '../../shared/webhooks/recoveries.ts';
import { ENDPOINT_HEADERS, SIGNING_SECRETS } from '../../shared/webhooks/sealed.ts';
import { listNeglectedEndpointIds } from '../../shared/webhooks/turn.ts';
import type { WorkerDeps } from '../deps.ts';
import { runEach } from './run-each.ts';

// More than this many waits for the next sweep: their own chains of wake-ups take them on.
const MOST_WAKE_UPS = 1_000;
// Younger than this, a scan's own wake-up is still on its way.
const UNSCORED_GRACE_MS = 1_000;

export type SweepDeps = Pick<WorkerDeps, 'db' | 'clock' | 'waker' | 'log'>;

export interface SweepReport {
  jobs: number;
  bulkJobs: number;
  photos: number;
  exports: number;
  domains: number;
  /** Those that wait for the organization's provider to be asked, and providers to be looked at. */
  signIns: number;
  endpoints: number;
  /** Planned ones of consignments that have begun, and were told. */
  recalls: number;
  scansWaitSince: Date | null;
}

/**
 * One sweep. Waking what is awake already changes nothing. It also tells of what nothing else notices: a time that has come. Each kind of work goes
 * by itself, for a table that an operator locks is one kind's.
 * @throws Error after the last, with the names of those that failed; at once where Postgres is away
 */
export async function sweep({ db, clock, waker, log }: SweepDeps): Promise<SweepReport> {
  const now = clock.now();
  const wake = async (ids: string[], wakeUp: (ids: string[]) => Promise<void>): Promise<number> => {
    if (ids.length > 0) await wakeUp(ids);
    return ids.length;
  };
  const exportsOf = (kind: ExportKind) => async () =>
    wake(await listNeglectedExportIds(db, kind, now, MOST_WAKE_UPS), (ids) => waker.writeExports(kind, ids));
  const steps = {
    jobs: async () => wake(await listNeglectedJobIds(db, now, MOST_WAKE_UPS), waker.mintBarcodes),
    scansWaitSince: async () => {
      const since = await findOldestUnscored(db);
      if (since !== null && now.getTime() - since.getTime() >= UNSCORED_GRACE_MS)
        await waker.scoreScans(SCORE_SLOTS);
      else if (await hasOpenLotReviews(db, now)) await waker.scoreScans();
      return since;
    },
    endpoints: async () =>
      wake(await listNeglectedEndpointIds(db, now, MOST_WAKE_UPS), waker.deliverWebhooks),
    mail: async () => {
      const dueAt = await findNextMailDueAt(db);
      if (dueAt !== null && dueAt <= now) await waker.sendMail();
    },
    recoveries: async () => wake(await listDueRecoveryIds(db, now, MOST_WAKE_UPS), waker.recoverWebhooks),
    simulations: async () =>
      wake(await listNeglectedSimulationIds(db, now, MOST_WAKE_UPS), waker.simulateRiskPolicies),
    bulkJobs: async () => wake(await listNeglectedBulkJobIds(db, now, MOST_WAKE_UPS), waker.runBulkJobs),
    photos: async () => {
      const photos = await countNeglectedPhotos(db, now);
      if (photos > 0) await waker.cleanPhotos();
      return photos;
    },
    scanExports: exportsOf('scans'),
    unitExports: exportsOf('units'),
    domains: async () => {
      const domains = await countDueDomains(db, now);
      if (domains > 0) await waker.checkDomains();
      return domains;
    },
    signIns: async () => {
      const signIns = await countDueSignIns(db, now);
      if (signIns > 0) await waker.signPeopleIn();
      return signIns;
    },
    recalls: () => tellBegunRecalls({ db, clock, waker }, MOST_WAKE_UPS),
  };
  const isAway = (error: unknown): boolean => isPassing(error) && !isLockTimeout(error);
  const {
    jobs,
    bulkJobs,
    photos,
    scanExports,
    unitExports,
    domains,
    signIns,
    endpoints,
    recalls,
    scansWaitSince,
  } = await runEach(log, 'sweep', steps, isAway);
  const exports = scanExports + unitExports;
  return { jobs, bulkJobs, photos, exports, domains, signIns, endpoints, recalls, scansWaitSince };
}

export interface HousekeepingReport {
  scans: { madeCoarse: number; droppedPartitions: number };
  /** Of any type: how many came of that age. */
  eventsMadeCoarse: number;
  partitions: number;
  /** Of events and of the log of deliveries. */
  droppedPartitions: number;
  /** Rows that organizations keep for less time than the installation. */
  retention: Awaited<ReturnType<typeof applyOrganizationRetention>>;
  /** Scans that were as old as any is kept and had taps of NFC tags. */
  nfcTaps: number;
  /** Of deleted endpoints. */
  discardedDispatches: number;
  idempotencyKeys: number;
  accounts: Awaited<ReturnType<typeof forgetOldAccountData>>;
  /** Of organizations' histories. */
  hindsights: Awaited<ReturnType<typeof learnHindsights>>;
  simulations: number;
  /** Of bulk jobs that are over. */
  leftLists: number;
  brokenUploads: number;
  contacts: number;
  /** Of the contact form. */
  contactMessages: number;
  /** Reports whose reporter's network was forgotten. */
  reporters: number;
  requestErrors: number;
  /** Secrets that an older key had sealed; `unreadable` ones need a key that is not in the ring. */
  secrets: Awaited<ReturnType<typeof resealStale>>;
  expiredJobs: number;
  expiredExports: number;
  strayUploads: number;
}

// What answers `Idempotency-Key` a second time is sealed too, and goes within a day by itself.
const SEALED_KINDS = [SIGNING_SECRETS, ENDPOINT_HEADERS, SECOND_FACTORS, PROVIDER_SECRETS, WAITING_MAILS];

/**
 * What needs doing now and then rather than at once. Each step goes by itself: one that fails is logged, and the others go on.
 * @throws Error after the last step, with the names of those that failed
 */
export async function housekeep(
  given: SweepDeps & Pick<WorkerDeps, 'config' | 'storage' | 'secretBox' | 'log'>,
): Promise<HousekeepingReport> {
  const { SCAN_ADDRESS_DAYS, SCAN_PSEUDONYM_DAYS: pseudonymDays, SCAN_RETENTION_DAYS } = given.config;
  const { ARTIFACT_RETENTION_DAYS, REPORT_CONTACT_DAYS } = given.config;
  // One time for all rules: what is dropped must have been made coarse, or a profile would keep an exact position whose scan is gone.
  const now = given.clock.now();
  const deps = { ...given, clock: { now: () => now } };
  const addressDays = Math.min(SCAN_ADDRESS_DAYS, SCAN_RETENTION_DAYS);
  return runEach(given.log, 'housekeeping', {
    // One step, for the same reason: where the first half fails, the second must not be.
    scans: async () => ({
      madeCoarse: await applyRetention(deps, { addressDays, pseudonymDays }),
      droppedPartitions: await dropExpiredScans(deps),
    }),
    eventsMadeCoarse: () => makeEventsCoarse(deps, addressDays),
    partitions: () => makePartitionsAhead(deps.db, now),
    droppedPartitions: () => dropExpiredPartitions(deps),
    retention: () => applyOrganizationRetention(deps),
    nfcTaps: () => forgetOldTaps(deps, SCAN_RETENTION_DAYS),
    discardedDispatches: () => discardForDeletedEndpoints(deps),
    idempotencyKeys: () => forgetExpiredKeys(deps, deps.db),
    accounts: () => forgetOldAccountData(deps, deps.db),
    hindsights: () => learnHindsights(deps),
    simulations: () => forgetOldSimulations(deps, ARTIFACT_RETENTION_DAYS),
    leftLists: () => forgetLeftItems(deps.db),
    brokenUploads: () => forgetBrokenUploads(deps),
    contacts: () => forgetOldContacts(deps, REPORT_CONTACT_DAYS),
    contactMessages: () => forgetContactMessages(deps, REPORT_CONTACT_DAYS),
    reporters: () => forgetReporters(deps, pseudonymDays),
    requestErrors: () => forgetOldRequestErrors(deps),
    secrets: async () => {
      const secrets = await resealStale(deps, SEALED_KINDS);
      if (secrets.unreadable > 0)
        given.log.error(secrets, 'secrets are sealed with a key that SECRET_BOX_KEYS does not have');
      return secrets;
    },
    // Last, those that need the storage: one that is away may take its time to say so.
    expiredJobs: () => expireOldArtifacts({ ...deps, retentionDays: ARTIFACT_RETENTION_DAYS }),
    expiredExports: () => expireOldExports(deps, ARTIFACT_RETENTION_DAYS),
    strayUploads: () => removeStrayFiles(deps),
  });
}
