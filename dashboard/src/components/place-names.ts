/** Names for places, from the large cities of the world, which are loaded when first needed. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import citiesUrl from 'virtual:cities';
import { readFigures } from '../api/figures.ts';
import { useFormats } from '../i18n/format.ts';

/** Inhabitants in thousands; the largest first. */
type City = readonly [name: string, country: string, lat: number, lon: number, thousands: number];

export interface Spot {
  lat: number;
  lon: number;
  /** ISO 3166-1 alpha-2, where known. */
  country?: string | null;
}

/** Within this, the largest city gives its name; beyond, the nearest one up to the second distance. */
const CITY_KM = 45;
const NEAR_KM = 150;
const EARTH_KM = 6371;
const RADIANS = Math.PI / 180;

function distanceKm(a: Spot, b: Spot): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** @returns the city at a spot, in its own country where that is known; null far from every city. */
function cityAt(cities: readonly City[], spot: Spot): City | null {
  let nearest: { city: City; km: number } | null = null;
  for (const city of cities) {
    const [, country, lat, lon] = city;
    if (Math.abs(lat - spot.lat) > 2 || (spot.country && country !== spot.country)) continue;
    const km = distanceKm(spot, { lat, lon });
    // The largest first.
    if (km <= CITY_KM) return city;
    if (km <= NEAR_KM && (nearest === null || km < nearest.km)) nearest = { city, km };
  }
  return nearest?.city ?? null;
}

export interface PlaceNames {
  /** "Lyon"; the country, or the coordinates, where no city is near. */
  short(spot: Spot): string;
  /** "Lyon, France". */
  long(spot: Spot): string;
}

export function usePlaceNames(): PlaceNames {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data: cities = [] } = useQuery({
    queryKey: [citiesUrl],
    queryFn: () => readFigures<readonly City[]>(citiesUrl),
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const coordinates = ({ lat, lon }: Spot) => `${lat.toFixed(1)}, ${lon.toFixed(1)}`;
  const countryOf = ({ country }: Spot) => (country ? formats.country(country) : null);
  return {
    short: (spot) => cityAt(cities, spot)?.[0] ?? countryOf(spot) ?? coordinates(spot),
    long(spot) {
      const found = cityAt(cities, spot);
      if (found === null) return countryOf(spot) ?? coordinates(spot);
      const [city, country] = found;
      return t('placeIn', { city, country: formats.country(country) });
    },
  };
}

/** A place by its name, where not every place of a screen should have the names loaded: `long` of it. */
export const PlaceName = ({ spot }: { spot: Spot }) => usePlaceNames().long(spot);
