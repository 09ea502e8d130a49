/**
 * How far a visitor's own position is believed. It arrives as numbers that anybody can write, so it is worth what the scan's
 * address backs: near the place of the address it is taken, with the distance between the two as its uncertainty; far from it the
 * place of the address stands. By the triangle inequality no claims then lie farther apart, uncertainty taken off, than their
 * addresses do: a position can bring two scans together and cannot drive them asunder (ADR 0110).
 */
import { CELL_KM, rough } from '../risk/coarse.ts';
import { distanceKm } from '../risk/geo.ts';

export interface ClaimedPosition {
  lat: number;
  lon: number;
  accuracyKm: number;
}

/** The place of the scan's address; without coordinates where that is not known. */
export interface AddressPlace {
  lat: number | null;
  lon: number | null;
  accuracy_km: number | null;
}

/**
 * An address is farther off than three of its radii for 7 in 100 visitors (docs/risk.md: log-normal, median 0.7 radii, σ 1), and
 * for those behind a VPN or roaming. Their claims are kept beside the scan, and no rule looks at them.
 */
const MOST_RADII = 3;

/**
 * @returns the place for the rules; null where the address does not back the claim. Its radius goes by the coarse position, with the
 *   most that the visitor may be off that: the exact distance from the address's place, which is no secret, would give the position away
 *   for as long as the radius is kept.
 */
export function backedPlace(claim: ClaimedPosition, address: AddressPlace): ClaimedPosition | null {
  const { lat, lon, accuracy_km: radiusKm } = address;
  if (lat === null || lon === null || radiusKm === null) return null;
  const offKm = Math.max(claim.accuracyKm, distanceKm(lat, lon, claim.lat, claim.lon));
  if (offKm > MOST_RADII * radiusKm) return null;
  const cell = rough(claim);
  return {
    ...claim,
    accuracyKm: Math.max(claim.accuracyKm, distanceKm(lat, lon, cell.lat, cell.lon) + CELL_KM),
  };
}
