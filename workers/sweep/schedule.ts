/** Runs the sweeper by a timer of this process: a repeating job in Redis would be lost with Redis. */
import { rollUp } from '../../shared/analytics/service.ts';
import { createPool, type Pool } from '../../shared/db.ts';
import { runAlone } from '../../shared/leader.ts';
import type { Logger } from '../../shared/logger.ts';
import { noteSweep } from '../../shared/installation/heartbeats.ts';
import type { WorkerDeps } from '../deps.ts';
import { refuseFastClock } from './machine-clock.ts';
import { mailAlerts } from './mail-alerts.ts';
import { mailNotices, mailSecurityNotices } from './mail-notices.ts';
import { mailSummaries } from './mail-summaries.ts';
import { runEach } from './run-each.ts';
import { housekeep, sweep } from './sweep.ts';

const HOUSEKEEPING_SECONDS = 3600;
// What analytics lag behind by; a fold of a few seconds' deltas takes some milliseconds.
const ROLL_UP_SECONDS = 2;
// An alert gathers for minutes.
const ALERT_SECONDS = 60;
// What it tells of is over for hours.
const SUMMARY_SECONDS = 600;

export interface Schedule {
  /** Ends the timers and waits for what is under way. */
  stop(): Promise<void>;
}

/** @param machineMs what this machine's clock says, since 1970 */
export function scheduleSweeps(deps: WorkerDeps, machineMs?: () => number): Schedule {
  // Each holds one for as long as it runs. Of their own, so that the work has as many as were asked for, if only one.
  const locks = createPool({
    databaseUrl: deps.config.DATABASE_URL,
    max: 5,
    applicationName: 'touchstone-worker-locks',
    onError: (error) => deps.log.warn({ err: error }, 'idle Postgres connection lost'),
  });
  const repeat = (name: string, seconds: number, work: () => Promise<void>) =>
    repeatAlone({ locks, log: deps.log }, name, seconds, work);
  const sweeps = repeat('sweep', deps.config.SWEEP_SECONDS, async () => {
    const started = performance.now();
    const { report, notices, securityNotices } = await runEach(deps.log, 'sweep', {
      report: () => sweep(deps),
      notices: () => mailNotices(deps),
      securityNotices: () => mailSecurityNotices(deps),
    });
    const mails = notices + securityNotices;
    const { scansWaitSince: _, ...woken } = report;
    await noteSweep(deps, performance.now() - started, { ...woken, mails });
    if (report.jobs + report.bulkJobs + report.photos + report.exports + report.endpoints > 0)
      deps.log.info(report, 'woke neglected work');
  });
  const chores = repeat('housekeeping', HOUSEKEEPING_SECONDS, async () => {
    await refuseFastClock(deps.db, machineMs);
    deps.log.info(await housekeep(deps), 'housekeeping done');
  });
  const rollUps = repeat('roll-up', ROLL_UP_SECONDS, async () => {
    await rollUp(deps.db);
  });
  const alerts = repeat('alerts', ALERT_SECONDS, async () => {
    await mailAlerts(deps);
  });
  const summaries = repeat('summaries', SUMMARY_SECONDS, async () => {
    await mailSummaries(deps);
  });
  return {
    stop: async () => {
      await Promise.all([sweeps.stop(), chores.stop(), rollUps.stop(), alerts.stop(), summaries.stop()]);
      await locks.end();
    },
  };
}

/** Now and every `seconds` after; never twice at a time, in this process or another. */
function repeatAlone(
  { locks, log }: { locks: Pool; log: Logger },
  name: string,
  seconds: number,
  work: () => Promise<void>,
): Schedule {
  let current: Promise<void> = Promise.resolve();
  let busy = false;
  const tick = () => {
    if (busy) return;
    busy = true;
    current = runAlone(locks, name, work)
      .then(
        () => undefined,
        (error: unknown) => log.error({ err: error }, `${name} failed`),
      )
      .finally(() => {
        busy = false;
      });
  };
  tick();
  const timer = setInterval(tick, seconds * 1000);
  return {
    stop: () => {
      clearInterval(timer);
      return current;
    },
  };
}
