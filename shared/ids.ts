/**
 * Ids: UUIDv7 in Postgres (sortable by time, 128 bits), TypeID text outside, e.g. `batch_01kb…`.
 * @see https://github.com/jetify-com/typeid/tree/main/spec
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';
import { fromString, toUUID } from 'typeid-js';
import { AppError } from './errors.ts';

/** Before every id, and nobody's. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Every kind of id that leaves the system, by its prefix. */
export const ID_PREFIXES = [
  'org',
  'user',
  'key',
  'prod',
  'batch',
  'unit',
  'job',
  'art',
  'scan',
  'rep',
  'cons',
  'whep',
  'dlv',
  'evt',
  'sess',
  'inv',
  'log',
  'rcv',
  'case',
  'sim',
  'bulk',
  'rcl',
  'photo',
  'note',
  'exp',
  'uexp',
] as const;

export type IdPrefix = (typeof ID_PREFIXES)[number];

/** The library's own source asks for 32 random bytes at a time; asking costs the same for more. */
const random = new Uint32Array(1024);
let used = random.length;
function nextUint32(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  return random[used++]!;
}

const generator = new V7Generator({ nextUint32 });
let idTime: () => number = Date.now;

/**
 * Ids carry the time of the fact. A program that makes facts of the past (`sample-data/`) says here what time it is for
 * all ids of its process.
 */
export function setIdTime(now: () => number): void {
  idTime = now;
}

/** @returns a new UUIDv7; ids made later by the same process sort later. */
export const newUuid = (): string => generator.generateOrResetWithTs(idTime()).toString();

/**
 * @returns new UUIDv7s, each later than the one before: one millisecond, 12 bits of `rand_a` as a counter that starts
 * at random (RFC 9562 §6.2, method 1) and 62 random bits; 0.6 µs each against 7 µs of {@link newUuid}, for COPY's millions.
 */
export function newUuids(
  count: number,
  random: (bytes: number) => Buffer = randomBytes,
  now = idTime(),
): string[] {
  const hex = random(count * 8).toString('hex');
  let millisecond = now;
  let counter = random(2).readUInt16BE() & 0x7ff;
  return Array.from({ length: count }, (_, index) => {
    if (counter > 0xfff) {
      millisecond += 1;
      counter = 0;
    }
    const time = millisecond.toString(16).padStart(12, '0');
    const low = hex.slice(index * 16, index * 16 + 16);
    const variant = VARIANT[Number.parseInt(low[0]!, 16) & 3]!;
    const ordered = (counter++).toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${ordered}-${variant}${low.slice(1, 4)}-${low.slice(4)}`;
  });
}

const VARIANT = '89ab';

/** @returns the public form of a UUID, e.g. `encodeId('batch', uuid)` → `batch_01kb…`. */
export const encodeId = (prefix: IdPrefix, uuid: string): string => typeIdOf(prefix, uuid);

// TypeID's base 32 in pairs of characters: ten bits at a time.
const TYPEID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TYPEID_PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => TYPEID_ALPHABET[bits >>> 5]! + TYPEID_ALPHABET[bits & 31]!,
);

export const encodeIds = (prefix: IdPrefix, uuids: readonly string[]): string[] =>
  uuids.map((uuid) => typeIdOf(prefix, uuid));

/** By hand: 0.3 µs each against the library's 6 µs. A test holds the two together. */
function typeIdOf(prefix: IdPrefix, uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  // 128 bits in 26 characters of five: the first character carries the top three, so 8 + 12 × 10 after it.
  let text = `${prefix}_`;
  const top = Number.parseInt(hex.slice(0, 2), 16);
  text += TYPEID_PAIRS[top]!;
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += TYPEID_PAIRS[bits >>> 10]! + TYPEID_PAIRS[bits & 1023]!;
  }
  return text;
}

/** As {@link encodeId}, for a column that may be null. */
export function encodeNullableId(prefix: IdPrefix, uuid: string | null): string | null {
  return uuid === null ? null : encodeId(prefix, uuid);
}

/**
 * What a public id looks like, for a schema. TypeID's alphabet is lower-case; 26 characters carry 130 bits, so the first one is
 * at most 7.
 */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** @returns the UUID behind a public id, or null where it is malformed or of another kind. */
export function decodeId(prefix: IdPrefix, id: string): string | null {
  if (!new RegExp(idPattern(prefix)).test(id)) return null;
  try {
    return toUUID(fromString(id, prefix));
  } catch {
    // Bits of no version of UUIDs, which no id of ours ever had.
    return null;
  }
}

/** As {@link decodeId}, for a path: what cannot exist is not found. @throws AppError NOT_FOUND */
export function requireId(prefix: IdPrefix, id: string): string {
  const uuid = decodeId(prefix, id);
  if (uuid === null) throw new AppError('NOT_FOUND');
  return uuid;
}

/** The smallest UUIDv7 of a moment: turns a time filter into an id range, which prunes partitions. */
export function uuidFloor(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Nobody's: nothing comes after it. */
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Whether a text is a UUID as Postgres writes it. */
export const isUuid = (text: string): boolean => UUID.test(text);
