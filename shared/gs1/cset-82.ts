/**
 * GS1 AI encodable character set 82, of serials, lots and the like (General Specifications, figure 7.11-1), as the
 * inside of a character class of a regular expression.
 */
export const CSET_82_CLASS = '!"%&\'()*+,\\-./0-9:;<=>?A-Z_a-z';

const CSET_82 = new RegExp(`^[${CSET_82_CLASS}]+$`);

/** Whether the text has at least one character, and all of the set. */
export function isCset82(text: string): boolean {
  return CSET_82.test(text);
}
