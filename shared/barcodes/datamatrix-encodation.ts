/*
 * Data Matrix (ECC 200) turns text into codewords in one of several encodations (ISO/IEC 16022, 5.2), and bwip-js
 * chooses anew for each text, so that two serials of one length may differ in size. Here the encodation is planned
 * once per shape, by the fewest codewords, from two of them: ASCII (a character, or two digits, in one codeword)
 * and C40 (three values in two codewords; capitals and digits are one value each, others a shift and a value).
 */

/** FNC1, in the stream of characters. */
export const FNC1 = -1;

/** What stands at a place of the text: a constant character code (or FNC1), or one that varies within a class. */
export type Place = number | 'digit' | 'capital' | 'ascii';

/** One step of a plan; `at` indexes the text. */
export type Step =
  | { readonly kind: 'ascii'; readonly at: number }
  | { readonly kind: 'pair'; readonly at: number }
  | { readonly kind: 'c40'; readonly at: number; readonly end: number; readonly pad: boolean }
  | { readonly kind: 'latch' }
  | { readonly kind: 'unlatch' };

export interface EncodationPlan {
  readonly steps: readonly Step[];
  /** Modules along the side of the smallest square symbol that holds the text. */
  readonly size: number;
}

/** Square symbols: modules along a side, and data codewords (ISO/IEC 16022, table 7). */
const SQUARES: readonly (readonly [size: number, codewords: number])[] = [
  [10, 3],
  [12, 5],
  [14, 8],
  [16, 12],
  [18, 18],
  [20, 22],
  [22, 30],
  [24, 36],
  [26, 44],
  [32, 62],
  [36, 86],
  [40, 114],
  [44, 144],
  [48, 174],
  [52, 204],
  [64, 280],
  [72, 368],
  [80, 456],
  [88, 576],
  [96, 696],
  [104, 816],
  [120, 1050],
  [132, 1304],
  [144, 1558],
];

const LATCH_C40 = 230;
const UNLATCH = 254;
const FNC1_CODEWORD = 232;

/** The C40 values of a character; undefined beyond 7 bits. */
function c40Values(code: number): number[] | undefined {
  if (code === FNC1) return [1, 27];
  if (code === 32) return [3];
  if (code >= 48 && code <= 57) return [code - 44];
  if (code >= 65 && code <= 90) return [code - 51];
  if (code >= 0 && code < 32) return [0, code];
  if (code >= 33 && code <= 47) return [1, code - 33];
  if (code >= 58 && code <= 64) return [1, code - 43];
  if (code >= 91 && code <= 95) return [1, code - 69];
  if (code >= 96 && code <= 127) return [2, code - 96];
  return undefined;
}

function valueCount(place: Place): number | undefined {
  if (place === 'digit' || place === 'capital') return 1;
  return place === 'ascii' ? undefined : c40Values(place)?.length;
}

function isDigitPlace(place: Place): boolean {
  return place === 'digit' || (typeof place === 'number' && place >= 48 && place <= 57);
}

/** The cheapest way found to some place: its last steps, and the way before them. */
interface Way {
  readonly cost: number;
  readonly before: Way | undefined;
  readonly steps: readonly Step[];
}

/**
 * Plans the encodation of a text, by dynamic programming over the places.
 * @returns undefined when a place is beyond 7 bits or the text too long for any symbol.
 */
export function planEncodation(places: readonly Place[]): EncodationPlan | undefined {
  if (places.some((place) => typeof place === 'number' && place > 127)) return undefined;
  // closed[i]: the fewest codewords for the first i places, ending in ASCII. The last place may also end in C40
  // without an unlatch (open), but only where nothing is left over in the symbol.
  const closed: (Way | undefined)[] = [{ cost: 0, before: undefined, steps: [] }];
  const open: Way[] = [];
  const offer = (end: number, cost: number, before: Way, steps: () => Step[]): void => {
    const known = closed[end];
    if (known === undefined || cost < known.cost) closed[end] = { cost, before, steps: steps() };
  };
  for (let at = 0; at < places.length; at += 1) {
    const before = closed[at];
    if (before === undefined) continue;
    offer(at + 1, before.cost + 1, before, () => [{ kind: 'ascii', at }]);
    const next = places[at + 1];
    if (next !== undefined && isDigitPlace(places[at]!) && isDigitPlace(next)) {
      offer(at + 2, before.cost + 1, before, () => [{ kind: 'pair', at }]);
    }
    let values = 0;
    for (let end = at + 1; end <= places.length; end += 1) {
      const count = valueCount(places[end - 1]!);
      if (count === undefined) break;
      values += count;
      const pad = values % 3 === 2;
      const run = (): Step[] => [{ kind: 'latch' }, { kind: 'c40', at, end, pad }];
      const cost = before.cost + 1 + 2 * Math.ceil(values / 3);
      if (values % 3 === 0) offer(end, cost + 1, before, () => [...run(), { kind: 'unlatch' }]);
      if (end === places.length && values % 3 !== 1) open.push({ cost, before, steps: run() });
      if (end === places.length - 1 && values % 3 === 0) {
        open.push({ cost: cost + 1, before, steps: [...run(), { kind: 'ascii', at: end }] });
      }
    }
  }
  return smallest(closed[places.length], open);
}

function smallest(closed: Way | undefined, open: readonly Way[]): EncodationPlan | undefined {
  for (const [size, codewords] of SQUARES) {
    if (closed !== undefined && closed.cost <= codewords) return { steps: stepsOf(closed), size };
    const exact = open.find(({ cost }) => cost === codewords);
    if (exact !== undefined) return { steps: stepsOf(exact), size };
  }
  return undefined;
}

function stepsOf(way: Way): Step[] {
  const parts: (readonly Step[])[] = [];
  for (let at: Way | undefined = way; at !== undefined; at = at.before) parts.push(at.steps);
  return parts.reverse().flat();
}

/** Carries a plan out for one text (character codes, or {@link FNC1}); padding is left to the encoder. */
export function encodeByPlan(plan: EncodationPlan, text: ArrayLike<number>): number[] {
  const codewords: number[] = [];
  for (const step of plan.steps) {
    if (step.kind === 'latch') codewords.push(LATCH_C40);
    else if (step.kind === 'unlatch') codewords.push(UNLATCH);
    else if (step.kind === 'pair') codewords.push(130 + (text[step.at]! - 48) * 10 + text[step.at + 1]! - 48);
    else if (step.kind === 'ascii') {
      codewords.push(text[step.at] === FNC1 ? FNC1_CODEWORD : text[step.at]! + 1);
    } else pushC40(codewords, step, text);
  }
  return codewords;
}

function pushC40(codewords: number[], step: Extract<Step, { kind: 'c40' }>, text: ArrayLike<number>): void {
  let triple = 0;
  let held = 0;
  const push = (value: number): void => {
    triple = triple * 40 + value;
    held += 1;
    if (held < 3) return;
    codewords.push((triple + 1) >>> 8, (triple + 1) & 255);
    triple = 0;
    held = 0;
  };
  for (let at = step.at; at < step.end; at += 1) for (const value of c40Values(text[at]!) ?? []) push(value);
  if (step.pad) push(0);
}
