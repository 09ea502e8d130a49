/**
 * When a domain is looked at again, and what a look means for it. Pure: the row and what was found go in, what is to be stored and told
 * comes out.
 */
import type { DomainRow } from './repository.ts';

/** What the DNS says of the record: it is there, it is not, others are, or nothing can be learned. */
export type Finding = 'FOUND' | 'NO_RECORD' | 'OTHER_RECORD' | 'DNS_FAILED';
export type DomainProblem = Exclude<Finding, 'FOUND'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a domain without its record goes on counting: a week, in which people read their mail. */
const GRACE_MS = 7 * DAY_MS;
/** How long one counts of which nothing can be learned: name servers that are down are no sign that somebody else has it now. */
const SILENCE_MS = 30 * DAY_MS;
/** How long a record is waited for that was never there, or is gone. */
const PATIENCE_MS = 14 * DAY_MS;

export interface Look {
  /** The columns that change. */
  changes: Pick<DomainRow, 'confirmed_at' | 'confirmed_by' | 'seen_at' | 'missing_since' | 'problem'> & {
    requested_at: Date;
    due_at: Date | null;
  };
  /** What people are told, if anything. */
  news: 'confirmed' | 'missing' | 'lapsed' | null;
}

/** @returns when a domain that is confirmed and has lost its record counts no longer; null for any other */
export const lapsesAt = ({ confirmed_at: confirmedAt, missing_since: since }: DomainRow): Date | null =>
  confirmedAt === null || since === null ? null : new Date(since.getTime() + GRACE_MS);

export function afterLook(row: DomainRow, finding: Finding, now: Date): Look {
  const later = (ms: number) => new Date(now.getTime() + ms);
  if (finding === 'FOUND')
    return {
      changes: {
        confirmed_at: row.confirmed_at ?? now,
        confirmed_by: 'dns',
        seen_at: now,
        missing_since: null,
        problem: null,
        requested_at: row.requested_at,
        due_at: later(DAY_MS),
      },
      news: row.confirmed_at === null ? 'confirmed' : null,
    };
  const { confirmed_at, confirmed_by, seen_at, requested_at } = row;
  const same = { confirmed_at, confirmed_by, seen_at, requested_at, problem: finding };
  // The operator's word needs no record.
  if (confirmed_by === 'operator')
    return { changes: { ...same, missing_since: null, due_at: null }, news: null };
  if (confirmed_at === null)
    return { changes: { ...same, missing_since: null, due_at: nextTry(requested_at, now) }, news: null };

  const isGone = finding !== 'DNS_FAILED';
  const missing_since = row.missing_since ?? (isGone ? now : null);
  // At the moment that people were told, whatever the name servers say by then.
  const isOverdue = missing_since !== null && now.getTime() - missing_since.getTime() >= GRACE_MS;
  const isLapsed = isOverdue || (!isGone && now.getTime() - seen_at!.getTime() >= SILENCE_MS);
  if (isLapsed)
    return {
      changes: {
        ...same,
        confirmed_at: null,
        confirmed_by: null,
        missing_since: null,
        requested_at: now,
        due_at: nextTry(now, now),
      },
      news: 'lapsed',
    };
  const news = row.missing_since === null && missing_since !== null ? 'missing' : null;
  return { changes: { ...same, missing_since, due_at: later(isGone ? 6 * HOUR_MS : HOUR_MS) }, news };
}

/** Half as long again as it was waited for so far: a minute at least, six hours at most, and not for ever. */
function nextTry(requestedAt: Date, now: Date): Date | null {
  const waited = now.getTime() - requestedAt.getTime();
  if (waited >= PATIENCE_MS) return null;
  return new Date(now.getTime() + Math.min(6 * HOUR_MS, Math.max(MINUTE_MS, waited / 2)));
}
