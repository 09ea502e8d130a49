/**
 * The score of one scan, from the unit's profile: pure, deterministic, a few microseconds. The worker, the preliminary
 * verdict of `GET /v/{token}`, the replay and the benchmark all call this one function.
 */
import { abroadPrice, tallies } from './abroad.ts';
import { ageEvidence } from './age.ts';
import { anotherVisitorRate, forgottenPrice, type Audience } from './audience.ts';
import { cloneSignal, lifeEvidence } from './clone.ts';
import { countedByMarkets, diversion, tally } from './diversion.ts';
import { ofAnyWay, withEvidence } from './evidence.ts';
import { excessiveScanning } from './excessive-scanning.ts';
import { hasTurned, hindsightNats, lookOf, shareTurned, type Look } from './hindsight.ts';
import { findJump, impossibleTravelSignal, MAX_FIXES } from './impossible-travel.ts';
import { knownScan, positionOf, type KnownScan } from './known-scan.ts';
import { countryOf, isOfMarkets } from './markets.ts';
import { keyOfMarkets } from './peers.ts';
import { toScore } from './points.ts';
import type { RiskPolicy } from './policy.ts';
import { seenAt } from './profile.ts';
import { round } from './round.ts';
import { bestPlace, forgive, FULL_EVIDENCE, knownVisitor, newVisitor, type Stories } from './story.ts';
import type {
  CloneSignal,
  Fix,
  Jump,
  Position,
  RiskAssessment,
  RiskLevel,
  RiskProfile,
  RiskScan,
  RiskSignal,
  ScanFacts,
  UnitContext,
} from './types.ts';
import { newestVisitorAt, remember, sight, visitorsWithin, type Sighting } from './visitors.ts';

/**
 * How far behind its unit's newest scan one may be and still be scored as it comes: the rules compare times both ways, so
 * the clocks of two web processes and the order of two commits make no difference to them. Beyond it the worker scores
 * the unit's history again in order, and a replay, which has none, refuses the line.
 */
export const LATE_TOLERATED_MS = 5_000;
/** A jump older than this no longer explains a verdict. */
const JUMP_MEMORY_MS = 90 * 86_400_000;
/** Evidence of this share of the full amount is told as a signal. */
const TOLD_SHARE = 0.6;
const NO_RISK_BELOW = 10;
/** From this share of the suspicious score on, a unit is itself too doubtful to be called diverted. */
const DOUBTFUL_SHARE = 0.8;
/** Visitors of the last week tell how busy the unit's place is. */
const CROWD_HOURS = 7 * 24;

/** The profile of a unit that was never scanned. */
export function emptyProfile(): RiskProfile {
  return {
    version: 1,
    visitors: 0,
    inside: 0,
    outside: 0,
    lastAt: 0,
    nextPlaceId: 0,
    recent: [],
    places: [],
    evidence: { far: 0, near: 0, outlets: 0 },
    fixes: [],
    jump: null,
    dismissedAt: null,
  };
}

/**
 * Scores a scan.
 * @param profile the unit's, as the scan before left it; null for the first scan. It is not changed.
 *   A scan older than the newest in the profile is judged against it all the same: distances are compared by the time
 *   between two scans whichever came first, and windows end at the scan's own time. `rescore` gives the exact answer.
 * @param policy complete, from `resolvePolicy`
 */
export const score = (
  profile: RiskProfile | null,
  scan: ScanFacts,
  context: UnitContext,
  policy: RiskPolicy,
): RiskAssessment => scoreKnown(profile, knownScan(scan, context.markets, policy.diversion), context, policy);

