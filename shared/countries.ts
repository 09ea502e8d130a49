/**
 * Country codes: the 249 officially assigned ones of ISO 3166-1 alpha-2, and XK.
 *
 * XK (Kosovo) is of the range that ISO leaves to its users; the location database answers with it, so a market list
 * that could not name it would call every scan there a diversion.
 */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

/** In alphabetical order of the codes. */
export const COUNTRY_CODES: readonly string[] = CODES.split(' ');

const known = new Set(COUNTRY_CODES);

/** Upper-case codes only: `de` is refused, so that no two spellings of a market are ever stored. */
export function isCountryCode(text: string): boolean {
  return known.has(text);
}

const names = new Map<string, Intl.DisplayNames>();

/**
 * The country's name in a language (`Intl.DisplayNames`, CLDR).
 * @param locale a BCP 47 tag out of the caller's own list, never a visitor's: a formatter is kept for each.
 * @returns the code itself where the language has no name for it, or it is no country code.
 */
export function countryName(code: string, locale: string): string {
  if (!isCountryCode(code)) return code;
  let inLanguage = names.get(locale);
  if (!inLanguage) {
    inLanguage = new Intl.DisplayNames(locale, { type: 'region' });
    names.set(locale, inLanguage);
  }
  return inLanguage.of(code) ?? code;
}
