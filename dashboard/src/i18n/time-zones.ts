/**
 * What zones are called today and browsers list under their names of before, such as Asia/Calcutta, for the sake of what was stored
 * under them (https://tc39.es/ecma402/#sec-availablenamedtimezoneidentifiers); and UTC, which some list nowhere.
 */
const UNLISTED = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
  'UTC',
];

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The time zones to choose from, each under every name that somebody may look for. @param current listed whatever it is */
export const timeZonesWith = (current: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), ...UNLISTED.filter(isKnown), current])].sort();
