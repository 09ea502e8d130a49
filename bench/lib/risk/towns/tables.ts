/** What differs from country to country and from town to town. Countries are ISO 3166-1 alpha-2. */

/** `US3 CA2.5` as a record. */
const figures = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
  );

/** How many units of this brand per million inhabitants. */
export const BUYING_POWER = figures(`
  US3 CA2.5 GB2.6 IE2.5 FR2.8 DE2.7 NL2.6 BE2.5 CH3.5 AT2.6 ES2.2 PT2 IT2.5 DK2.6 SE2.5 NO2.8 FI2.3 PL1.6
  CZ1.6 SK1.5 HU1.4 RO1.2 BG1.1 GR1.6 RS1 UA0.6 TR1 AE3.5 SA1.8 BH2.2 KW2.4 OM1.6 QA3 EG0.3 MA0.5 NG0.25
  GH0.3 CI0.3 BJ0.2 KE0.3 ZA0.6 IN0.22 PK0.1 BD0.1 CN0.8 HK2.6 TW1.9 JP1.4 KR2 SG3.2 MY1 TH0.8 VN0.5
  ID0.35 PH0.4 AU2.5 NZ2.2 IL2.2 KZ0.9 RU0.8 MX0.8 BR0.7 AR0.7 CL1 CO0.6 PE0.6 PY0.5
`);

/** How much a counterfeiter sells there for each euro of genuine demand; elsewhere 0.8. */
export const FAKES_BOUGHT = figures(`
  NG3 GH2.5 CI2.5 BJ3 KE2.5 IN2.2 PK3 BD2.5 CN2 TR2 RU1.8 UA1.8 EG2.2 MA2 BR1.6 MX1.6 PY4 CO1.6 PE1.8 PH2
  ID2 VN2 TH1.8 MY1.5 RO1.4 BG1.5 RS1.6 KZ1.6 AR1.4
`);

/** Median error of a fixed line's position; elsewhere 13 km, 16 km in the poorest. */
export const FIXED_ERROR_KM = figures(`
  US5 CA6 GB6 IE7 FR6 DE6 NL3.5 BE4 CH4 AT6 ES6 PT7 IT8 DK4 SE5 NO6 FI6 JP6 KR4 SG3 HK3 TW5 AU6 NZ6 IL5
  AE6 PL7 CZ6 SK7 HU7 RO8 BG8 GR9 RS9
`);

/** Share of persons without a fixed line; elsewhere 0.07. */
export const MOBILE_ONLY = figures(`
  NG0.6 GH0.6 CI0.6 BJ0.6 KE0.6 IN0.5 PK0.5 BD0.45 ID0.4 PH0.35 EG0.3 MA0.3 ZA0.35 VN0.2 TH0.2 PE0.25
  CO0.2 PY0.3 MX0.18 BR0.15 SA0.2
`);

/** How common VPNs are; elsewhere 0.04. */
export const VPN_USE = figures(`
  CN0.12 RU0.14 TR0.1 AE0.1 SA0.09 IN0.07 ID0.09 PK0.08 EG0.08 OM0.08 QA0.08 US0.055 GB0.05 KZ0.08
`);

/** Towns that draw more visitors than others of their size. */
export const TOURISM: Readonly<Record<string, number>> = {
  Paris: 5,
  London: 4,
  'New York': 3,
  Dubai: 9,
  Istanbul: 2.5,
  Rome: 5,
  Barcelona: 6,
  Venice: 20,
  Bangkok: 5,
  Phuket: 25,
  Singapore: 6,
  Tokyo: 1.2,
  'Hong Kong': 4,
  'Las Vegas': 8,
  Miami: 3,
  Nice: 8,
  Palma: 20,
  'Las Palmas': 12,
  Antalya: 14,
  Denpasar: 20,
  Marrakesh: 12,
  Amsterdam: 8,
  Prague: 8,
  Vienna: 6,
  Lisbon: 6,
  Geneva: 8,
  Zurich: 5,
  Milan: 3,
  Athens: 4,
  Doha: 4,
  Luxor: 8,
  'Cape Town': 2,
};

