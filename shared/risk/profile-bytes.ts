/**
 * A profile as bytes, exactly: a fraction of what the objects take, and several times as fast as JSON. For memory within one
 * process only; what is stored is JSON. Countries and hashed ids are ASCII.
 */
import type { Cursor } from './record-log.ts';
import type { Evidence, Fix, Jump, KnownPlace, RiskProfile, Visitor, VisitorKey } from './types.ts';

/** For absent: JSON has no word for it, and so neither has a length. */
const ABSENT = 255;
const NULL = 254;
/** A key of four bytes follows. */
const NUMBER = 253;

export function writeProfile(to: Cursor, profile: RiskProfile): void {
  const { version, visitors, inside, outside, lastAt, nextPlaceId, seenIn, recent, places } = profile;
  const { evidence, fixes, jump, dismissedAt, forgiven, suspectedAt, turned, countedBy } = profile;
  writeInteger(to, version);
  writeInteger(to, visitors);
  writeNumber(to, inside);
  writeNumber(to, outside);
  writeNumber(to, lastAt);
  writeInteger(to, nextPlaceId);
  writeText(to, seenIn);
  writeText(to, countedBy);
  writeNumber(to, evidence.far);
  writeNumber(to, evidence.near);
  // No evidence is NaN.
  writeNumber(to, evidence.outlets ?? Number.NaN);
  writeInteger(to, recent.length);
  for (const visitor of recent) writeVisitor(to, visitor);
  writeInteger(to, places.length);
  for (const place of places) writePlace(to, place);
  writeInteger(to, fixes.length);
  for (const fix of fixes) writeFix(to, fix);
  writeInteger(to, jump === null ? 0 : 1);
  if (jump !== null) writeJump(to, jump);
  // No time is NaN.
  writeNumber(to, dismissedAt ?? Number.NaN);
  writeNumber(to, suspectedAt ?? Number.NaN);
  writeInteger(to, turned === true ? 1 : 0);
  writeInteger(to, forgiven === undefined ? 0 : 1);
  if (forgiven === undefined) return;
  writeNumber(to, forgiven.inside);
  writeNumber(to, forgiven.outside);
  writeInteger(to, forgiven.most);
  writeInteger(to, forgiven.elsewhere);
}

export function readProfile(from: Cursor): RiskProfile {
  const version = readInteger(from) as RiskProfile['version'];
  const visitors = readInteger(from);
  const inside = readNumber(from);
  const outside = readNumber(from);
  const lastAt = readNumber(from);
  const nextPlaceId = readInteger(from);
  const seenIn = readText(from);
  const countedBy = readText(from) ?? undefined;
  const evidence = readEvidence(from);
  const recent = readAll(from, readVisitor);
  const places = readAll(from, readPlace);
  const fixes = readAll(from, readFix);
  const jump = readInteger(from) === 0 ? null : readJump(from);
  const dismissed = readNumber(from);
  const dismissedAt = Number.isNaN(dismissed) ? null : dismissed;
  const profile: RiskProfile = {
    version,
    visitors,
    inside,
    outside,
    lastAt,
    nextPlaceId,
    recent,
    places,
    evidence,
    fixes,
    jump,
    dismissedAt,
  };
  if (seenIn !== undefined) profile.seenIn = seenIn;
  if (countedBy !== undefined) profile.countedBy = countedBy;
  const suspectedAt = readNumber(from);
  if (!Number.isNaN(suspectedAt)) profile.suspectedAt = suspectedAt;
  if (readInteger(from) === 1) profile.turned = true;
  if (readInteger(from) === 1) {
    const [inside, outside] = [readNumber(from), readNumber(from)];
    profile.forgiven = { inside, outside, most: readInteger(from), elsewhere: readInteger(from) };
  }
  return profile;
}

function readEvidence(from: Cursor): Evidence {
  const [far, near, outlets] = [readNumber(from), readNumber(from), readNumber(from)];
  return Number.isNaN(outlets) ? { far, near } : { far, near, outlets };
}

function readAll<T>(from: Cursor, read: (from: Cursor) => T): T[] {
  const items: T[] = [];
  for (let left = readInteger(from); left > 0; left -= 1) items.push(read(from));
  return items;
}

function writeVisitor(to: Cursor, visitor: Visitor): void {
  const [session, network, placeId, firstMinute, again = 0, inSession = 0, fromInside = 0] = visitor;
  writeKey(to, session);
  writeKey(to, network);
  writeInteger(to, placeId);
  writeInteger(to, firstMinute);
  writeInteger(to, again);
  writeInteger(to, inSession);
  writeInteger(to, fromInside);
}

function readVisitor(from: Cursor): Visitor {
  const session = readKey(from)!;
  const network = readKey(from)!;
  const placeId = readInteger(from);
  const first = readInteger(from);
  const [again, inSession] = [readInteger(from), readInteger(from)];
  if (readInteger(from) === 1) return [session, network, placeId, first, again, inSession, 1];
  if (again === 0) return [session, network, placeId, first];
  return inSession === 0
    ? [session, network, placeId, first, again]
    : [session, network, placeId, first, again, inSession];
}

