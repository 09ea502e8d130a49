/**
 * Hindsight: how copies and honest units of an organization looked before anybody could know. Of most copied codes the rules are sure
 * in the end, whoever is never told, and nearly all other units are honest: so an organization's own history says what a unit that
 * looks like this one is likely to turn out to be, which differs from one traffic to the next (self-training: Scudder 1965).
 * What a person decided counts for more than the rules (docs/adr/0132).
 */
import { toNats } from './points.ts';
import type { RiskPolicy } from './policy.ts';
import { FULL_EVIDENCE } from './story.ts';
import { chanceOf, growTrees, type Trees } from './trees.ts';
import type { RiskProfile, UnitContext } from './types.ts';

/** How a unit looks when a new visitor came; the numbers in {@link lookOf}'s order. */
export type Look = readonly number[];

/** What an organization's history says; plain JSON. */
export type Hindsight = Trees;

/** From this score on, by the rules alone, a unit is taken for copied by those who come after: 98 in a hundred are, 93 where precision is worst. */
const TURNED_SCORE = 70;
/** With fewer units that turned, an organization's history says nothing. */
export const MIN_TURNED = 60;
/** Below it there is nothing to qualify. */
const LEAST_EVIDENCE = 2;
/** One stranger beside the owner is to brand no unit, whatever the history. */
const FEWEST_VISITORS = 3;
/** Beyond them the rules are sure or will not be. */
const MOST_VISITORS = 30;
/** The chance at which the evidence is full. */
const FULL_CHANCE = 0.78;
const NATS_PER_ODDS = 1.5;
/** Nobody's history moves a unit's evidence by more than this: least of all down, as an alert that never comes is seen by nobody. */
const MOST_ADDED = 4.8;
const MOST_TAKEN = 0.6;
/** A unit has so long to turn: those of late say nothing yet. */
export const MATURE_MS = 30 * 86_400_000;

/**
 * @param visits what the unit's visitors say, in nats
 * @param policy where visitors have no say no unit ever turns, and its looks would teach that copies are honest
 * @returns null where it has nothing to say: fewer than three visitors or very many, hardly any evidence, or enough of it; and once a person has found no copy
 */
export function lookOf(
  profile: RiskProfile,
  visits: number,
  { activatedAt }: Pick<UnitContext, 'activatedAt'>,
  { clone }: Pick<RiskPolicy, 'clone'>,
): Look | null {
  if (!clone.enabled || clone.weight === 0) return null;
  const { visitors, evidence, inside, outside, recent } = profile;
  if (visitors < FEWEST_VISITORS || visitors > MOST_VISITORS || visits < LEAST_EVIDENCE) return null;
  if (profile.turned === true || profile.dismissedAt !== null || recent.length < 2) return null;
  // Newcomers alone: who looks again is not to move what is said of a unit (ADR 0124).
  let newest = -Infinity;
  let before = -Infinity;
  let first = Infinity;
  for (const visitor of recent) {
    const minute = visitor[3];
    if (minute > newest) {
      before = newest;
      newest = minute;
    } else if (minute > before) before = minute;
    if (minute < first) first = minute;
  }
  return [
    visits,
    evidence.far,
    evidence.near,
    evidence.outlets ?? evidence.near,
    visitors,
    inside,
    outside,
    (newest - before) / 60,
    (newest - first) / 1440,
    activatedAt === null ? -1 : newest / 1440 - activatedAt / 86_400_000,
  ];
}

/** @returns the share of units that looked like this one and turned out to be copied, 0 to 1 */
export const shareTurned = (hindsight: Hindsight, look: Look): number => chanceOf(hindsight, look);

/** @returns nats to add to what the rules say, or to take off where negative */
export function hindsightNats(share: number, nats: number): number {
  const odds = Math.log(share / (1 - share)) - Math.log(FULL_CHANCE / (1 - FULL_CHANCE));
  return Math.min(MOST_ADDED, Math.max(-MOST_TAKEN, FULL_EVIDENCE + NATS_PER_ODDS * odds - nats));
}

const TURNED_NATS = toNats(TURNED_SCORE);

/** Whether the rules alone are sure enough of a unit to learn from it. */
export const hasTurned = (ruleNats: number): boolean => ruleNats >= TURNED_NATS;

/** @returns null where too few units turned to learn from, or all did */
export function learn(
  looks: readonly { look: Look; turned: boolean }[],
  turnedUnits: number,
): Hindsight | null {
  if (turnedUnits < MIN_TURNED || looks.every(({ turned }) => turned)) return null;
  return growTrees(
    looks.map(({ look }) => look),
    looks.map(({ turned }) => turned),
  );
}
