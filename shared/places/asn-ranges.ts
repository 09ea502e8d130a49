/**
 * Reads the ranges of addresses of each autonomous system (AS) as @ip-location-db/asn packs them: CSV of Route Views, the
 * regional registries (NRO) and DB-IP, each CC BY 4.0 (see the README). Straight from the bytes, as 30 MB of strings take
 * a second that a restart does not have.
 */
import { createRequire } from 'node:module';

export type Family = 'ipv4' | 'ipv6';

/**
 * @param hi the first 32 bits of an address
 * @param lo the next 32 bits of an IPv6 address, 0 for IPv4: nobody announces less than a /64 to a network of visitors
 * @param asn the number of the autonomous system
 * @param holder where its name lies in the file: from and to, quotes included
 */
export type Visit = (
  startHi: number,
  startLo: number,
  endHi: number,
  endLo: number,
  asn: number,
  holder: readonly [from: number, to: number],
) => void;

const COMMA = 0x2c;
const NEWLINE = 0x0a;
const COLON = 0x3a;
const HEX_DIGITS = (() => {
  const digits = new Uint8Array(128);
  for (let value = 0; value < 16; value += 1) digits[value.toString(16).charCodeAt(0)] = value;
  return digits;
})();

export const rangesPath = (family: Family): string =>
  createRequire(import.meta.url).resolve(
    `@ip-location-db/asn/${family === 'ipv4' ? 'asn-ipv4-num' : 'asn-ipv6'}.csv`,
  );

/** Calls `visit` for each range, in the order of the addresses; ranges do not overlap. */
export function forEachRange(file: Buffer, family: Family, visit: Visit): void {
  const groups = new Uint16Array(8);
  let at = 0;
  const readNumber = (): number => {
    let value = 0;
    for (; file[at] !== COMMA; at += 1) value = value * 10 + file[at]! - 48;
    at += 1;
    return value;
  };
  while (at < file.length) {
    let [startHi, startLo, endHi, endLo] = [0, 0, 0, 0];
    let isWhole = true;
    if (family === 'ipv4') {
      startHi = readNumber();
      endHi = readNumber();
    } else {
      at = readGroups(file, at, groups);
      startHi = upper(groups);
      startLo = lower(groups);
      isWhole = hostBits(groups, 0);
      at = readGroups(file, at, groups);
      endHi = upper(groups);
      endLo = lower(groups);
      isWhole &&= hostBits(groups, 0xffff);
    }
    const asn = readNumber();
    const newline = file.indexOf(NEWLINE, at);
    const end = newline === -1 ? file.length : newline;
    if (isWhole) visit(startHi, startLo, endHi, endLo, asn, [at, end]);
    at = end + 1;
  }
}

const upper = (groups: Uint16Array): number => groups[0]! * 65536 + groups[1]!;
const lower = (groups: Uint16Array): number => groups[2]! * 65536 + groups[3]!;
const hostBits = (groups: Uint16Array, all: number): boolean =>
  groups[4] === all && groups[5] === all && groups[6] === all && groups[7] === all;

/** `2001:db8::1` up to the comma into eight groups. @returns where the next field begins. */
function readGroups(file: Buffer, from: number, groups: Uint16Array): number {
  groups.fill(0);
  let at = from;
  let count = 0;
  let gap = -1;
  while (file[at] !== COMMA) {
    if (file[at] === COLON) {
      at += 1;
      if (file[at] === COLON) {
        gap = count;
        at += 1;
      }
      continue;
    }
    let value = 0;
    for (; file[at] !== COMMA && file[at] !== COLON; at += 1) value = value * 16 + HEX_DIGITS[file[at]!]!;
    groups[count] = value;
    count += 1;
  }
  if (gap !== -1 && count > gap) {
    groups.copyWithin(8 - (count - gap), gap, count);
    groups.fill(0, gap, 8 - (count - gap));
  }
  return at + 1;
}
