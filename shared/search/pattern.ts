/** What somebody typed, made into what the indexes can find. */

/** @returns the text with `%`, `_` and `\` standing for themselves in a LIKE. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/**
 * A LIKE over a `search_text`, to be lowered by Postgres: part of a word, or, for one or two characters, in which there is no
 * trigram, the beginning of one.
 */
export function searchPattern(q: string): string {
  const isShort = Array.from(q).length < 3;
  return `%${isShort ? ' ' : ''}${escapeLike(q)}%`;
}

/** As {@link searchPattern}, but only what was typed whole: a SKU, a lot, words of a name. */
export const wholePattern = (q: string): string => `% ${escapeLike(q)} %`;

// No serial has a character as high.
const BEYOND = '\x7f';

/** Serials that begin as typed, or as typed in capitals: two ranges in the order of the characters. */
export function serialRanges(
  q: string,
): [from: string, to: string, fromCapitals: string, toCapitals: string] {
  const capitals = q.toUpperCase();
  return [q, q + BEYOND, capitals, capitals + BEYOND];
}

/** {@link serialRanges} for a filter that may be absent. */
export const optionalSerialRanges = (q: string | undefined): readonly (string | null)[] =>
  q === undefined ? [null, null, null, null] : serialRanges(q);
