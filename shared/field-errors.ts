/**
 * The one catalogue of what can be wrong with a value: code → meaning, and which parameters it carries. Callers branch on
 * the code and word it themselves; `message` is for those who only show it. `docs/errors.md` lists the same codes; a test
 * holds the two together, another one holds the dashboard's texts to it.
 */
export const FIELD_ERRORS = {
  REQUIRED: { means: 'There is no value' },
  EMPTY: { means: 'The text is empty' },
  UNKNOWN_FIELD: { means: 'The operation knows no field or parameter of this name' },
  BODY_NOT_EMPTY: { means: 'The operation takes no body' },
  NOTHING_TO_CHANGE: { means: 'A change that changes nothing' },
  EXACTLY_ONE_OF: { means: 'Exactly one of `fields` has to be given', params: ['fields'] },
  AT_MOST_ONE_OF: { means: 'At most one of `fields` may be given', params: ['fields'] },
  INVALID: { means: 'Wrong in a way that has no code of its own; `message` says it' },

  WRONG_TYPE: { means: 'The value is not of the type `expected`', params: ['expected'] },
  NOT_A_NUMBER: { means: 'The value is not a number' },
  NOT_A_WHOLE_NUMBER: { means: 'The number is not whole' },
  TOO_SMALL: { means: 'The number is below `minimum`', params: ['minimum'] },
  TOO_LARGE: { means: 'The number is above `maximum`', params: ['maximum'] },
  NOT_ABOVE: { means: 'The number is not above `limit`', params: ['limit'] },
  NOT_BELOW: { means: 'The number is not below `limit`', params: ['limit'] },
  OUT_OF_RANGE: { means: 'The number is not from `minimum` to `maximum`', params: ['minimum', 'maximum'] },
  TOO_SHORT: { means: 'The text has fewer than `minimum` characters', params: ['minimum'] },
  TOO_LONG: { means: 'The text has more than `maximum` characters', params: ['maximum'] },
  WRONG_LENGTH: {
    means: 'The text does not have `minimum` to `maximum` characters',
    params: ['minimum', 'maximum'],
  },
  TOO_FEW: { means: 'The list has fewer than `minimum` entries', params: ['minimum'] },
  TOO_MANY: { means: 'The list has more than `maximum` entries', params: ['maximum'] },
  REPEATED: { means: 'Something is given twice' },
  UNKNOWN_CHOICE: { means: 'The value is none of `choices`', params: ['choices'] },
  WRONG_FORMAT: { means: 'The text does not have the form of its field' },
  TOO_DEEP: { means: 'The body is nested deeper than `maximum` levels', params: ['maximum'] },
  FORBIDDEN_KEY: { means: 'The body has a key that no body may have' },
  NUL_CHARACTER: { means: 'The text contains a NUL character' },
  LONE_SURROGATE: { means: 'The text contains a lone surrogate, so it is no Unicode' },
  NOT_UTF_8: { means: 'The file is not text in UTF-8' },

  NOT_AN_EMAIL_ADDRESS: { means: 'The text is not an e-mail address' },
  NOT_A_WEB_ADDRESS: { means: 'The text is not an http or https URL' },
  NOT_AN_EMAIL_OR_WEB_ADDRESS: { means: 'The text is neither an e-mail address nor an http or https URL' },
  NOT_A_DAY: { means: 'The text is not a day of the calendar, `YYYY-MM-DD`' },
  NOT_A_TIME: { means: 'The text is not an instant in ISO 8601' },
  NOT_AN_ID: { means: 'The text is not an id that begins with `prefix` and `_`', params: ['prefix'] },
  NOT_A_UNIT_ID: { means: 'A line of a list is not the id of a unit' },
  NOT_A_CURSOR: { means: 'The text is not a cursor that this list gave' },
  NOT_A_COUNTRY: { means: 'The text is not an ISO 3166-1 alpha-2 code in capitals' },
  NOT_A_LANGUAGE: { means: 'The text is not a language code of two letters' },
  NOT_A_DOMAIN: { means: 'The text is not the name of a domain, such as `example.com`' },
  NOT_A_LINK_TYPE: {
    means:
      'The text is not a link type of the GS1 Web Vocabulary such as `gs1:instructions`, or is one that the service answers itself',
  },
  NOT_A_TIME_ZONE: { means: 'The text is not a time zone of the IANA database' },
  NOT_A_COLOR: { means: 'The text is not a colour such as `#1a2b3c`' },
  NOT_A_GTIN: { means: 'The text is not a GTIN with the right check digit' },
  NOT_AN_SSCC: { means: 'The text is not an SSCC with the right check digit' },
  NOT_A_SERIAL: { means: 'The text is not a serial of 1 to 20 printable characters' },
  NOT_A_CODE: { means: 'The text is not a code of this service' },
  NOT_A_NETWORK: { means: 'The text is neither an IP address nor a network in CIDR notation' },
  NETWORK_TOO_WIDE: {
    means: 'The network is wider than `/widest`, the widest that is taken for one organization’s own',
    params: ['widest'],
  },
  NOT_A_SCOPE: { means: 'There is no scope `scope`', params: ['scope'] },
  NOT_GS1_TEXT: { means: 'The text has characters that are not in GS1 character set 82' },
  NOT_A_GS1_CHARACTER: { means: '`character` is not in GS1 character set 82', params: ['character'] },
  LOT_NOT_GS1: { means: 'The lot is not 1 to 20 characters of GS1 character set 82' },
  EXPIRY_NOT_GS1: {
    means: 'GS1 writes two digits of a year: the day of expiry is more than 49 years back or 50 ahead',
  },
  DOT_SEGMENT: { means: 'The lot or serial is `.` or `..`, which clients remove from a GS1 Digital Link' },

  TAKEN: { means: 'Something else has this value already' },
  GTIN_PRINTED: { means: 'Codes that name units by the GTIN were made, and would be unknown' },
  ALREADY_MEMBER: { means: 'The address belongs to somebody of the organization' },
  LAST_OWNER: { means: 'The organization would have no owner' },
  CHANGED_MEANWHILE: { means: 'The value is not the one any more that was read (`expected`)' },
  NO_SUCH_PRODUCT: { means: 'The organization has no such product' },
  NO_SUCH_BATCH: { means: 'The organization has no such batch' },
  NO_SUCH_UNIT: { means: 'The organization has no such unit' },
  NOT_ITS_PRODUCT: { means: 'The unit that is named is one of another product' },
  UNIT_OF_ITS_CODE: { means: 'The unit is that of the code with which a consumer reported, and stays' },
  NO_SUCH_REPORT: { means: 'There is no such counterfeit report about the unit' },
  NO_SUCH_USER: { means: 'The organization has no such user, or the user is disabled' },
  ENDS_BEFORE_START: { means: '`end` does not come after `start`', params: ['start', 'end'] },
  SPAN_TOO_LONG: {
    means: 'The span is longer than the interval allows: `hour`, `day` and `week` are the most days by each',
    params: ['hour', 'day', 'week'],
  },
  EXPIRES_BEFORE_MANUFACTURE: { means: 'The day of expiry lies before the day of manufacture' },
  NOT_IN_FUTURE: { means: 'The instant is not in the future' },
  NOT_IN_PAST: { means: 'The instant is not in the past' },

  PASSWORD_GUESSABLE: { means: 'The password is one of the first that a guesser would try' },
  PASSWORD_LIKE_YOU: { means: 'The password is little more than the name, address or organization' },
  LINK_NOT_VALID: { means: 'The link of the mail is used, expired or mistyped' },
  WRONG_SECOND_FACTOR: { means: 'The code of the second factor is wrong, or was used before' },

  URL_CHARACTERS: { means: 'The URL has spaces, backslashes or control characters' },
  URL_NOT_HTTPS: { means: 'The URL does not begin with `https://` and a host' },
  URL_FRAGMENT: { means: 'The URL has a fragment' },
  URL_CREDENTIALS: { means: 'The URL has a user name or password' },
  URL_MALFORMED: { means: 'The URL cannot be read' },
  URL_TRAILING_DOT: { means: 'The host name of the URL ends with a dot' },
  URL_PORT: { means: 'Nothing is called at the port `port`', params: ['port'] },
  URL_PRIVATE_ADDRESS: { means: '`address` is private or reserved', params: ['address'] },
  URL_PRIVATE_HOST: { means: '`host` has a private or reserved address', params: ['host'] },
  ALL_EVENTS_ALONE: { means: '`"*"` stands beside other types of events' },
  DELAYS_TOO_LONG: { means: 'The delays together exceed `days` days', params: ['days'] },
  HEADER_NAME: { means: 'The text is not the name of a header' },
  HEADER_RESERVED: { means: 'The service sets this header itself' },
  HEADER_OF_CONNECTION: { means: 'The header belongs to the connection' },
  HEADER_VALUE: { means: 'The value is not printable ASCII, or has a space at an end' },

  ONLY_FOR_RECALL: { means: 'Only a recall has this; the action is `action`', params: ['action'] },
  ONLY_WHEN_CLOSED: { means: 'Only what is closed has this; it is `status`', params: ['status'] },
  THRESHOLDS_CROSS: {
    means: 'The threshold is above that of suspicion, `suspicious`',
    params: ['suspicious'],
  },
  THRESHOLDS_CROSS_PRODUCTS: {
    means: 'Laid over this, the policies of `products` would have a threshold above that of suspicion',
    params: ['products'],
  },
  CONSENT_NEEDED: { means: 'Contact details are given without consent' },
  NOT_A_PHOTO: { means: 'The file is not a JPEG, PNG or WebP photo' },
  HEIC_PHOTO: { means: 'The file is a HEIC photo, which cannot be read' },

  NO_ERROR_CORRECTION: { means: '`symbology` has no levels of error correction', params: ['symbology'] },
  LOW_CONTRAST: {
    means: 'The foreground is not darker than the background by `minimum` to 1',
    params: ['minimum'],
  },
  PALE_IN_RED: { means: 'The foreground is pale in red light, by which bars are scanned' },
  GTIN_NEEDED: { means: 'The symbology needs a product with a GTIN' },
  GTIN_LENGTH: { means: 'The symbology needs a GTIN of `digits` digits', params: ['digits'] },
  SYMBOL_CHARACTERS: {
    means: '`symbology` cannot hold the serials’ characters, only `characters`',
    params: ['symbology', 'characters'],
  },
  ODD_DIGITS: { means: '`symbology` holds an even number of digits', params: ['symbology'] },
  SYMBOL_TOO_LONG: {
    means: '`symbology` holds `maximum` characters, the data have `length`',
    params: ['symbology', 'maximum', 'length'],
  },
  SYMBOL_IMPOSSIBLE: { means: 'The encoder refuses the data; `message` says why' },
  LAYOUT_IMPOSSIBLE: { means: 'The labels cannot be drawn as asked; `message` says why' },
  MODULE_TOO_NARROW: {
    means:
      'On these labels the narrowest bar or module of the symbol is `module` mm wide, and below `minimum` mm it is not read',
    params: ['module', 'minimum'],
  },
  LINES_DO_NOT_FIT: {
    means:
      'The labels hold `fit` of the `lines` lines of text that are asked for; the fields `missing` are not there, or cut off',
    params: ['fit', 'lines', 'missing'],
  },
  SHEET_WITHOUT_PDF: { means: 'Only the format `pdf` has sheets' },
  LABELS_TOO_WIDE: { means: 'The labels are wider than the page' },
  LABELS_TOO_TALL: { means: 'The labels are taller than the page' },
  SERIALS_NOT_UPLOADED: { means: 'No serials were uploaded for the batch' },
  SERIALS_NEED_BATCH: { means: 'Uploaded serials belong to a batch, and none is named' },
  SERIAL_COUNT: {
    means: 'The batch has `units` units, and there are `serials` serials',
    params: ['units', 'serials'],
  },
  DIGITS_TOO_FEW: {
    means: '`digits` digits do not hold the last number, `last`',
    params: ['digits', 'last'],
  },
  SERIAL_TOO_LONG: { means: 'Prefix and digits together exceed `maximum` characters', params: ['maximum'] },
  SERIAL_TAKEN: { means: 'A unit of the product has the serial `serial` already', params: ['serial'] },
  NUMBERS_TAKEN: { means: 'Another job of the product uses numbers of this range' },
  SERIAL_REPEATED: { means: '`serial` stands in line `line` already', params: ['serial', 'line'] },

  UNIT_STATE: { means: 'The unit cannot go from `from` to `to`', params: ['from', 'to'] },
  UNIT_VOIDED: { means: 'The unit is voided' },
  UNIT_CONSIGNED: {
    means: 'The unit is in the open consignment `consignmentId`',
    params: ['consignmentId'],
  },
  NOT_IN_CONSIGNMENT: { means: '`unit` is not in the consignment', params: ['unit'] },
  AMBIGUOUS_SERIAL: {
    means: '`serial` is the serial of several products of the consignment',
    params: ['serial'],
  },
  MISSING_AND_DAMAGED: { means: '`serial` is named as missing and as damaged', params: ['serial'] },
  MORE_DAMAGED_THAN_ARRIVED: { means: 'More units are named as damaged than arrived' },
} as const satisfies Record<string, { means: string; params?: readonly string[] }>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

