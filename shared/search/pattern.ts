/** What somebody typed, made into what the indexes can find. */

/** @returns the text with `%`, `_` and `\` standing for themselves in a LIKE. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Where words have nothing between them, the second one of two characters begins nowhere. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** As Postgres has it in a `search_text`: so a wide `％` is no wildcard there, and `㈱` holds a character of Chinese. */
const asStored = (q: string): string => q.normalize('NFKC');

/**
 * A LIKE over a `search_text`, to be put into its form by Postgres (`search_form`): part of a word, or, for one or two
 * characters, in which there is no trigram, the beginning of one.
 */
export function searchPattern(q: string): string {
  const stored = asStored(q);
  const isShort = Array.from(stored).length < 3 && !WITHOUT_SPACES.test(stored);
  return `%${isShort ? ' ' : ''}${escapeLike(stored)}%`;
}

/** As {@link searchPattern}, but only what was typed whole: a SKU, a lot, words of a name. */
export const wholePattern = (q: string): string => `% ${escapeLike(asStored(q))} %`;

// No serial has a character as high.
const BEYOND = '\x7f';

/** Serials that begin as typed, wide characters or not, or as typed in capitals: two ranges in the order of the characters. */
export function serialRanges(
  q: string,
): [from: string, to: string, fromCapitals: string, toCapitals: string] {
  const typed = asStored(q);
  const capitals = typed.toUpperCase();
  return [typed, typed + BEYOND, capitals, capitals + BEYOND];
}

/** {@link serialRanges} for a filter that may be absent. */
export const optionalSerialRanges = (q: string | undefined): readonly (string | null)[] =>
  q === undefined ? [null, null, null, null] : serialRanges(q);
