/** What the sample organization makes. GTINs are of the range 952, which GS1 keeps for examples. */
import { checkDigitOf } from '../shared/gs1/check-digit.ts';

export interface SampleBatch {
  lot: string;
  quantity: number;
  symbology: 'qr' | 'gs1-datamatrix';
  /** Days before the end at which it was minted. */
  mintedDaysAgo: number;
  /** Null: the product's. */
  markets: string[] | null;
  /** Share of its units that are scanned in the weeks shown. */
  scanned: number;
  /** Where its units turn up instead of in their markets, and which share of them. */
  strays?: { countries: string[]; share: number };
  /** Whether its packages have a code below a layer. */
  hiddenCodes?: boolean;
  /** Whether its packages have a tag that signs each tap. */
  nfcTags?: boolean;
}

export interface SampleProduct {
  name: string;
  sku: string;
  gtin: string;
  description: string;
  markets: string[];
  attributes: Record<string, string>;
  batches: SampleBatch[];
}

const gtin = (item: number): string => {
  const body = `0952123${String(item).padStart(6, '0')}`;
  return body + checkDigitOf(body);
};

const batch = (
  lot: string,
  quantity: number,
  mintedDaysAgo: number,
  scanned: number,
  more: Partial<SampleBatch> = {},
): SampleBatch => ({ lot, quantity, mintedDaysAgo, scanned, symbology: 'qr', markets: null, ...more });

export const BRAND = 'Maison Aurelle';
/** Of names that exist nowhere (RFC 2606): no record could be found. */
export const DOMAIN = 'aurelle.example';

export const CATALOGUE: readonly SampleProduct[] = [
  {
    name: 'Rose Serum 30 ml',
    sku: 'MA-SER-030',
    gtin: gtin(100),
    description: 'Concentrated serum with rose and hyaluronic acid.',
    markets: [],
    attributes: { volume: '30 ml', line: 'Rose' },
    batches: [
      batch('RS2610', 700, 34, 0.85, { nfcTags: true }),
      batch('RS2611', 500, 6, 0.2, { symbology: 'gs1-datamatrix' }),
    ],
  },
  {
    name: 'Vitamin C Night Cream',
    sku: 'MA-CRM-050',
    gtin: gtin(101),
    description: 'Night cream with stable vitamin C.',
    markets: ['FR', 'DE', 'ES', 'IT', 'BE', 'NL', 'AT', 'PT', 'CH', 'LU'],
    attributes: { volume: '50 ml', line: 'Jour & Nuit' },
    batches: [
      batch('VC2609', 650, 36, 0.9),
      batch('VC2610', 400, 33, 0.8, { strays: { countries: ['AE', 'SA'], share: 0.4 } }),
    ],
  },
  {
    name: 'Sun Fluid SPF 50',
    sku: 'MA-SUN-050',
    gtin: gtin(102),
    description: 'Light sun protection for every day.',
    markets: ['AU', 'NZ', 'SG', 'BR', 'ZA', 'MX', 'AR', 'CL'],
    attributes: { volume: '50 ml', spf: '50' },
    batches: [batch('SF2608', 600, 35, 0.85)],
  },
  {
    name: 'Brume Eau de Parfum 50 ml',
    sku: 'MA-EDP-050',
    gtin: gtin(103),
    description: 'Fig, salt and cedar.',
    markets: ['US', 'CA', 'GB', 'FR', 'DE', 'JP', 'KR', 'AE'],
    attributes: { volume: '50 ml', concentration: 'eau de parfum' },
    batches: [batch('BR2610', 800, 34, 0.9, { hiddenCodes: true })],
  },
  {
    name: 'Yuzu Cleansing Gel',
    sku: 'MA-GEL-150',
    gtin: gtin(104),
    description: 'Gentle gel for the Japanese market.',
    markets: ['JP'],
    attributes: { volume: '150 ml', line: 'Yuzu' },
    batches: [
      batch('YZ2609', 450, 34, 0.85),
      batch('YZ2610', 250, 32, 0.75, { strays: { countries: ['PH', 'VN', 'ID'], share: 0.55 } }),
    ],
  },
  {
    name: 'Hand Balm 75 ml',
    sku: 'MA-HND-075',
    gtin: gtin(105),
    description: 'Shea butter and chamomile.',
    markets: ['US', 'CA'],
    attributes: { volume: '75 ml' },
    batches: [batch('HB2607', 450, 36, 0.8), batch('HB2611', 300, 4, 0)],
  },
  {
    name: 'Argan Beard Oil',
    sku: 'MA-OIL-030',
    gtin: gtin(106),
    description: 'Argan, cedar and pepper.',
    markets: ['GB', 'IE', 'DE', 'NL', 'SE', 'DK', 'NO', 'PL'],
    attributes: { volume: '30 ml' },
    batches: [batch('BO2609', 400, 33, 0.8)],
  },
  {
    name: 'Candle “Hiver” (limited edition)',
    sku: 'MA-CND-200',
    gtin: gtin(107),
    description: 'Sold out; its codes go on being verified.',
    markets: ['FR', 'BE', 'CH', 'LU'],
    attributes: { weight: '200 g', edition: '2025' },
    batches: [batch('CH2510', 250, 36, 0.7)],
  },
];

/** Of the recalled lot. */
export const RECALLED_LOT = 'SF2608';
/** The one product that the healthy endpoint hears of; it is archived, so that nothing new is sent to nowhere. */
export const ARCHIVED_SKU = 'MA-CND-200';