function writePlace(to: Cursor, place: KnownPlace): void {
  writeInteger(to, place.id);
  writeNumber(to, place.lat);
  writeNumber(to, place.lon);
  writeNumber(to, place.accuracyKm);
  writeText(to, place.country);
  writeInteger(to, place.visitors);
  writeInteger(to, place.first);
  writeInteger(to, place.last);
  writeNumber(to, place.cost);
  writeInteger(to, place.moves);
  writeInteger(to, place.since);
  writeInteger(to, place.via);
  writeInteger(to, place.ofUnknownKind === true ? 1 : 0);
}

// Without a spread amid the fields, which is slow.
function readPlace(from: Cursor): KnownPlace {
  const place: KnownPlace = {
    id: readInteger(from),
    lat: readNumber(from),
    lon: readNumber(from),
    accuracyKm: readNumber(from),
    country: readText(from) ?? null,
    visitors: readInteger(from),
    first: readInteger(from),
    last: readInteger(from),
    cost: readNumber(from),
    moves: readInteger(from),
    since: readInteger(from),
    via: readInteger(from),
  };
  if (readInteger(from) === 1) place.ofUnknownKind = true;
  return place;
}

function writeFix(to: Cursor, fix: Fix): void {
  writeInteger(to, fix.placeId);
  writeNumber(to, fix.lat);
  writeNumber(to, fix.lon);
  writeNumber(to, fix.accuracyKm);
  writeText(to, fix.country);
  writeNumber(to, fix.at);
}

const readFix = (from: Cursor): Fix => ({
  placeId: readInteger(from),
  lat: readNumber(from),
  lon: readNumber(from),
  accuracyKm: readNumber(from),
  country: readText(from) ?? null,
  at: readNumber(from),
});

function writeJump(to: Cursor, jump: Jump): void {
  writeKey(to, jump.visitor?.[0]);
  writeKey(to, jump.visitor?.[1]);
  writeFix(to, jump.from);
  writeFix(to, jump.to);
  writeNumber(to, jump.distanceKm);
  writeNumber(to, jump.adjustedKm);
  writeNumber(to, jump.speedKmh);
  writeNumber(to, jump.nats);
}

function readJump(from: Cursor): Jump {
  const [session, network] = [readKey(from), readKey(from)];
  const jump: Jump = {
    from: readFix(from),
    to: readFix(from),
    distanceKm: readNumber(from),
    adjustedKm: readNumber(from),
    speedKmh: readNumber(from),
    nats: readNumber(from),
  };
  if (session !== undefined && network !== undefined) jump.visitor = [session, network];
  return jump;
}

/** From -1 on; seven bits to a byte, low ones first. */
function writeInteger(to: Cursor, value: number): void {
  let rest = value + 1;
  if (!Number.isSafeInteger(rest) || rest < 0) throw new RangeError(`no integer from -1 on: ${value}`);
  for (; rest >= 128; rest = Math.floor(rest / 128)) to.bytes[to.at++] = (rest % 128) + 128;
  to.bytes[to.at++] = rest;
}

function readInteger(from: Cursor): number {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = from.bytes[from.at++]!;
    if (byte < 128) return value + byte * scale - 1;
    value += (byte - 128) * scale;
  }
}

function writeNumber(to: Cursor, value: number): void {
  to.view.setFloat64(to.at, value, true);
  to.at += 8;
}

function readNumber(from: Cursor): number {
  from.at += 8;
  return from.view.getFloat64(from.at - 8, true);
}

function writeText(to: Cursor, text: string | null | undefined): void {
  if (text === null || text === undefined) {
    to.bytes[to.at++] = text === null ? NULL : ABSENT;
    return;
  }
  if (text.length >= NUMBER) throw new RangeError(`too long: ${text}`);
  to.bytes[to.at++] = text.length;
  for (let i = 0; i < text.length; i += 1) to.bytes[to.at++] = text.charCodeAt(i);
}

function readText(from: Cursor): string | null | undefined {
  const length = from.bytes[from.at++]!;
  if (length >= NULL) return length === NULL ? null : undefined;
  const start = from.at;
  from.at += length;
  if (length > 8) return from.bytes.toString('latin1', start, from.at);
  // Shorter than the way into the runtime and back.
  let text = '';
  for (let i = start; i < from.at; i += 1) text += String.fromCharCode(from.bytes[i]!);
  return text;
}

function writeKey(to: Cursor, key: VisitorKey | undefined): void {
  if (typeof key !== 'number') return writeText(to, key);
  to.bytes[to.at++] = NUMBER;
  to.view.setInt32(to.at, key, true);
  to.at += 4;
}

function readKey(from: Cursor): VisitorKey | undefined {
  if (from.bytes[from.at] !== NUMBER) return readText(from) ?? undefined;
  from.at += 5;
  return from.view.getInt32(from.at - 4, true);
}
