/** The lines of text on a label: what a sheet's fields say about a unit. */
import type { SheetField } from './options.ts';

export interface LabelSubject {
  productName: string;
  brand: string | null;
  sku: string;
  gtin: string | null;
  lot: string | null;
  /** `YYYY-MM-DD` */
  expiresOn: string | null;
}

export interface LabelUnit {
  serial: string;
  token: string;
}

const LINES: Record<SheetField, (subject: LabelSubject, unit: LabelUnit) => string | null> = {
  product: ({ productName }) => productName,
  brand: ({ brand }) => brand,
  sku: ({ sku }) => sku,
  gtin: ({ gtin }) => (gtin === null ? null : `GTIN ${gtin}`),
  lot: ({ lot }) => (lot === null ? null : `LOT ${lot}`),
  expiry: ({ expiresOn }) => (expiresOn === null ? null : `EXP ${expiresOn}`),
  serial: (_, { serial }) => `SN ${serial}`,
  token: (_, { token }) => token,
};

/** A field without a value takes no line. */
export const labelLines = (fields: readonly SheetField[], subject: LabelSubject, unit: LabelUnit): string[] =>
  fields.map((field) => LINES[field](subject, unit)).filter((line) => line !== null);
