/** Fields that several schemas share. */
import { z } from 'zod';
import { isCountryCode } from '../shared/countries.ts';
import { normalizeGtin } from '../shared/gs1/check-digit.ts';

/** Text without leading and trailing spaces. */
export const text = (max: number) => z.string().trim().min(1).max(max);

export const marketsField = z
  .array(z.string().refine(isCountryCode, { error: 'is not an ISO 3166-1 alpha-2 country code in capitals' }))
  .max(250)
  .refine((codes) => new Set(codes).size === codes.length, { error: 'names a country twice' })
  .meta({ description: 'ISO 3166-1 alpha-2 codes; empty means everywhere', examples: [['DE', 'FR']] });

/** 8, 12, 13 or 14 digits with a right check digit; kept as 14. */
export const gtinField = z
  .string()
  .transform((given, context): string => {
    const gtin = normalizeGtin(given);
    if (gtin !== null) return gtin;
    context.addIssue({ code: 'custom', message: 'must be 8, 12, 13 or 14 digits with a valid check digit' });
    return z.NEVER;
  })
  .meta({ description: 'GTIN with a valid check digit; shown as 14 digits', examples: ['04012345123456'] });

/** A day of the calendar, `YYYY-MM-DD`; there is no year 0, which Postgres would refuse. */
export const dayField = z.iso
  .date()
  .refine((day) => !day.startsWith('0000'), { error: 'there is no year 0' })
  .meta({ description: 'YYYY-MM-DD' });

export const webUrlField = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2000)
  .meta({ description: 'http or https' });
