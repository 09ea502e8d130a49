/**
 * What people's decisions say of `thresholds.suspicious`. The rules are one for all traffic, and where honest units move as much as
 * copies do elsewhere, the same points are right less often: on traces that nothing was tuned on a precision of 0.75 instead of
 * 0.9 (docs/risk.md, *Blind tests*). Nothing in the scans tells which traffic it is; who decides cases knows (ADR 0130).
 */
import { toNats } from './points.ts';
import { FULL_EVIDENCE } from './story.ts';

/** How many units reached each score at the most, index 0 to 100, by what people have decided of them. */
export interface ScoreCounts {
  confirmed: number[];
  dismissed: number[];
  undecided: number[];
}

export const noScores = (): ScoreCounts => ({
  confirmed: Array.from({ length: 101 }, () => 0),
  dismissed: Array.from({ length: 101 }, () => 0),
  undecided: Array.from({ length: 101 }, () => 0),
});

/** With fewer, one decision would move the threshold by points. */
export const MIN_DECISIONS = 30;
/** Nine of ten alarms are to be right. */
export const TARGET_PRECISION = 0.9;
/** So many standard errors must speak for a move: thirty decisions are right or wrong by chance by a twentieth. */
const CONFIDENCE = 1;
/** Nobody has decided units below the threshold: a suggestion goes down a step, and what is decided there tells of the next. */
const MAX_STEP_DOWN = 6;
/** So many decided units say something of others with about their score, at most so many points apart. */
const MIN_NEIGHBOURS = 5;
const NEIGHBOUR_POINTS = 3;
/** Higher scores say nothing of what is to be expected below the threshold. */
const FITTED_POINTS = 20;
/**
 * The log-odds of a copy at the full evidence and for each nat beyond, and how far traffic deviates (one standard deviation): fifteen
 * traces, five generators as they come, with forgetful browsers and with coarse positions, have −1.1 to 0.6 and 0.15 to 1.
 */
const PRIOR = { odds: -0.3, oddsDeviation: 0.5, perNat: 0.6, perNatDeviation: 0.2 };

/** What a threshold would have found among the units. */
export interface AtThreshold {
  suspicious: number;
  suspiciousUnits: number;
  confirmedUnits: number;
  dismissedUnits: number;
}

/** For each threshold from 1 to 100, lowest first. */
export function byThreshold({ confirmed, dismissed, undecided }: ScoreCounts): AtThreshold[] {
  const table: AtThreshold[] = [];
  let [confirmedUnits, dismissedUnits, suspiciousUnits] = [0, 0, 0];
  for (let suspicious = 100; suspicious >= 1; suspicious--) {
    confirmedUnits += confirmed[suspicious]!;
    dismissedUnits += dismissed[suspicious]!;
    suspiciousUnits += confirmed[suspicious]! + dismissed[suspicious]! + undecided[suspicious]!;
    table.unshift({ suspicious, suspiciousUnits, confirmedUnits, dismissedUnits });
  }
  return table;
}

/** The standard error of the share of right alarms among `decided` ones, times how sure a move has to be. */
const marginOf = (decided: number): number =>
  CONFIDENCE * Math.sqrt((TARGET_PRECISION * (1 - TARGET_PRECISION)) / Math.max(1, decided));

/** Whether so many decisions say clearly that alarms are right less often than nine times of ten, or more often: another threshold may fit. */
export function speakForAnother({ confirmed, dismissed }: { confirmed: number; dismissed: number }): boolean {
  const decided = confirmed + dismissed;
  return decided >= MIN_DECISIONS && Math.abs(confirmed / decided - TARGET_PRECISION) > marginOf(decided);
}

/**
 * The lowest threshold from which on nine of ten alarms are to be expected right. It moves only as far as the decisions are sure of:
 * up to where they no longer speak clearly against it, and down, a few points at a time, as far as they clearly allow.
 * @param inForce the threshold by which the cases were opened
 * @returns whole points; null with fewer than 30 decided units that the rules told of, and where no threshold would do
 */
export function suggestThreshold(counts: ScoreCounts, inForce: number): number | null {
  const from = Math.ceil(inForce);
  const { confirmed, dismissed, undecided } = counts;
  const copyShare = sharesOf(counts, from);
  /** Precision from a threshold on, and its standard error. */
  const expected = (threshold: number) => {
    let [units, decided, right] = [0, 0, 0];
    for (let points = threshold; points <= 100; points++) {
      units += confirmed[points]! + dismissed[points]! + undecided[points]!;
      decided += confirmed[points]! + dismissed[points]!;
      right += confirmed[points]! + undecided[points]! * copyShare(points);
    }
    return { decided, precision: units === 0 ? 1 : right / units, margin: marginOf(decided) };
  };
  const now = expected(from);
  if (now.decided < MIN_DECISIONS) return null;
  if (now.precision + now.margin < TARGET_PRECISION) return above(from, expected);
  let lowest = from;
  for (let threshold = from - 1; threshold >= Math.max(1, from - MAX_STEP_DOWN); threshold--) {
    const { precision, margin } = expected(threshold);
    if (precision - margin < TARGET_PRECISION) break;
    lowest = threshold;
  }
  return lowest;
}

