/** Which characters the serials of a job may have beside those of one of them: a table of symbols is learned for each alphabet, so there are few. */
import { CSET_82_CLASS } from '../gs1/cset-82.ts';

// From narrow to wide.
const ALPHABETS = ['0-9', '0-9A-Z', '0-9A-Za-z', CSET_82_CLASS].map((characters) => ({
  matches: new RegExp(`^[${characters}]*$`),
  text: Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 33))
    .filter((character) => new RegExp(`[${characters}]`).test(character))
    .join(''),
}));

/** @returns each character of the narrowest alphabet that holds the serial, once. */
export const serialAlphabet = (serial: string): string =>
  (ALPHABETS.find(({ matches }) => matches.test(serial)) ?? ALPHABETS.at(-1)!).text;