/** The same of a scan of which all is known that its unit has no part in. */
export function scoreKnown(
  profile: RiskProfile | null,
  scan: KnownScan,
  context: UnitContext,
  policy: RiskPolicy,
): RiskAssessment {
  const { markets } = context;
  const { position } = scan;
  const before = dismiss(countedByMarkets(profile ?? emptyProfile(), markets, policy), scan, context);
  const sighting = sight(before, scan);
  const fix = positionOf(scan);
  const traveller =
    sighting.fromInside ||
    before.places.some(
      (place) =>
        sighting.placeIds.includes(place.id) && place.country !== null && isOfMarkets(place.country, markets),
    );
  const meetsAnother = anotherVisitorRate(audienceOf(context, policy));
  const isAway = traveller && position !== 'inside';
  const after = fold(before, scan, sighting, fix, isAway, meetsAnother, policy);
  // Without markets nobody is inside or outside. Somebody first seen without a place is counted with the first one that is known.
  if (markets.length > 0 && (after.visitors > before.visitors || before.inside + before.outside === 0)) {
    const { inside, outside } = tally(before, position);
    after.inside = inside;
    after.outside = outside;
    after.countedBy = keyOfMarkets(markets);
    if (after.seenIn === undefined && scan.place !== null) {
      if (inside >= 1) after.seenIn = null;
      else if (outside > 0.99) after.seenIn = countryOf(scan.place);
    }
  }

  // Who comes while the unit is sold everywhere is counted once it has markets again.
  if (markets.length === 0 && after.visitors > before.visitors && after.countedBy !== undefined)
    after.countedBy = keyOfMarkets(markets);

  if (after.visitors > before.visitors && fix !== null) {
    const nats = abroadPrice(before, after, fix.country, context);
    after.evidence = withEvidence(after.evidence, nats, Math.abs(scan.at - before.lastAt) / 3_600_000);
  }

  const madeJump = after.jump !== before.jump;
  const suspicion = suspect(after, scan, sighting, madeJump, context, policy);
  const { signals } = suspicion;
  const look = after.visitors > before.visitors ? suspicion.look : null;
  if (hasTurned(suspicion.ruleNats)) after.turned = true;
  let total = suspicion.score;
  let verdict: RiskAssessment['verdict'] = total >= policy.thresholds.suspicious ? 'suspicious' : 'clear';
  if (verdict === 'suspicious') after.suspectedAt = Math.max(before.suspectedAt ?? scan.at, scan.at);
  if (policy.diversion.enabled && scan.place !== null) {
    // Others' scans count here, too: of a code that is possibly copied nobody knows which object this one is.
    const doubtful =
      isSuspect(before, scan, context) || total >= policy.thresholds.suspicious * DOUBTFUL_SHARE;
    const found = diversion(after, scan.place, position, context, traveller, doubtful, policy);
    if (found !== null) {
      signals.push(found);
      if (found.counted) verdict = 'diverted';
      total = Math.max(total, found.weight);
    }
  }
  const { score: copyScore } = suspicion;
  return { profile: after, score: total, copyScore, level: levelOf(total, policy), verdict, signals, look };
}

/**
 * Scores a unit's whole history from nothing, in order of time and then of scan id: whatever order the scans
 * are given in, the answer is the same.
 * @returns the assessment of each scan, in that order
 */
export function rescore(
  history: readonly RiskScan[],
  context: UnitContext,
  policy: RiskPolicy,
): { profile: RiskProfile; assessments: (RiskAssessment & { scanId: string })[] } {
  const ordered = [...history].sort(
    (a, b) => a.at - b.at || (a.scanId < b.scanId ? -1 : a.scanId > b.scanId ? 1 : 0),
  );
  let profile = emptyProfile();
  const assessments = ordered.map((scan) => {
    const assessment = score(profile, scan, context, policy);
    profile = assessment.profile;
    return { scanId: scan.scanId, ...assessment };
  });
  return { profile, assessments };
}

/** Whether a scan of the unit was suspicious, or a person put it under suspicion, and nobody has found no copy since. */
function isSuspect({ suspectedAt }: RiskProfile, { at }: KnownScan, context: UnitContext): boolean {
  const turns = context.raisedAt?.filter((turn) => turn <= at).length ?? 0;
  if (turns % 2 === 1) return true;
  if (suspectedAt === undefined) return false;
  const clearedAt = dismissalOf(context);
  return clearedAt === null || suspectedAt >= clearedAt || at < clearedAt;
}

/** When a person found no copy, where that is the decision in force. */
const dismissalOf = ({ decision, decidedAt = null }: UnitContext): number | null =>
  decision === 'dismissed' ? decidedAt : null;

/** Takes a person's "no copy" into account, once, at the first scan after it. */
function dismiss(profile: RiskProfile, scan: KnownScan, context: UnitContext): RiskProfile {
  const decidedAt = dismissalOf(context);
  if (decidedAt === null || scan.at < decidedAt) return profile;
  const isNoted = profile.dismissedAt === decidedAt;
  if (isNoted && profile.forgiven !== undefined) return profile;
  const forgiven = tallies(profile);
  // By a release that did not note whom.
  if (isNoted) return { ...profile, forgiven };
  return {
    ...profile,
    places: forgive(profile.places),
    evidence: { far: 0, near: 0, outlets: 0 },
    fixes: [],
    jump: null,
    turned: undefined,
    dismissedAt: decidedAt,
    forgiven,
  };
}

const audienceOf = ({ audience }: UnitContext, { clone }: RiskPolicy): Audience | null =>
  clone.learnVisitors ? (audience ?? null) : null;

