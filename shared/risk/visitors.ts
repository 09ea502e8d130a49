/**
 * Who scanned. A visitor is a session, or a whole network where one is known: somebody who reloads, clears the
 * cookies or scripts a thousand requests from one address stays one visitor, and so cannot move a unit's score.
 */
import type { RiskProfile, Visitor, VisitorKey } from './types.ts';

/** Visitors remembered per unit; keeps a profile under 5 KB. */
export const MAX_RECENT = 44;

/** @returns a short key of an identifier: the 32-bit FNV-1a hash in base 36. A collision only makes the rules milder. */
export const shortKey = (id: string): string => (numberKey(id) >>> 0).toString(36);

/** @returns the same as a number of 32 bits */
export function numberKey(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash | 0;
}

/** What is known of a scan's visitor. */
export interface Sighting {
  /** Hashed; empty where unknown. */
  session: VisitorKey;
  network: VisitorKey;
  /** Whether the session or the network was seen before on this unit. */
  known: boolean;
  /** Neither session nor network: counted by no window, and no news at a place where the unit was seen before. */
  anonymous: boolean;
  /** Places at which the visitor was seen last. */
  placeIds: number[];
  /** Whether they came there from within the markets. */
  fromInside: boolean;
  /** Milliseconds since the epoch, to the minute; null for a new visitor. */
  firstSeenAt: number | null;
  lastSeenAt: number | null;
}

/** Looks a scan's visitor up among those that the profile remembers. */
export function sight(
  profile: RiskProfile,
  { session, network }: Pick<Sighting, 'session' | 'network'>,
): Sighting {
  const placeIds: number[] = [];
  let fromInside = false;
  let firstSeenAt: number | null = null;
  let lastSeenAt: number | null = null;
  for (const visitor of profile.recent) {
    if (!isSame(visitor, session, network)) continue;
    firstSeenAt = Math.min(firstSeenAt ?? Infinity, visitor[3] * 60_000);
    lastSeenAt = Math.max(lastSeenAt ?? 0, (visitor[3] + (visitor[4] ?? 0)) * 60_000);
    if (visitor[2] >= 0) placeIds.push(visitor[2]);
    if (visitor[6] === 1) fromInside = true;
  }
  const anonymous = session === '' && network === '';
  return {
    session,
    network,
    known: firstSeenAt !== null,
    anonymous,
    placeIds,
    fromInside,
    firstSeenAt,
    lastSeenAt,
  };
}

/**
 * @returns the memory with this visitor last and the longest unseen dropped. A visitor keeps the session, network
 * and time of the first sighting: so there are never more visitors than networks, and a reload cannot bring one
 * back into a window.
 * @param isAway whether they were seen within the markets before, and are not there now
 */
export function remember(
  recent: readonly Visitor[],
  sighting: Sighting,
  placeId: number,
  at: number,
  isAway: boolean,
): Visitor[] {
  if (sighting.anonymous) return [...recent];
  const { session, network } = sighting;
  if (!sighting.known) {
    const kept = recent.length >= MAX_RECENT ? recent.slice(recent.length - MAX_RECENT + 1) : [...recent];
    kept.push([session, network, placeId, Math.floor(at / 60_000)]);
    return kept;
  }
  const others: Visitor[] = [];
  const same: Visitor[] = [];
  for (const visitor of recent) {
    if (!isSame(visitor, session, network)) others.push(visitor);
    else same.push(lookedAgain(visitor, session, placeId, at, isAway));
  }
  return [...others, ...same];
}

function lookedAgain(
  visitor: Visitor,
  by: VisitorKey,
  placeId: number,
  at: number,
  isAway: boolean,
): Visitor {
  const [session, network, before, first, after = 0, inSession = 0] = visitor;
  const minutes = Math.floor(at / 60_000) - first;
  const last = Math.max(after, minutes);
  const place = placeId < 0 ? before : placeId;
  const kept = session !== '' && session === by ? Math.max(inSession, minutes) : inSession;
  if (isAway) return [session, network, place, first, last, kept, 1];
  if (last === 0) return [session, network, place, first];
  return kept === 0 ? [session, network, place, first, last] : [session, network, place, first, last, kept];
}

/** @returns how many remembered visitors were first seen in the `hours` up to `at`, and not before `since`. */
export function visitorsWithin(
  recent: readonly Visitor[],
  at: number,
  hours: number,
  since: number | null,
): number {
  const end = Math.floor(at / 60_000);
  const start = Math.max(end - hours * 60, since === null ? -Infinity : since / 60_000 - 1);
  let count = 0;
  for (const visitor of recent) {
    if (visitor[3] > start && visitor[3] <= end) count++;
  }
  return count;
}

/**
 * When the last new visitor came, in milliseconds since the epoch; somebody who looks again is none. To the minute where one did since.
 */
export function newestVisitorAt({ recent, places, lastAt }: RiskProfile): number {
  let minute = -1;
  for (const visitor of recent) minute = Math.max(minute, visitor[3]);
  // Who has neither session nor network is remembered by the place alone.
  for (const { visitors, last } of places) if (visitors > 0) minute = Math.max(minute, last);
  return minute < 0 || Math.floor(lastAt / 60_000) === minute ? lastAt : minute * 60_000;
}

function isSame(visitor: Visitor, session: VisitorKey, network: VisitorKey): boolean {
  return (session !== '' && visitor[0] === session) || (network !== '' && visitor[1] === network);
}
