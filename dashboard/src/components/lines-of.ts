/** One entry a line; commas do as well. */
export const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
