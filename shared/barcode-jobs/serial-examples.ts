/** Which of many serials stand for all of them where it is asked whether symbols and labels hold them. */
import { helveticaWidth } from '../barcodes/helvetica.ts';
import { isDotSegment } from '../gs1/digital-link.ts';

export interface SerialExamples {
  add(serial: string): void;
  /** Of each length the one that symbols need most room for; the widest in print besides. */
  all(): string[];
}

interface Ranked {
  serial: string;
  rank: number;
}

export function createSerialExamples(): SerialExamples {
  const hardest = new Map<number, Ranked>();
  let widest: Ranked = { serial: '', rank: 0 };
  return {
    add(serial) {
      // One that not every symbology holds is told of, should the product have a GTIN one day.
      const room = isDotSegment(serial) ? Infinity : roomOf(serial);
      const known = hardest.get(serial.length);
      if (known === undefined || room > known.rank) hardest.set(serial.length, { serial, rank: room });
      const width = helveticaWidth(serial);
      if (width > widest.rank) widest = { serial, rank: width };
    },
    all: () => [...new Set([...hardest.values(), widest].map(({ serial }) => serial).filter(Boolean))],
  };
}

const DIGIT = 1;
const CAPITAL = 2;
const OTHER = 4;
const CHANGE = 2;

function weightOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  return code >= 65 && code <= 90 ? CAPITAL : OTHER;
}

/**
 * Comparable among serials of one length. No symbology needs less for a letter than for a digit, nor for another character than for a
 * capital, and those with modes of their own for each need more where they take turns.
 */
function roomOf(serial: string): number {
  let room = 0;
  let before = 0;
  for (let at = 0; at < serial.length; at += 1) {
    const weight = weightOf(serial.charCodeAt(at));
    room += weight + (weight === before || at === 0 ? 0 : CHANGE);
    before = weight;
  }
  return room;
}
