/**
 * How far off positions are. Errors are log-normal around the radius that is stated for a position; where the kind of its network is
 * unknown the radius is a telephone's, and some of such positions are a line's all the same, to within some kilometres.
 */
import type { KnownPlace, Position } from './types.ts';

/** No position is trusted to better than this: one neighbourhood is one place. */
const MIN_ACCURACY_KM = 2;
/** The median error is this share of the radius. */
const ERROR_MEDIAN_SHARE = 0.7;
const ERROR_SIGMA = 1;
const ERROR_PEAK = 1 / (ERROR_SIGMA * Math.sqrt(2 * Math.PI));
/**
 * Of the visitors from networks of unknown kind, so many are on lines, whose radius is this. A third is few: codes are scanned with
 * telephones, at home through the line there. Who takes half finds more copies and takes displays for some (docs/risk.md).
 */
const LINE_SHARE = 0.35;
const LINE_KM = 16;

type Located = Pick<KnownPlace, 'accuracyKm' | 'ofUnknownKind'>;

/** @param accuracyKm as stated */
export function radius(accuracyKm: number): number {
  return Math.max(MIN_ACCURACY_KM, accuracyKm);
}

/** The radius of the distance between a place and a fix, both as stated. */
export function jointRadius(place: Pick<Located, 'accuracyKm'>, fix: Pick<Position, 'accuracyKm'>): number {
  return Math.hypot(radius(place.accuracyKm), radius(fix.accuracyKm));
}

/** Density of the logarithm of a distance when both are of one object. */
export function atPlaceDensity(place: Located, fix: Position, km: number): number {
  return mixed(place, fix, km, bell);
}

/** The same when the fix is a buyer's of another copy that was sold in the place's region, or country, which is so large. */
export function inRegionDensity(place: Located, fix: Position, km: number, regionKm: number): number {
  return mixed(place, fix, km, spread, regionKm);
}

/** A density over what the two radii may be: as stated, or a line's where the kind of a network is unknown. */
function mixed(
  place: Located,
  fix: Position,
  km: number,
  density: (km: number, medianKm: number, regionKm: number) => number,
  regionKm = 0,
): number {
  const ofPlace = radius(place.accuracyKm);
  const ofFix = radius(fix.accuracyKm);
  const asStated = density(km, medianKm(ofPlace, ofFix), regionKm);
  const p = place.ofUnknownKind === true ? LINE_SHARE : 0;
  const q = fix.ofUnknownKind ? LINE_SHARE : 0;
  if (p === 0 && q === 0) return asStated;
  const onLine = Math.min(LINE_KM, ofPlace);
  const alsoOnLine = Math.min(LINE_KM, ofFix);
  let sum = (1 - p) * (1 - q) * asStated;
  if (p > 0) sum += p * (1 - q) * density(km, medianKm(onLine, ofFix), regionKm);
  if (q > 0) sum += (1 - p) * q * density(km, medianKm(ofPlace, alsoOnLine), regionKm);
  if (p > 0 && q > 0) sum += p * q * density(km, medianKm(onLine, alsoOnLine), regionKm);
  return sum;
}

/** Of the error of a distance between two positions of these radii. */
const medianKm = (a: number, b: number): number => ERROR_MEDIAN_SHARE * Math.hypot(a, b);

/** Density of the logarithm of a distance under a log-normal law, flat below its median. */
function bell(km: number, medianKm: number): number {
  const off = Math.log(Math.max(km, medianKm) / medianKm) / ERROR_SIGMA;
  return ERROR_PEAK * Math.exp(-0.5 * off * off);
}

/**
 * The same with both flanks, around a region: buyers of copies in one region are kilometres apart, so visitors at the very same spot
 * speak for one object. Without the lower flank a display that draws one visitor a week came to look like copies in one town.
 */
function spread(km: number, errorKm: number, regionKm: number): number {
  const off = Math.log(Math.max(km, 1) / Math.hypot(errorKm, regionKm)) / ERROR_SIGMA;
  return ERROR_PEAK * Math.exp(-0.5 * off * off);
}