/** Where VPNs and companies leave to the internet, and how often. */
export const HOSTING_TOWNS: readonly (readonly [town: string, number])[] = [
  ['Amsterdam', 10],
  ['Frankfurt', 9],
  ['London', 10],
  ['New York', 9],
  ['Washington', 5],
  ['Los Angeles', 7],
  ['Dallas', 4],
  ['Chicago', 4],
  ['Miami', 4],
  ['Seattle', 2],
  ['Singapore', 6],
  ['Tokyo', 5],
  ['Hong Kong', 3],
  ['Stockholm', 3],
  ['Zurich', 4],
  ['Paris', 6],
  ['Madrid', 3],
  ['Toronto', 4],
  ['Montreal', 2],
  ['Sydney', 3],
  ['Warsaw', 2],
  ['Bucharest', 3],
  ['Milan', 2],
  ['Vienna', 1.5],
  ['Oslo', 1],
  ['Helsinki', 1.5],
  ['Copenhagen', 1],
  ['Brussels', 1],
  ['Dublin', 1.5],
  ['Prague', 1],
  ['Sao Paulo', 1.5],
  ['Johannesburg', 1],
  ['Mumbai', 1.5],
  ['Istanbul', 1],
  ['Dubai', 1],
  ['Seoul', 1.5],
  ['Taipei', 1],
  ['Mexico City', 1],
  ['Budapest', 0.7],
  ['Lisbon', 0.7],
];

/** Towns across a border whose people shop in each other. */
export const BORDER_PAIRS: readonly (readonly [string, string])[] = [
  ['San Diego', 'Tijuana'],
  ['El Paso', 'Ciudad Juarez'],
  ['Detroit', 'Windsor'],
  ['Buffalo', 'Toronto'],
  ['Strasbourg', 'Freiburg'],
  ['Basel', 'Freiburg'],
  ['Geneva', 'Lyon'],
  ['Malmo', 'Copenhagen'],
  ['Vienna', 'Bratislava'],
  ['Singapore', 'Johor Bahru'],
  ['Hong Kong', 'Shenzhen'],
  ['Aachen', 'Maastricht'],
  ['Liege', 'Maastricht'],
  ['Lille', 'Brussels'],
  ['Salzburg', 'Munich'],
  ['Manama', 'Dammam'],
  ['Foz do Iguacu', 'Ciudad del Este'],
  ['Eindhoven', 'Antwerp'],
  ['Basel', 'Strasbourg'],
  ['Lagos', 'Cotonou'],
  ['Aachen', 'Liege'],
];

/** Markets of a lot, and how often; none means sold anywhere. */
export const MARKETS: readonly (readonly [markets: string, number])[] = [
  ['US', 14],
  ['US CA', 8],
  ['US CA MX', 3],
  ['CA', 2],
  ['GB IE', 6],
  ['GB', 4],
  ['FR', 6],
  ['DE AT CH', 7],
  ['DE', 5],
  ['IT', 4],
  ['ES PT', 4],
  ['FR BE NL', 4],
  ['BE NL', 2],
  ['AT BE BG CZ DE DK ES FI FR GR HU IE IT NL PL PT RO SE SK', 9],
  ['DK SE NO FI', 4],
  ['PL CZ SK HU', 4],
  ['RO BG GR', 2],
  ['TR', 3],
  ['AE SA KW OM BH QA', 5],
  ['AE', 2],
  ['JP', 5],
  ['KR', 3],
  ['CN', 6],
  ['HK TW', 2],
  ['SG MY', 3],
  ['TH VN ID PH', 3],
  ['IN', 4],
  ['AU NZ', 4],
  ['BR', 3],
  ['AR CL PE CO', 3],
  ['MX', 3],
  ['NG GH CI KE', 2],
  ['ZA', 1.5],
  ['EG MA', 1.5],
  ['RU KZ', 1.5],
  ['', 8],
];

/** Cheap markets, whose lots are worth diverting, and countries where they are dear. */
export const CHEAP_MARKETS: readonly string[] = [
  'TR',
  'IN',
  'BR',
  'MX',
  'TH VN ID PH',
  'EG MA',
  'PL CZ SK HU',
  'RO BG GR',
  'AR CL PE CO',
  'CN',
  'AE SA KW OM BH QA',
  'ZA',
  'GB IE',
  'JP',
  'NG GH CI KE',
];
export const DEAR_COUNTRIES: readonly string[] =
  'US GB DE FR CH AE SG JP NL IT ES RU HK AU CA KR SA NG CN'.split(' ');