/** What the profile keeps of a position: to 11 m. */
const fixAt = ({ lat, lon, accuracyKm, country, at }: Position, placeId: number): Fix => ({
  placeId,
  lat: round(lat),
  lon: round(lon),
  accuracyKm: round(accuracyKm),
  country,
  at,
});

/** A visitor is news when seen for the first time; one without session and network only at an unknown place. */
function isNews(sighting: Sighting, fix: Position | null, before: RiskProfile): boolean {
  if (sighting.known) return false;
  if (!sighting.anonymous) return true;
  return fix !== null && bestPlace(before.places, fix) === null;
}

/** What the profile keeps of a jump. Name by name: a spread with a name more costs a hidden class each time (ADR 0120). */
const journey = (
  { from, distanceKm, adjustedKm, speedKmh }: Jump,
  nats: number,
  to: Fix,
  visitor: Jump['visitor'],
) => ({
  from,
  to,
  distanceKm: round(distanceKm, 10),
  adjustedKm: round(adjustedKm, 10),
  speedKmh: Math.round(speedKmh),
  nats: round(nats),
  visitor,
});

function storiesOf(profile: RiskProfile): Stories {
  const { places, nextPlaceId, visitors, lastAt, evidence, dismissedAt } = profile;
  const newestAt = newestVisitorAt(profile);
  const forgivenUntil = (dismissedAt ?? 0) / 60_000;
  return { places, nextPlaceId, newestAt, lastAt, visitors, evidence, forgivenUntil };
}

/** The profile with this scan in it. */
function fold(
  before: RiskProfile,
  scan: KnownScan,
  sighting: Sighting,
  fix: Position | null,
  isAway: boolean,
  meetsAnother: number,
  policy: RiskPolicy,
): RiskProfile {
  const news = isNews(sighting, fix, before);
  const after = seenAt(before, Math.max(before.lastAt, scan.at));
  if (news) after.visitors = before.visitors + 1;
  let placeId = -1;
  if (fix !== null) {
    const stories = storiesOf(before);
    if (news) {
      const crowd = visitorsWithin(before.recent, scan.at, CROWD_HOURS, null);
      const known = bestPlace(before.places, fix) !== null;
      const jump =
        policy.impossibleTravel.enabled && !known ? findJump(before.fixes, fix, crowd, policy) : null;
      const story = newVisitor(stories, fix, 0, meetsAnother, policy);
      after.places = story.places;
      after.nextPlaceId = story.nextPlaceId;
      after.evidence = story.evidence;
      placeId = story.placeId;
      if (jump !== null) {
        const haste = jump.nats * policy.impossibleTravel.weight;
        const { evidence } = newVisitor(stories, fix, haste, meetsAnother, policy);
        const nats = Math.max(0, evidence.far - story.evidence.far);
        const { session, network } = sighting;
        after.jump = journey(jump, nats, fixAt(fix, placeId), [session, network]);
      }
    } else if (!sighting.anonymous) {
      const story = knownVisitor(
        stories,
        fix,
        sighting.placeIds,
        sighting.lastSeenAt ?? before.lastAt,
        policy,
      );
      after.places = story.places;
      after.nextPlaceId = story.nextPlaceId;
      placeId = story.placeId;
    }
    // Who looks again is not compared with whoever comes next: a stranger's reloads are not to make anybody's journey impossible.
    if (news && placeId >= 0) {
      const others = before.fixes.filter((other) => other.placeId !== placeId);
      after.fixes = [...others.slice(-(MAX_FIXES - 1)), fixAt(fix, placeId)];
    }
  }
  after.recent = remember(before.recent, sighting, placeId, scan.at, isAway);
  return after;
}

/**
 * All that speaks for a copied code, in nats, as a score with its signals.
 * @param madeJump whether the profile's journey is this scan's
 */
