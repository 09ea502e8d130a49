/** Cities, distances and neighbours. The arithmetic is the generator's own, so that it shares no mistake with the rules. */
import type { Random } from '../../../../sample-data/random.ts';
import type { City, Place, Spot } from './model.ts';

/** By country: name, latitude, longitude, weight among the buyers. */
const GAZETTEER = `
  GB: London 51.51 -0.13 9; Manchester 53.48 -2.24 4; Birmingham 52.48 -1.9 4; Glasgow 55.86 -4.25 2;
    Bristol 51.45 -2.59 2
  FR: Paris 48.86 2.35 8; Lyon 45.76 4.84 3; Marseille 43.3 5.37 3; Toulouse 43.6 1.44 2;
    Lille 50.63 3.07 2
  DE: Berlin 52.52 13.4 5; Hamburg 53.55 9.99 3; Munich 48.14 11.58 4; Cologne 50.94 6.96 4;
    Frankfurt 50.11 8.68 3; Leipzig 51.34 12.37 1.5
  ES: Madrid 40.42 -3.7 5; Barcelona 41.39 2.17 4; Seville 37.39 -5.98 2; Valencia 39.47 -0.38 2
  IT: Milan 45.46 9.19 5; Rome 41.9 12.5 4; Naples 40.85 14.27 3; Turin 45.07 7.69 2
  NL: Amsterdam 52.37 4.9 3; Rotterdam 51.92 4.48 2
  BE: Brussels 50.85 4.35 3
  CH: Zurich 47.38 8.54 3; Geneva 46.2 6.14 1
  AT: Vienna 48.21 16.37 3
  PL: Warsaw 52.23 21.01 3; Krakow 50.06 19.94 2; Gdansk 54.35 18.65 1.5
  CZ: Prague 50.08 14.44 2
  HU: Budapest 47.5 19.04 2
  RO: Bucharest 44.43 26.1 2
  SE: Stockholm 59.33 18.07 3; Gothenburg 57.71 11.97 1
  DK: Copenhagen 55.68 12.57 2
  PT: Lisbon 38.72 -9.14 2
  GR: Athens 37.98 23.73 2
  TR: Istanbul 41.01 28.98 5; Ankara 39.93 32.86 2; Izmir 38.42 27.14 2
  US: New York 40.71 -74.01 9; Los Angeles 34.05 -118.24 7; Chicago 41.88 -87.63 4;
    Houston 29.76 -95.37 4; Miami 25.76 -80.19 3; Atlanta 33.75 -84.39 3; Seattle 47.61 -122.33 2
  CA: Toronto 43.65 -79.38 3; Vancouver 49.28 -123.12 1.5
  MX: Mexico City 19.43 -99.13 4; Monterrey 25.69 -100.32 2
  BR: Sao Paulo -23.55 -46.63 5; Rio -22.91 -43.17 3; Recife -8.05 -34.88 1.5
  AE: Dubai 25.2 55.27 3
  SA: Riyadh 24.71 46.68 3
  EG: Cairo 30.04 31.24 3
  NG: Lagos 6.52 3.38 3
  IN: Mumbai 19.08 72.88 4; Delhi 28.61 77.21 4; Bangalore 12.97 77.59 2
  TH: Bangkok 13.76 100.5 3
  SG: Singapore 1.35 103.82 2
  ID: Jakarta -6.21 106.85 3
  JP: Tokyo 35.68 139.69 5; Osaka 34.69 135.5 3
  KR: Seoul 37.57 126.98 4
  AU: Sydney -33.87 151.21 3; Melbourne -37.81 144.96 3`;

export const CITIES: readonly City[] = GAZETTEER.trim()
  .split(/\n {2}(?=[A-Z]{2}:)/)
  .flatMap((row) => {
    const [country, cities] = row.split(':') as [string, string];
    return cities.split(';').map((each) => {
      const words = each.trim().split(/\s+/);
      const [lat, lon, weight] = words.splice(-3).map(Number) as [number, number, number];
      return { name: words.join(' '), country, lat, lon, weight };
    });
  });

