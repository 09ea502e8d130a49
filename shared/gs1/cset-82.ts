/** GS1 AI encodable character set 82, of serials, lots and the like (General Specifications, figure 7.11-1). */
const CSET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;

/** Whether the text has at least one character, and all of the set. */
export function isCset82(text: string): boolean {
  return CSET_82.test(text);
}