function suspect(
  profile: RiskProfile,
  scan: KnownScan,
  sighting: Sighting,
  madeJump: boolean,
  context: UnitContext,
  policy: RiskPolicy,
): { score: number; ruleNats: number; look: Look | null; signals: RiskSignal[] } {
  const { jump } = profile;
  const liveJump =
    jump !== null && policy.impossibleTravel.enabled && (madeJump || isOfVisitor(jump, scan, sighting))
      ? jump
      : null;
  // The journey speaks against its own scan: whoever made it may be behind a VPN, and the next visitor is not to pay for it.
  const jumpNats = liveJump?.nats ?? 0;
  // One visitor is one object, wherever that is.
  const visits = profile.visitors < 2 ? 0 : ofAnyWay(profile.evidence);
  const look = lookOf(profile, visits, context, policy);
  const { enabled, weight } = policy.clone;
  const balance = enabled ? (visits + ageEvidence(visits, profile.places, context.activatedAt)) * weight : 0;
  const far = enabled ? profile.evidence.far * weight : 0;
  // Without haste of its own a journey says no more than the places do.
  // An impossible journey stays a verdict also where nobody is known again.
  const remembered = balance - forgottenPrice(balance, audienceOf(context, policy));
  const atOnce = jumpNats > 0 ? far + jumpNats : 0;
  const life = enabled ? lifeEvidence(context, scan.at, sighting.firstSeenAt, policy) : null;
  const lifeNats = life === null ? 0 : life.nats * weight;
  const excessive = policy.excessiveScanning.enabled
    ? excessiveScanning(profile.recent, scan.at, profile.dismissedAt, policy)
    : null;
  const excessiveNats =
    excessive === null ? 0 : excessive.strength * FULL_EVIDENCE * policy.excessiveScanning.weight;

  const ruleNats = Math.max(0, remembered, atOnce) + lifeNats + excessiveNats;
  if (context.decision === 'confirmed') {
    return { score: 100, ruleNats, look, signals: [cloneSignal(profile, 'confirmed', FULL_EVIDENCE, 100)] };
  }
  const turned = look === null || hasTurned(ruleNats) ? null : shareAlike(look, context, policy);
  const learned = turned === null ? 0 : hindsightNats(turned, remembered / weight) * weight;
  const story = Math.max(0, remembered + learned, atOnce);
  const total = story + lifeNats + excessiveNats;
  const points = toScore(total);
  // Of a profile that is not whole. It would fail only in the statement that stores it, with all the scans beside it.
  if (!Number.isFinite(points)) throw new RangeError('the evidence is no number');
  const share = (nats: number) => (total === 0 ? 0 : Math.round((points * Math.min(nats, total)) / total));
  const signals: RiskSignal[] = [];
  const least = FULL_EVIDENCE * TOLD_SHARE;
  // That nobody can have made the journey is told with the scan that ends it, whatever it weighs: the shorter, the more.
  const jumpTold = liveJump !== null && (madeJump || story >= least);
  if (jumpTold) signals.push(impossibleTravelSignal(liveJump, share(Math.min(jumpNats, story)), policy));
  const rest = story - (jumpTold ? Math.min(jumpNats, story) : 0);
  const ofPlaces = (nats: number) => withShare(cloneSignal(profile, 'places', story, share(nats)), turned);
  if (enabled && rest >= least) signals.push(ofPlaces(rest));
  if (life !== null) signals.push(cloneSignal(profile, life.reason, lifeNats, share(lifeNats)));
  if (excessive !== null) signals.push({ ...excessive.signal, weight: share(excessiveNats) });
  // Neither a verdict nor a medium risk goes without a reason, however low an organization sets the thresholds.
  if (
    !signals.some(({ weight }) => weight > 0) &&
    points >= Math.min(policy.thresholds.medium, policy.thresholds.suspicious)
  ) {
    const haste = Math.min(jumpNats, story);
    // What has no weight is no reason: those that have come first.
    if (story > haste) signals.unshift(ofPlaces(story - haste));
    if (liveJump !== null && !jumpTold && haste > 0)
      signals.unshift(impossibleTravelSignal(liveJump, share(haste), policy));
  }
  return { score: points, ruleNats, look, signals };
}

/** The share of the organization's units that looked like this one and turned out to be copied; null where that has no say. */
const shareAlike = (look: Look, { hindsight }: UnitContext, { clone }: RiskPolicy): number | null =>
  hindsight && clone.hindsight ? shareTurned(hindsight, look) : null;

const withShare = (signal: CloneSignal, turned: number | null): CloneSignal =>
  turned === null ? signal : { ...signal, turnedOut: Math.round(turned * 100) / 100 };

/** Whether who scans made the journey not long ago. Who is merely at the place where it ended did not. */
function isOfVisitor({ to, visitor }: Jump, scan: KnownScan, { session, network }: Sighting): boolean {
  if (visitor === undefined || Math.abs(scan.at - to.at) >= JUMP_MEMORY_MS) return false;
  return (session !== '' && session === visitor[0]) || (network !== '' && network === visitor[1]);
}

function levelOf(points: number, policy: RiskPolicy): RiskLevel {
  if (points >= policy.thresholds.suspicious) return 'high';
  if (points >= policy.thresholds.medium) return 'medium';
  return points >= NO_RISK_BELOW ? 'low' : 'none';
}