const EXIT_NAMES =
  'Amsterdam,Frankfurt,London,Paris,Zurich,Stockholm,Warsaw,Madrid,Milan,' +
  'New York,Los Angeles,Chicago,Miami,Toronto,Singapore,Tokyo,Sydney,Bucharest';
/** Where the VPNs' servers stand. */
export const EXITS: readonly City[] = CITIES.filter(({ name }) => EXIT_NAMES.split(',').includes(name));

interface Country {
  code: string;
  cities: readonly City[];
  /** The heaviest city, which stands for the country in distances between countries. */
  seat: City;
  weight: number;
}

const COUNTRIES: readonly Country[] = [...new Set(CITIES.map(({ country }) => country))].map((code) => {
  const cities = CITIES.filter(({ country }) => country === code);
  return {
    code,
    cities,
    seat: cities.toSorted((a, b) => b.weight - a.weight)[0]!,
    weight: cities.reduce((sum, { weight }) => sum + weight, 0),
  };
});
const BY_CODE = new Map(COUNTRIES.map((country) => [country.code, country]));

export const seatOf = (country: string): City => BY_CODE.get(country)!.seat;

const RADIANS = Math.PI / 180;
const EARTH_DIAMETER_KM = 12_742;
const KM_PER_DEGREE = 111.2;
/** Nobody lives nearer to a pole, where a degree of longitude is next to nothing. */
const HIGHEST_LATITUDE = 80;
/** Countries farther apart than this are far from each other. */
const FAR_KM = 2500;
/** Keeps the weight of what is too far away above zero. */
const HARDLY = 1e-9;

export function kmBetween(a: Spot, b: Spot): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon ** 2;
  return EARTH_DIAMETER_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** A place so many kilometres away in any direction, taken to be in the same country. */
export function offBy(rng: Random, { lat, lon, country }: Place, km: number): Place {
  const course = rng.next() * 2 * Math.PI;
  const north = lat + (km / KM_PER_DEGREE) * Math.cos(course);
  const east = ((km / KM_PER_DEGREE) * Math.sin(course)) / Math.cos(lat * RADIANS);
  return {
    lat: Math.max(-HIGHEST_LATITUDE, Math.min(HIGHEST_LATITUDE, north)),
    lon: ((lon + east + 540) % 360) - 180,
    country,
  };
}

/** Someone's home: in a city's suburbs, or in a town around it. */
export function homeNear(rng: Random, place: Place): Place {
  return offBy(rng, place, rng.chance(0.3) ? 20 + rng.exponential(70) : rng.exponential(9));
}

export function cityIn(rng: Random, country: string): City {
  return rng.weighted(BY_CODE.get(country)!.cities, ({ weight }) => weight);
}

export function anyCountry(rng: Random): string {
  return rng.weighted(CITIES, ({ weight }) => weight).country;
}

/** Another country, the likelier the nearer it is and the more it buys. */
export function neighbourOf(rng: Random, country: string, reachKm: number): string {
  const seat = seatOf(country);
  return rng.weighted(
    COUNTRIES.filter(({ code }) => code !== country),
    (other) => Math.exp(-kmBetween(other.seat, seat) / reachKm) * other.weight + HARDLY,
  ).code;
}

export function farFrom(rng: Random, country: string): string {
  const seat = seatOf(country);
  return rng.weighted(COUNTRIES, (other) => (kmBetween(other.seat, seat) > FAR_KM ? other.weight : 0)).code;
}

/** The exit that someone who wants a near one gets. */
export function exitNear(rng: Random, place: Place): City {
  return rng.weighted(EXITS, (exit) => Math.exp(-kmBetween(exit, place) / 400) + HARDLY);
}

/** The country that a database mistakes this place's for. */
export function countryAcross(place: Place): string {
  return CITIES.filter(({ country }) => country !== place.country).reduce((nearest, city) =>
    kmBetween(city, place) < kmBetween(nearest, place) ? city : nearest,
  ).country;
}
