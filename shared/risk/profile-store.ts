/**
 * Profiles of many units in little memory, for replays. Units seen lately are kept as they are; the others as text without
 * names of fields, about a seventh of the size and nothing for the garbage collector to walk through. Nothing is ever
 * dropped: what comes out is what went in, so a replay stays exact.
 */
import type { Fix, KnownPlace, RiskProfile } from './types.ts';

/** Units kept unpacked, about a kilobyte each: two generations of so many. Packing costs a third of a scan's scoring. */
const GENERATION = 100_000;

/** A store of profiles by unit. */
export class ProfileStore<Key> {
  private young = new Map<Key, RiskProfile>();
  private old = new Map<Key, RiskProfile>();
  private readonly packed = new Map<Key, string>();
  private readonly generation: number;

  constructor(generation: number = GENERATION) {
    this.generation = generation;
  }

  /** @returns the unit's profile, null for a unit never seen. */
  get(unit: Key): RiskProfile | null {
    const recent = this.young.get(unit) ?? this.old.get(unit);
    if (recent !== undefined) return recent;
    const text = this.packed.get(unit);
    return text === undefined ? null : unpack(text);
  }

  set(unit: Key, profile: RiskProfile): void {
    this.young.set(unit, profile);
    if (this.young.size < this.generation) return;
    for (const [idle, last] of this.old) {
      if (!this.young.has(idle)) this.packed.set(idle, pack(last));
    }
    this.old = this.young;
    this.young = new Map();
  }
}

type PackedPlace = [number, number, number, number, string | null, ...rest: number[]];
type PackedFix = [number, number, number, number, string | null, number];
type Packed = [
  numbers: [number, number, number, number, number, number, number],
  recent: RiskProfile['recent'],
  places: PackedPlace[],
  fixes: PackedFix[],
  jump: RiskProfile['jump'],
  dismissedAt: number | null,
  // Absent, null or a country; JSON has no word for the first.
  seenIn: (string | null)[],
];

function pack(profile: RiskProfile): string {
  const { visitors, inside, outside, lastAt, nextPlaceId, evidence } = profile;
  const packed: Packed = [
    [visitors, inside, outside, lastAt, nextPlaceId, evidence.far, evidence.near],
    profile.recent,
    profile.places.map(packPlace),
    profile.fixes.map((f) => [f.placeId, f.lat, f.lon, f.accuracyKm, f.country, f.at]),
    profile.jump,
    profile.dismissedAt,
    profile.seenIn === undefined ? [] : [profile.seenIn],
  ];
  return JSON.stringify(packed);
}

function packPlace(place: KnownPlace): PackedPlace {
  const { id, lat, lon, accuracyKm, country, visitors, first, last, cost, moves, since, via } = place;
  return [id, lat, lon, accuracyKm, country, visitors, first, last, cost, moves, since, via];
}

function unpack(text: string): RiskProfile {
  const [numbers, recent, places, fixes, jump, dismissedAt, seenIn] = JSON.parse(text) as Packed;
  const [visitors, inside, outside, lastAt, nextPlaceId, far, near] = numbers;
  return {
    version: 1,
    visitors,
    inside,
    outside,
    lastAt,
    nextPlaceId,
    recent,
    places: places.map(unpackPlace),
    evidence: { far, near },
    fixes: fixes.map(([placeId, lat, lon, accuracyKm, country, at]): Fix => {
      return { placeId, lat, lon, accuracyKm, country, at };
    }),
    jump,
    dismissedAt,
    ...(seenIn.length > 0 && { seenIn: seenIn[0]! }),
  };
}

function unpackPlace(packed: PackedPlace): KnownPlace {
  const [id, lat, lon, accuracyKm, country, ...rest] = packed;
  const [visitors, first, last, cost, moves, since, via] = rest as [
    ...[number, number, number, number],
    ...[number, number, number],
  ];
  return { id, lat, lon, accuracyKm, country, visitors, first, last, cost, moves, since, via };
}
