/** Fields that several schemas share. */
import { parseUrl } from '../shared/parse-url.ts';
import { z } from 'zod';
import { isCountryCode } from '../shared/countries.ts';
import { CHANNELS } from '../shared/counterfeit-reports/states.ts';
import {
  FIELD_ERRORS,
  refusal,
  ruled,
  ruledIssue,
  type FieldErrorCode,
  type Refusal,
} from '../shared/field-errors.ts';
import { normalizeGtin } from '../shared/gs1/check-digit.ts';
import { LANGUAGES } from '../shared/languages.ts';

/** Nothing that anybody sees: spaces, joiners, fillers, the empty pattern of Braille. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]+$/u;

/** Text without leading and trailing spaces, in which there is something to see. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .overwrite((given) => (UNSEEN.test(given) ? '' : given))
    .min(1)
    .max(max);

/** Text of one form. In place of `regex`, whose refusals cannot say more than their message. */
export const matching = (pattern: RegExp, refused: Refusal, of: z.ZodString = z.string()) =>
  of.refine((given) => pattern.test(given), ruled(refused)).meta({ pattern: pattern.source });

export const languageCode = matching(
  /^[a-z]{2}$/,
  refusal('NOT_A_LANGUAGE', 'is not a language code of two letters'),
);

/** What an organization writes to consumers. @param max characters of each text */
export const textsByLanguage = (max: number) =>
  z
    .record(languageCode, text(max))
    .refine(
      (texts) => Object.keys(texts).length <= 40,
      ruled(refusal('TOO_MANY', 'names more than 40 languages', { maximum: 40 })),
    );

type JsonSchema = Record<string, unknown>;

/**
 * For `meta`: how a union of plain values stands in the reference. Most programs that write clients from it make nothing of a
 * union of texts, numbers and lists, or code that does not compile.
 */
export const shownAs = (plain: JsonSchema) => ({
  override: ({ jsonSchema }: { jsonSchema: object }): void => {
    delete (jsonSchema as JsonSchema)['anyOf'];
    Object.assign(jsonSchema, plain);
  },
});

/** In an answer: what is wrong with a value. */
export const refusalFields = {
  code: z.enum(Object.keys(FIELD_ERRORS) as [FieldErrorCode, ...FieldErrorCode[]]).meta({
    id: 'FieldErrorCode',
    description: `What is wrong with a value, to branch on. More may come:\n${Object.entries(FIELD_ERRORS)
      .map(([code, { means }]) => `\n- \`${code}\`: ${means}`)
      .join('')}`,
  }),
  message: z.string(),
  params: z
    .record(
      z.string(),
      z
        .union([z.string(), z.number(), z.array(z.string())])
        .meta(shownAs({ description: 'A text, a number or a list of texts' })),
    )
    .optional()
    .meta({
      description: 'The numbers and names of `message`, by name; each code has its own',
    }),
};

export const NOTHING_TO_CHANGE = ruled(refusal('NOTHING_TO_CHANGE', 'nothing to change'));

/** For `refine`: a change without a field is a mistake. */
export const changesSomething = [
  (body: object) => Object.keys(body).some((name) => name !== 'expected'),
  NOTHING_TO_CHANGE,
] as const;

/** For a change, on condition. @param read the fields that can be changed, as they are read */
export const expectedField = <Read extends z.ZodRawShape>(read: Read) =>
  z.strictObject(read).partial().optional().meta({
    description:
      'Values as they were read, best of the fields that are changed: with it, the change is refused (CONFLICT, with these fields in `errors`) where one of them is another by now',
  });

export const countryField = z
  .string()
  .refine(
    isCountryCode,
    ruled(refusal('NOT_A_COUNTRY', 'is not an ISO 3166-1 alpha-2 country code in capitals')),
  )
  .meta({ pattern: '^[A-Z]{2}$' });

export const marketsField = z
  .array(countryField)
  .max(250)
  .refine(
    (codes) => new Set(codes).size === codes.length,
    ruled(refusal('REPEATED', 'names a country twice')),
  )
  .meta({ description: 'ISO 3166-1 alpha-2 codes; empty means everywhere', examples: [['DE', 'FR']] });

const NO_GTIN = '0'.repeat(14);

/** 8, 12, 13 or 14 digits with a right check digit; kept as 14. */
export const gtinField = z
  .string()
  .transform((given, context): string => {
    const gtin = normalizeGtin(given);
    // The check digit of nothing but zeros is right, and the number is nobody's: forms have it where none was entered.
    if (gtin !== null && gtin !== NO_GTIN) return gtin;
    context.addIssue(
      ruledIssue(refusal('NOT_A_GTIN', 'must be 8, 12, 13 or 14 digits with a valid check digit')),
    );
    return z.NEVER;
  })
  .meta({
    description: 'GTIN with a valid check digit; shown as 14 digits',
    pattern: '^(\\d{8}|\\d{12,14})$',
    examples: ['04012345123456'],
  });

/** A day of the calendar, `YYYY-MM-DD`; there is no year 0, which Postgres would refuse. */
export const dayField = z.iso
  .date()
  .refine((day) => !day.startsWith('0000'), ruled(refusal('NOT_A_DAY', 'there is no year 0')))
  .meta({ description: 'YYYY-MM-DD' });

/** Of a scan. */
export const isInternalField = z.boolean().meta({
  description: 'Whether it came from a network of the organization’s own, and so is not counted or judged',
});

/** Of a counterfeit report. */
export const channelField = z.enum(CHANNELS).meta({
  description:
    'How it came to be known: by a consumer’s form, or to the organization’s own people, who filed it',
});

export const languageField = z.enum(LANGUAGES).meta({ description: 'Language of the person’s mails' });

const hasCredentials = (url: string): boolean => {
  const parsed = parseUrl(url);
  return parsed !== null && (parsed.username !== '' || parsed.password !== '');
};

/** Without credentials, which no page would show: `https://shop.example@elsewhere.example` is an address of the latter. */
export const webUrlField = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2000)
  // As the schema of the database, the pages and the mails look for it.
  .overwrite((url) => url.replace(/^https?/i, (scheme) => scheme.toLowerCase()))
  .refine(
    (url) => !hasCredentials(url),
    ruled(refusal('URL_CREDENTIALS', 'must not contain a user name or password')),
  )
  .meta({ description: 'http or https' });

/** A name: later versions of Node take `+05:30` as well, which not every browser does. */
const TIME_ZONE_NAME = /^[A-Za-z]/;

const isTimeZone = (name: string): boolean => {
  if (!TIME_ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export const timeZoneField = z
  .string()
  .max(64)
  .refine(isTimeZone, ruled(refusal('NOT_A_TIME_ZONE', 'is not a time zone of the IANA database')))
  .meta({ pattern: TIME_ZONE_NAME.source, examples: ['Europe/Lisbon'] });
