/** Words and codes for the mistakes that callers make, where zod's own are made for programmers. */
import { z } from 'zod';
import { refusal, type FieldErrorCode, type Refusal, type RuledParams } from '../shared/field-errors.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  date: 'is not a day of the calendar, YYYY-MM-DD',
  datetime: 'is not an instant with its offset, such as 2026-11-20T09:30:00Z',
  email: 'is not an e-mail address',
  url: 'is not a web address',
};

/** Of what a limit is one; a number is its own. */
const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'entry', set: 'entry' };

function limit(origin: string, words: string, value: number | bigint): string | undefined {
  if (['number', 'int', 'bigint'].includes(origin)) return `must be ${words} ${value}`;
  const unit = COUNTED[origin];
  if (unit === undefined) return undefined;
  const units = Number(value) === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`;
  return `must have ${words} ${value} ${units}`;
}

z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined ? 'is required' : KINDS[issue.expected];
    if (issue.code === 'too_small') {
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    }
    if (issue.code === 'too_big')
      return limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    if (issue.code === 'invalid_value')
      return issue.input === undefined
        ? 'is required'
        : `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    if (issue.code === 'invalid_format') return FORMAT_WORDS[issue.format];
    return undefined;
  },
});

const FORMATS: Readonly<Record<string, FieldErrorCode>> = {
  email: 'NOT_AN_EMAIL_ADDRESS',
  url: 'NOT_A_WEB_ADDRESS',
  date: 'NOT_A_DAY',
  datetime: 'NOT_A_TIME',
};

/** What an issue of zod's says, with the code that callers branch on; `reportInput` has to be set. */
export function refusalOfIssue(issue: z.core.$ZodIssue): Refusal {
  const { message } = issue;
  switch (issue.code) {
    case 'custom':
      return { ...((issue.params as RuledParams | undefined)?.refusal ?? { code: 'INVALID' }), message };
    case 'invalid_type':
      if (issue.input === undefined) return refusal('REQUIRED', message);
      if (issue.expected === 'number') return refusal('NOT_A_NUMBER', message);
      if (issue.expected === 'int') return refusal('NOT_A_WHOLE_NUMBER', message);
      return refusal('WRONG_TYPE', message, { expected: issue.expected });
    case 'invalid_value':
      if (issue.input === undefined) return refusal('REQUIRED', message);
      return refusal('UNKNOWN_CHOICE', message, { choices: issue.values.map(String) });
    case 'invalid_format':
      return refusal(FORMATS[issue.format] ?? 'WRONG_FORMAT', message);
    case 'too_small':
      return tooSmall(issue, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue, Number(issue.maximum));
    case 'invalid_union':
      return ofUnion(issue);
    // A key of a record that its own schema refuses.
    case 'invalid_key':
      return refusalOfIssue(issue.issues[0]!);
    // The latter names several fields: parse-input.ts takes it apart.
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    default:
      return refusal('INVALID', message);
  }
}

function tooSmall({ origin, inclusive, message }: z.core.$ZodIssueTooSmall, minimum: number): Refusal {
  if (origin === 'string')
    return minimum === 1 ? refusal('EMPTY', message) : refusal('TOO_SHORT', message, { minimum });
  if (COUNTED[origin] !== undefined) return refusal('TOO_FEW', message, { minimum });
  return inclusive === false
    ? refusal('NOT_ABOVE', message, { limit: minimum })
    : refusal('TOO_SMALL', message, { minimum });
}

function tooBig({ origin, inclusive, message }: z.core.$ZodIssueTooBig, maximum: number): Refusal {
  if (origin === 'string') return refusal('TOO_LONG', message, { maximum });
  if (COUNTED[origin] !== undefined) return refusal('TOO_MANY', message, { maximum });
  return inclusive === false
    ? refusal('NOT_BELOW', message, { limit: maximum })
    : refusal('TOO_LARGE', message, { maximum });
}

function ofUnion(issue: z.core.$ZodIssueInvalidUnion): Refusal {
  const { message, errors, input } = issue;
  if (input === undefined) return refusal('REQUIRED', 'is required');
  if (issue.discriminator !== undefined) {
    const given = (issue.input as Record<string, unknown> | undefined)?.[issue.discriminator];
    if (given === undefined) return refusal('REQUIRED', 'is required');
    const choices = ('options' in issue ? (issue.options ?? []) : []).map(String);
    return refusal('UNKNOWN_CHOICE', `must be one of ${choices.join(', ')}`, { choices });
  }
  // Of a text beside an object, what the text may be.
  const choice = errors
    .flat()
    .find((one) => one.code === 'invalid_value' && one.values.some((value) => typeof value === typeof input));
  if (choice !== undefined) return refusalOfIssue(choice);
  const refusals = errors.flatMap(([first]) => (first === undefined ? [] : [refusalOfIssue(first)]));
  // It is an address, and says itself what is wrong with it.
  const withCredentials = refusals.find(({ code }) => code === 'URL_CREDENTIALS');
  if (withCredentials !== undefined) return withCredentials;
  const formats = refusals.map(({ code }) => code);
  return formats.includes('NOT_AN_EMAIL_ADDRESS') && formats.includes('NOT_A_WEB_ADDRESS')
    ? refusal('NOT_AN_EMAIL_OR_WEB_ADDRESS', message)
    : refusal('INVALID', message);
}
