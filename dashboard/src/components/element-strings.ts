/**
 * Printed GS1 element strings, each without the spaces that stand between its elements: `(01) 0950… (21) 7K2M` is one code to whoever
 * parts a text at its spaces. The next one begins with its GTIN.
 */
export const withoutInnerSpaces = (text: string): string =>
  text.replace(/(?<=\(\d{2,4}\))[ \t]+|(?<![ \t])[ \t]+(?=\((?!01\))\d{2,4}\))/g, '');