/** The next threshold from which on the decisions do not speak clearly against nine of ten; of too few nothing is known. */
function above(
  from: number,
  expected: (threshold: number) => { decided: number; precision: number; margin: number },
): number | null {
  for (let threshold = from + 1; threshold <= 100; threshold++) {
    const { decided, precision, margin } = expected(threshold);
    if (decided < MIN_NEIGHBOURS) return null;
    if (precision + margin >= TARGET_PRECISION) return threshold;
  }
  return null;
}

/** How many of the undecided units with a score are copied: as many as of those decided with about that score, else as a curve through them says. */
function sharesOf({ confirmed, dismissed }: ScoreCounts, from: number): (points: number) => number {
  const curve = fitCurve({ confirmed, dismissed }, from);
  return (points) => {
    let [copied, decided] = [0, 0];
    for (let near = points - NEIGHBOUR_POINTS; near <= points + NEIGHBOUR_POINTS; near++) {
      // Whom the rules did not tell of was decided for another reason.
      if (near < from || near > 100) continue;
      copied += confirmed[near]!;
      decided += confirmed[near]! + dismissed[near]!;
    }
    return points >= from && decided >= MIN_NEIGHBOURS ? copied / decided : curve(points);
  };
}

const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** A few steps are enough: two numbers, and a prior that keeps the curvature away from nothing. */
const NEWTON_STEPS = 30;
/** A step that overshoots is halved; after so many halvings there is nothing left of it. */
const HALVINGS = 40;

/** A curve: the log-odds at the full evidence, and for each nat beyond. */
type Curve = Record<'odds' | 'perNat', number>;

/**
 * Platt's scaling (1999) of the evidence, with a prior from what traffic usually has, so that a handful of decisions bends it little.
 * @param from of units with lower scores nobody was told
 */
function fitCurve(
  { confirmed, dismissed }: Pick<ScoreCounts, 'confirmed' | 'dismissed'>,
  from: number,
): (points: number) => number {
  const beyond = (points: number) => toNats(points) - FULL_EVIDENCE;
  const fitted = Array.from({ length: Math.min(100, from + FITTED_POINTS) - from + 1 }, (_, index) => ({
    x: beyond(from + index),
    copied: confirmed[from + index]!,
    units: confirmed[from + index]! + dismissed[from + index]!,
  }));
  const [certainty, slopeCertainty] = [PRIOR.oddsDeviation ** -2, PRIOR.perNatDeviation ** -2];
  /** How ill a curve goes with the decisions and with what is usual: the negative logarithm of how likely it is. */
  const misfit = ({ odds, perNat }: Curve) => {
    let sum = ((odds - PRIOR.odds) ** 2 * certainty + (perNat - PRIOR.perNat) ** 2 * slopeCertainty) / 2;
    for (const { x, copied, units } of fitted) {
      const z = odds + perNat * x;
      sum += units * (Math.max(0, z) + Math.log1p(Math.exp(-Math.abs(z)))) - copied * z;
    }
    return sum;
  };
  let curve: Curve = { odds: PRIOR.odds, perNat: PRIOR.perNat };
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { odds, perNat } = curve;
    let [ofOdds, ofSlope] = [(PRIOR.odds - odds) * certainty, (PRIOR.perNat - perNat) * slopeCertainty];
    let [odds2, mixed, slope2] = [certainty, 0, slopeCertainty];
    for (const { x, copied, units } of fitted) {
      const share = sigmoid(odds + perNat * x);
      const miss = copied - units * share;
      const spread = units * share * (1 - share);
      ofOdds += miss;
      ofSlope += miss * x;
      odds2 += spread;
      mixed += spread * x;
      slope2 += spread * x * x;
    }
    const determinant = odds2 * slope2 - mixed * mixed;
    const along = (share: number): Curve => ({
      odds: odds + (share * (slope2 * ofOdds - mixed * ofSlope)) / determinant,
      perNat: perNat + (share * (odds2 * ofSlope - mixed * ofOdds)) / determinant,
    });
    // Where the curve is flat a whole step overshoots, and of hundreds of decisions each further one by more.
    const before = misfit(curve);
    let halvings = 0;
    while (halvings < HALVINGS && misfit(along(2 ** -halvings)) > before) halvings++;
    if (halvings === HALVINGS) break;
    curve = along(2 ** -halvings);
  }
  const { odds, perNat } = curve;
  return (points) => sigmoid(odds + perNat * beyond(points));
}
