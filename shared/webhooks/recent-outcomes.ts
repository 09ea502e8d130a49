/**
 * How an endpoint did lately, hour by hour. It is kept in the endpoint's own row, which every turn writes anyway, so that
 * showing it costs neither a count over the log nor a statement.
 */

/** Of so many hours, the present one included. */
export const RECENT_HOURS = 24;

const HOUR_MS = 3600_000;

/** Hours since 1970, attempts delivered, attempts failed; oldest first, hours without any left out. */
export type RecentOutcomes = [hour: number, delivered: number, failed: number][];

/** Counts one attempt and forgets what is too old. */
export function countOutcome(recent: RecentOutcomes, ok: boolean, at: number): RecentOutcomes {
  const hour = Math.floor(at / HOUR_MS);
  const kept = recent.filter(([each]) => each > hour - RECENT_HOURS);
  const known = kept.find(([each]) => each === hour);
  const [, delivered, failed] = known ?? [hour, 0, 0];
  const counted: RecentOutcomes[number] = [hour, delivered + (ok ? 1 : 0), failed + (ok ? 0 : 1)];
  return [...kept.filter((each) => each !== known), counted].sort(([a], [b]) => a - b);
}

/** @returns sums over the last {@link RECENT_HOURS}; `successRate` is null without an attempt. */
export function sumOutcomes(
  recent: RecentOutcomes,
  now: number,
): { delivered: number; failed: number; successRate: number | null } {
  const oldest = Math.floor(now / HOUR_MS) - RECENT_HOURS;
  const sums = { delivered: 0, failed: 0 };
  for (const [hour, delivered, failed] of recent) {
    if (hour <= oldest) continue;
    sums.delivered += delivered;
    sums.failed += failed;
  }
  const all = sums.delivered + sums.failed;
  return { ...sums, successRate: all === 0 ? null : Number((sums.delivered / all).toFixed(4)) };
}
