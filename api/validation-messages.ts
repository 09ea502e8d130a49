/** Words for the mistakes that callers make, where zod's own are made for programmers. */
import { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
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
    return undefined;
  },
});
