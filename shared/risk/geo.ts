/** Distances on a sphere; no rule knows more geometry than this. */

const EARTH_RADIUS_KM = 6371.0088; // mean radius R1 of the IUGG
const RADIANS = Math.PI / 180;

/** Radius of a position of which nobody says how exact it is. */
export const UNTOLD_ACCURACY_KM = 50;

/** Great-circle distance in kilometres by the haversine formula (within 0.5% of the ellipsoid's). */
export function distanceKm(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const sinLat = Math.sin(((lat2 - lat1) * RADIANS) / 2);
  const sinLon = Math.sin(((lon2 - lon1) * RADIANS) / 2);
  const h = sinLat * sinLat + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * sinLon * sinLon;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The point `km` kilometres from a start in the direction of `bearing` degrees clockwise from north. */
export function destination(
  lat: number,
  lon: number,
  bearing: number,
  km: number,
): { lat: number; lon: number } {
  const angle = km / EARTH_RADIUS_KM;
  const lat1 = lat * RADIANS;
  const course = bearing * RADIANS;
  const sinLat = Math.sin(lat1) * Math.cos(angle) + Math.cos(lat1) * Math.sin(angle) * Math.cos(course);
  const lat2 = Math.asin(Math.max(-1, Math.min(1, sinLat)));
  const lon2 =
    lon * RADIANS +
    Math.atan2(
      Math.sin(course) * Math.sin(angle) * Math.cos(lat1),
      Math.cos(angle) - Math.sin(lat1) * sinLat,
    );
  return { lat: lat2 / RADIANS, lon: ((((lon2 / RADIANS + 180) % 360) + 360) % 360) - 180 };
}
