/** One verification of each verdict, and what codes of products tell, as a shopper in Lyon would get it, for tests and pictures of the page. */
import { HIDDEN_CODE_OUTCOMES } from '../../shared/hidden-codes/service.ts';
import type { Brand } from '../../api/verify/page/brand.ts';
import type { PageContext } from '../../api/verify/page/render.ts';
import { NFC_TAP_OUTCOMES } from '../../shared/nfc/outcome.ts';
import type { RiskSignal } from '../../shared/risk/types.ts';
import { SCAN_RESULTS } from '../../shared/scans/verdict.ts';
import type { VerificationResult } from '../../shared/scans/verdict.ts';
import type { ProductInformation } from '../../shared/scans/product-information.ts';
import type { Verification } from '../../shared/scans/verification.ts';

export const TOKEN = '4T8KQ2Z6N0V5H3RJ7WXD1C9M';

export const BRAND: Brand = {
  name: 'Olivaia',
  logoUrl: null,
  color: '#d9a514',
  support: 'care@olivaia.example',
  message:
    'Every bottle is pressed, filled and sealed at our own mill in Kalamata.\n\nYou never need an app or an account to check a bottle.',
  messages: {},
  domain: 'olivaia.example',
  isUnconfirmed: false,
};

export const SERVICE: Brand = {
  name: 'Touchstone',
  logoUrl: null,
  color: null,
  support: null,
  message: null,
  messages: {},
  domain: null,
  isUnconfirmed: false,
};

export const VERDICTS: readonly VerificationResult[] = [...SCAN_RESULTS, 'unknown'];

const SIGNALS: Partial<Record<VerificationResult, string[]>> = {
  suspicious: ['clone', 'impossible_travel'],
  diverted: ['diversion'],
};

/** @param imageUrl of the product's picture. */
export function verification(result: VerificationResult, imageUrl: string | null = null): Verification {
  if (result === 'unknown') {
    return {
      scanId: null,
      result,
      message: 'A message',
      organization: { name: null, domain: null },
      product: { name: null, brand: null, imageUrl: null, gtin: null },
      unit: { serial: null, lot: null, expiresOn: null },
      scan: {
        count: 0,
        visitors: 0,
        firstScannedAt: null,
        at: '2026-11-20T16:33:06.000Z',
        country: 'FR',
        isInternal: false,
      },
      risk: { level: 'none', signals: [] },
      recall: null,
      hasHiddenCode: false,
      hasNfcTag: false,
      nfcTap: null,
      assessment: 'final',
    };
  }
  const signals = (SIGNALS[result] ?? []).map((type) => ({
    type,
    weight: 40,
    ...(type === 'clone' ? { reason: 'places' } : {}),
  }));
  return {
    scanId: 'scan_01jd3x6n4xe6vb1q2y5s8r0zkt',
    result,
    message: 'A message',
    organization: { name: 'Olivaia', domain: 'olivaia.example' },
    product: { name: 'Early Harvest Olive Oil, 500 ml', brand: 'Olivaia', imageUrl, gtin: '09506000134352' },
    unit: {
      serial: '7QK4N0021',
      lot: 'L2610-A',
      expiresOn: result === 'expired' ? '2026-03-31' : '2028-03-31',
    },
    scan: {
      count: result === 'suspicious' ? 41 : 2,
      visitors: result === 'suspicious' ? 26 : 1,
      firstScannedAt: '2026-11-03T09:12:44.000Z',
      at: '2026-11-20T16:33:06.000Z',
      country: 'FR',
      isInternal: false,
    },
    risk: { level: signals.length > 0 ? 'high' : 'none', signals: signals as unknown as RiskSignal[] },
    recall: null,
    hasHiddenCode: false,
    hasNfcTag: false,
    nfcTap: null,
    assessment: 'preliminary',
  };
}

/** What a code of a product, or of a lot of it, tells. */
export const PRODUCT_CODES = ['product', 'recalled-lot'] as const;
export type ProductCode = (typeof PRODUCT_CODES)[number];

/** @param imageUrl of the product's picture. */
export function productInformation(code: ProductCode, imageUrl: string | null = null): ProductInformation {
  const isRecalled = code === 'recalled-lot';
  const messages = { en: 'The caps of this lot do not close tightly, and the oil may have gone rancid.' };
  return {
    message: 'A message',
    organization: { name: 'Olivaia', domain: 'olivaia.example' },
    product: { name: 'Early Harvest Olive Oil, 500 ml', brand: 'Olivaia', imageUrl, gtin: '09506000134352' },
    lot: isRecalled ? 'L2610-A' : null,
    recall: isRecalled ? { messages, contact: 'recall@olivaia.example' } : null,
  };
}

const LINKS = [
  {
    linkType: 'gs1:recipeInfo',
    url: 'https://olivaia.example/recipes',
    title: 'Recipes from Kalamata',
    language: 'en',
  },
  {
    linkType: 'gs1:recipeInfo',
    url: 'https://olivaia.example/de/rezepte',
    title: 'Rezepte aus Kalamata',
    language: 'de',
  },
  {
    linkType: 'gs1:sustainabilityInfo',
    url: 'https://olivaia.example/bottle',
    title: 'Where the bottle goes',
    language: 'en',
  },
];

/** As the page of a package with a hidden code is, which its visitor is `asked` for or has entered. */
export const HIDDEN_CODE_STATES = ['asked', ...HIDDEN_CODE_OUTCOMES] as const;

export type HiddenCodeState = (typeof HIDDEN_CODE_STATES)[number];

export const isHiddenCodeState = (text: unknown): text is HiddenCodeState =>
  (HIDDEN_CODE_STATES as readonly unknown[]).includes(text);

/** What the page's context has of it. */
export const hiddenCodeContext = (state: HiddenCodeState): Pick<PageContext, 'hiddenCode'> =>
  state === 'asked'
    ? {}
    : {
        hiddenCode: {
          outcome: state,
          firstEnteredAt: state === 'wrong' ? null : new Date('2026-11-03T09:12:44.000Z'),
          typed: '7K3M-Q9TX',
        },
      };

/** As the page of a package with an NFC tag is, which its visitor is `asked` to tap or has tapped. */
export const NFC_TAP_STATES = ['asked', ...NFC_TAP_OUTCOMES] as const;

export type NfcTapState = (typeof NFC_TAP_STATES)[number];

export const isNfcTapState = (text: unknown): text is NfcTapState =>
  (NFC_TAP_STATES as readonly unknown[]).includes(text);

/** What its verification has of it. */
export const nfcTapFields = (state: NfcTapState): Pick<Verification, 'hasNfcTag' | 'nfcTap'> => ({
  hasNfcTag: true,
  nfcTap:
    state === 'asked'
      ? null
      : {
          outcome: state,
          counter: state === 'invalid' ? null : 61,
          staleSince: state === 'replayed' ? '2026-11-03T09:12:44.000Z' : null,
        },
});

export function pageContext(result: VerificationResult, changes: Partial<PageContext> = {}): PageContext {
  return {
    brand: result === 'unknown' ? SERVICE : BRAND,
    links: result === 'genuine' ? LINKS : [],
    locale: 'en',
    path: `/v/${TOKEN}`,
    publicUrl: 'https://verify.olivaia.example',
    positionNonce: result === 'unknown' ? null : 'bm9uY2Utb25jZQ',
    ...changes,
  };
}
