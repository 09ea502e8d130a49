/**
 * Ids: UUIDv7 in Postgres (sortable by time, 128 bits), TypeID text outside, e.g. `batch_01kb…`.
 * @see https://github.com/jetify-com/typeid/tree/main/spec
 */
import { uuidv7 } from 'uuidv7';
import { fromString, fromUUID, toUUID } from 'typeid-js';
import { AppError } from './errors.ts';

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
] as const;

export type IdPrefix = (typeof ID_PREFIXES)[number];

/** @returns a new UUIDv7; ids made later by the same process sort later. */
export const newUuid = (): string => uuidv7();

/** @returns the public form of a UUID, e.g. `encodeId('batch', uuid)` → `batch_01kb…`. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix).toString();
}

/** As {@link encodeId}, for a column that may be null. */
export function encodeNullableId(prefix: IdPrefix, uuid: string | null): string | null {
  return uuid === null ? null : encodeId(prefix, uuid);
}

/** @returns the UUID behind a public id, or null where it is malformed or of another kind. */
export function decodeId(prefix: IdPrefix, id: string): string | null {
  // TypeID's alphabet is lower-case; 26 characters carry 130 bits, so the first one is at most 7.
  if (!new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(id)) return null;
  return toUUID(fromString(id, prefix));
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
