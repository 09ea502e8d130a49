/** Options of benchmarks that are numbers: what is none would run for ever, or measure something else than was asked for. */

/** An option that cannot be followed, with words for whoever gave it. */
export class BadOption extends Error {}

interface Bounds {
  least?: number;
  most?: number;
  /** Whether there may be something after the point. */
  fraction?: boolean;
}

/** @throws BadOption where `text` is no number within the bounds; a whole one from 1 on unless they say otherwise */
export function numberOf(
  option: string,
  text: string,
  { least = 1, most = Number.MAX_SAFE_INTEGER, fraction = false }: Bounds = {},
): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (number >= least && number <= most && (fraction || Number.isInteger(number))) return number;
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  throw new BadOption(
    `${option}: "${text}" is not a ${fraction ? '' : 'whole '}number from ${least}${upTo === '' ? ' on' : upTo}`,
  );
}

/** The same of several with commas between them. */
export const numbersOf = (option: string, text: string, bounds?: Bounds): number[] =>
  text.split(',').map((each) => numberOf(option, each, bounds));
