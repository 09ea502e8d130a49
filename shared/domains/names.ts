/** Names of domains: what is one, where its record stands, and how people are shown it. */
import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

/** In front of the domain, as draft-ietf-dnsop-domain-verification-techniques advises: a name that nothing else uses. */
const CHALLENGE_LABEL = '_touchstone-challenge';
/** RFC 1035 § 2.3.4, without the dots at both ends; the challenge has to fit in front. */
const MAX_NAME = 253 - CHALLENGE_LABEL.length - 1;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** @returns the name in ASCII and small letters, or null for what is no domain: an address, one label, a whole URL */
export function parseDomain(given: string): string | null {
  const trimmed = given.trim();
  // Whatever else a URL may have would be cut off, or taken for a part of the name.
  if (/[\s/\\:@?#%[\]]/.test(trimmed)) return null;
  const name = domainToASCII(trimmed).replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > MAX_NAME || labels.length < 2 || isIP(name) !== 0) return null;
  if (!labels.every((label) => LABEL.test(label))) return null;
  return /^\d+$/.test(labels.at(-1)!) ? null : name;
}

/** Where the record of a domain is looked for. */
export const challengeName = (domain: string): string => `${CHALLENGE_LABEL}.${domain}`;

/**
 * Letters of one script each, none of which looks like a letter of another: Latin with its accents but for `ı` and `ĸ`, and scripts
 * that have enough letters which nobody takes for Latin. Of the latter a label needs one: `ססס` and `ههه` may be `ooo`, `〇` is a
 * round 0 (as in https://www.unicode.org/Public/security/latest/confusables.txt and Chromium's `IDNSpoofChecker`). Digits of their
 * own and letters of Hangul that are no whole syllables are not among them. Cyrillic and Greek have too many: `сосо` may be either.
 */
const PLAIN_LABELS = [
  /^[a-z0-9\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u017e-]+$/u,
  /^(?=.*[^0-9〇一丨丶丿工口ーエノロ-])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー0-9-]+$/u,
  /^(?=.*[^0-9〇一丨丶丿工口-])[가-힣\p{Script=Han}0-9-]+$/u,
  /^(?=.*[^0-9اهەہھ-])(?!.*[۰-۹])[\p{Script=Arabic}0-9-]+$/u,
  /^(?=.*[^0-9דוחטיןסװױײ-])[\p{Script=Hebrew}0-9-]+$/u,
  /^(?=.*[^0-9ทนบพรหเแดลปฟม-])(?!.*[๐-๙])[\p{Script=Thai}0-9-]+$/u,
  /^(?!.*[०-९])[\p{Script=Devanagari}0-9-]+$/u,
];

/**
 * As people are shown it: with its own letters where each label can be taken for no other, else as the DNS has it (`xn--…`), as
 * browsers do it.
 */
export function shownDomain(name: string): string {
  const shown = domainToUnicode(name);
  const isPlain = shown.split('.').every((label) => PLAIN_LABELS.some((plain) => plain.test(label)));
  return isPlain ? shown : name;
}
