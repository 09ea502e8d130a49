/** What the name of an autonomous system's holder says of its network, for the tens of thousands that no table names. */

/** `provider`: of the Internet, of lines in some countries, of anything elsewhere. */
export type Use = 'fixed' | 'mobile' | 'provider' | 'unknown';

/** Words between letters or ends: `cell` is not in "Marcell" nor `cable` in "cables". `*` at the end takes any ending. */
const anyOf = (words: string): RegExp => {
  const alternatives = words
    .trim()
    .split(/\s*,\s*/)
    .map((word) => word.replaceAll(' ', '\\W+').replace(/\*$/, '[a-z]*'));
  return new RegExp(`(?<![a-z])(?:${alternatives.join('|')})(?![a-z])`);
};

/** Visitors of such a network are elsewhere: at the other end of a tunnel, in an aeroplane, at a customer of the carrier. */
const ELSEWHERE = anyOf(`
  host*, server*, vps, vpn, cloud*, data ?cent*, datacent*, rechenzentr*, colo*, dedicated, cdn, proxy*, proxies, privacy, tor,
  secur*, seguranca, monitoramento, satel*, sat, space, aero*, airlines, airways, maritime, marine, vsat, iot, m2m, roaming, sim, esim, transit,
  backbone, carrier, wholesale, ix, ixp, exchange, peering, storage, software, gaming, games, bank*, capital, insurance,
  holding*, investment*, leasing, brokers, trading, advertising, crypto, blockchain, llm, ai, gov, government, ministry, military, defence, defense
`);

const MOBILE = anyOf(`
  mobile, mobiles, mobil, mobilfunk, mobilais, cellular, celular*, selular, gsm, pcs, movil, moviles, movel, mobility, 3g, 4g, 5g, lte
`);
/** Cities, makers of applications and oil. */
const NOT_MOBILE = anyOf(`
  exxon, university, college, school*, county, city of, alabama, home*, automobile, china mobile, apps, technologies, parts, fix*,
  broadband, fiber, fibre, cable
`);

/** In the same name these make a line doubtful: a wireless provider of lines, or a group that has telephones, too. */
const MAYBE_MOBILE = anyOf(`
  wireless, wifi, wi-fi, radio*, cell, spectrum, comcel, telecel, cable (?:and|&) wireless, cable & wireless, vodafone, orange, claro,
  tigo, millicom, cable onda, r cable, movistar, telefonica, telenor, telia, airtel, bharti, mtn, zain, ooredoo, digicel, etisalat, turkcell, tele2, t-mobile,
  deutsche telekom, magyar telekom, hrvatski, slovak telekom, t-systems, a1, o2, hutchison, three, digi, play, p4, megafon, mts, vimpelcom, beeline,
  safaricom, maxis, axiata, globe, smart, pldt, dito, viettel, vnpt, true, ais, advanced wireless, singtel, starhub, m1, simba, optus,
  telstra, korea telecom, kt, sk, lg, lguplus, kddi, softbank, rakuten, chunghwa, jio, reliance, bsnl, bharat, vodacom, telkom, liberty,
  sunrise, salt, swisscom, proximus, kpn, odido, bouygues, sfr, iliad, wind, tim, telecom italia, fastweb, poste, nos, meo, elisa, dna, tdc,
  altice, entel, wom, antel, personal, telcel, america movil, at&t, verizon, rogers, bell canada, bell aliant, telus, videotron, quebecor,
  sasktel, saskatchewan, eastlink, gci, general communication, c spire, cellcom, nex-tech, viaero, union telephone, appalachian,
  bluegrass, carolina west, shaw, algar, brisanet, unifique, brasil tecpar, ligga movel, jazz, ufone, ptcl, zong, dialog, mobitel, slt,
  sri lanka telecom, kyivstar, ukrtelecom, rostelecom, uzbektelecom, kazakhtelecom, beltelecom, moldtelecom, magti*, silknet, telekom,
  telecom egypt, maroc telecom, algerie telecom, saudi telecom, omantel, batelco, bezeq, partner, pelephone, hot mobile, cyta,
  primetel, epic, melita, go p, siminn, nova, siol, telemach, united group, yettel, vivacom, cetin, swan, sky, biglobe, sony,
  optage, qtnet, internet initiative, ntt, jcom, china, unicom, chinanet, tietong, bsnl
`);

/** Who stays: students in halls, wards, offices. */
const PLACES_OF_THEIR_OWN = anyOf(`
  universi*, univerzi*, uniwersyt*, college*, colegio, school*, schul*, hochschul*, fachhochschul*, polytech*, politec*, politech*,
  ecole, instituto federal, institute of technology, institut teknologi, academ*, akadem*, campus, education*, k-12, isd, hospital*, klinik*, clinic*,
  medical center, library, libraries, city of, town of, village of, county of, county, municipal*, stadt, gemeente, commune de,
  prefeitura, ayuntamiento
`);

/** Who lays lines. */
const LINES = anyOf(`
  cable, cables, cablevision, catv, kabel*, cabo, telecable*, tv cable, fiber*, fibre*, fibra*, fibernet, fiberlink, glasfaser*, glasvezel,
  fiberoptic*, fibra optica, broadband, breitband*, bredband, bredbaand, broadband services, banda larga, banda ancha, ultrabroadband, dsl, adsl,
  vdsl, xdsl, ftth, gpon, stadtwerke, stadtnetz*, swisscable, utilities, utility, electric cooperative, electric coop,
  rural electric, public power, power board, light and power, telephone coop*, telephone company, telephone co, telephone association, telephone coop, telephone cooperative, cooperativa telefonica,
  cooperativa electrica, cooperativa de servicios, rural telephone, rural telecom*, elnet, energi, elverk, kraft
`);

const PROVIDERS = anyOf(`
  telecom*, telekom*, internet, provedor*, net, comunicac*, conect*, connect*, multimidia, informatica, online, link
`);

/** @param holder as the data has it, in Latin letters */
export function useByName(holder: string): Use {
  const name = holder
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase();
  if (MOBILE.test(name) && !NOT_MOBILE.test(name)) return 'mobile';
  if (MOBILE.test(name) || MAYBE_MOBILE.test(name) || ELSEWHERE.test(name)) return 'unknown';
  if (PLACES_OF_THEIR_OWN.test(name) || LINES.test(name)) return 'fixed';
  return PROVIDERS.test(name) ? 'provider' : 'unknown';
}
