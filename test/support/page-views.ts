/** The pictures of the page: which verdict, on what, and what a package with more than its visible code adds. */
import type { BrowserContextOptions } from 'playwright-core';
import { CATALOGUES, type Locale } from '../../api/verify/page/locales.ts';
import type { VerificationResult } from '../../shared/scans/verdict.ts';
import {
  PRODUCT_CODES,
  VERDICTS,
  type HiddenCodeState,
  type NfcTapState,
  type ProductCode,
} from './verification-pages.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

export interface View extends BrowserContextOptions {
  /** A verdict, or what a product's code tells. */
  shown: VerificationResult | ProductCode;
  name: string;
  lang?: Locale;
  /** Whether nobody has confirmed who the brand is. */
  isUnconfirmed?: boolean;
  /** Of a package with a hidden code: whether it is asked for, or what is said of it. */
  hidden?: HiddenCodeState;
  /** Of a package with an NFC tag: whether a tap is asked for, or what is said of it. */
  nfc?: NfcTapState;
}

export const isProductCode = (shown: View['shown']): shown is ProductCode =>
  (PRODUCT_CODES as readonly string[]).includes(shown);

/** Of a view, as the page server takes it. */
export function addressOf({ shown, lang = 'en', isUnconfirmed = false, hidden, nfc }: View): string {
  const search = new URLSearchParams({
    lang,
    ...(isUnconfirmed ? { unconfirmed: '' } : {}),
    ...(hidden === undefined ? {} : { hidden }),
    ...(nfc === undefined ? {} : { nfc }),
  });
  return `${isProductCode(shown) ? `/01/${shown}` : `/v/${shown}`}?${search.toString()}`;
}

export function titleOf(shown: View['shown'], lang: Locale): string {
  const { verdicts, productCode } = CATALOGUES[lang];
  if (shown === 'product') return productCode.title;
  return verdicts[shown === 'recalled-lot' ? 'recalled' : shown].title;
}

export const onPhone = { viewport: PHONE, isMobile: true, hasTouch: true };
export const VIEWS: readonly View[] = [
  ...VERDICTS.map((shown): View => ({ shown, name: `${shown}-phone`, ...onPhone })),
  ...VERDICTS.map((shown): View => ({ shown, name: `${shown}-desktop`, viewport: DESKTOP })),
  { shown: 'genuine', name: 'genuine-phone-dark', colorScheme: 'dark', ...onPhone },
  { shown: 'suspicious', name: 'suspicious-phone-dark', colorScheme: 'dark', ...onPhone },
  { shown: 'recalled', name: 'recalled-desktop-dark', colorScheme: 'dark', viewport: DESKTOP },
  { shown: 'genuine', name: 'genuine-phone-arabic', lang: 'ar', ...onPhone },
  { shown: 'suspicious', name: 'suspicious-phone-arabic', lang: 'ar', ...onPhone },
  { shown: 'genuine', name: 'genuine-phone-german', lang: 'de', ...onPhone },
  { shown: 'genuine', name: 'unconfirmed-phone', isUnconfirmed: true, ...onPhone },
  { shown: 'suspicious', name: 'suspicious-phone-japanese', lang: 'ja', ...onPhone },
  ...PRODUCT_CODES.map((shown): View => ({ shown, name: `${shown}-phone`, ...onPhone })),
  ...PRODUCT_CODES.map((shown): View => ({ shown, name: `${shown}-desktop`, viewport: DESKTOP })),
  { shown: 'genuine', name: 'hidden-code-phone', hidden: 'asked', ...onPhone },
  { shown: 'genuine', name: 'hidden-code-first-phone', hidden: 'first', ...onPhone },
  { shown: 'genuine', name: 'hidden-code-repeated-phone', hidden: 'repeated', ...onPhone },
  { shown: 'genuine', name: 'hidden-code-wrong-phone', hidden: 'wrong', ...onPhone },
  {
    shown: 'suspicious',
    name: 'hidden-code-first-phone-dark',
    hidden: 'first',
    colorScheme: 'dark',
    ...onPhone,
  },
  { shown: 'genuine', name: 'hidden-code-repeated-desktop', hidden: 'repeated', viewport: DESKTOP },
  { shown: 'genuine', name: 'hidden-code-wrong-phone-arabic', hidden: 'wrong', lang: 'ar', ...onPhone },
  { shown: 'genuine', name: 'nfc-tap-asked-phone', nfc: 'asked', ...onPhone },
  { shown: 'genuine', name: 'nfc-tap-fresh-phone', nfc: 'fresh', ...onPhone },
  { shown: 'genuine', name: 'nfc-tap-replayed-phone', nfc: 'replayed', ...onPhone },
  { shown: 'genuine', name: 'nfc-tap-invalid-phone', nfc: 'invalid', ...onPhone },
  { shown: 'suspicious', name: 'nfc-tap-fresh-phone-dark', nfc: 'fresh', colorScheme: 'dark', ...onPhone },
  { shown: 'genuine', name: 'nfc-tap-replayed-desktop', nfc: 'replayed', viewport: DESKTOP },
  { shown: 'genuine', name: 'nfc-tap-replayed-phone-arabic', nfc: 'replayed', lang: 'ar', ...onPhone },
  { shown: 'product', name: 'product-phone-dark', colorScheme: 'dark', ...onPhone },
  { shown: 'product', name: 'product-phone-arabic', lang: 'ar', ...onPhone },
];