/** All that a catalogue's `params` may be. */
export type FieldErrorParams = Record<string, string | number | string[]>;

/** What is wrong with a value: to branch on (`code`, `params`), and in words. */
export interface Refusal {
  code: FieldErrorCode;
  message: string;
  params?: FieldErrorParams;
}

/** One invalid value of a request, and where it is: `quantity`, `markets.0`, `query.limit`. */
export interface FieldError extends Refusal {
  path: string;
}

type ParamsOf<Code extends FieldErrorCode> = (typeof FIELD_ERRORS)[Code] extends {
  params: readonly (infer Name extends string)[];
}
  ? [params: Record<Name, string | number | string[]>]
  : [];

/** @returns a refusal with the parameters that its code carries, no fewer and no more. */
export const refusal = <Code extends FieldErrorCode>(
  code: Code,
  message: string,
  ...[params]: ParamsOf<Code>
): Refusal => (params === undefined ? { code, message } : { code, message, params });

/** A refusal for zod's `refine`, which may add a `path`; {@link refusalOfIssue} of the API reads it. */
export const ruled = ({ message, ...known }: Refusal): { error: string; params: RuledParams } => ({
  error: message,
  params: { refusal: known },
});

/** A refusal for zod's `addIssue`. */
export const ruledIssue = ({ message, ...known }: Refusal) => ({
  code: 'custom' as const,
  message,
  params: { refusal: known } satisfies RuledParams,
});

/** What a custom issue of zod's carries. */
export interface RuledParams extends Record<string, unknown> {
  refusal: Omit<Refusal, 'message'>;
}
