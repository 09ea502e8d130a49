/** What a caller sent, as its schema wants it; or a refusal that names every mistake. */
import type { z } from 'zod';
import { invalidFields } from '../shared/errors.ts';
import { refusal, type FieldError } from '../shared/field-errors.ts';
import { refusalOfIssue } from './validation-messages.ts';

/**
 * @param root prefix of each path: `query`, or nothing for the body
 * @throws AppError VALIDATION_FAILED
 */
export function parseInput<Output>(schema: z.ZodType<Output>, value: unknown, root = ''): Output {
  // With the input in it an issue tells what is missing from what is of the wrong type.
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidFields(withoutEchoes(result.error.issues).flatMap((issue) => fieldErrors(issue, root)));
}

/**
 * A whole number beyond ±2^53 breaks the limit of all of them (origin `int`) and the field's own, which is the one to tell.
 */
const withoutEchoes = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.filter(
    (issue) =>
      (issue.code !== 'too_big' && issue.code !== 'too_small') ||
      issue.origin !== 'int' ||
      !issues.some(
        (other) =>
          other !== issue && other.code === issue.code && other.path.join('.') === issue.path.join('.'),
      ),
  );

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('.');

function fieldErrors(issue: z.core.$ZodIssue, root: string): FieldError[] {
  const path = joined(root, ...issue.path.map(String));
  if (issue.code === 'invalid_union') {
    const member = nearestMember(issue);
    if (member !== null) return withoutEchoes(member).flatMap((inner) => fieldErrors(inner, path));
  }
  if (issue.code !== 'unrecognized_keys') return [{ path, ...refusalOfIssue(issue) }];
  return issue.keys.map((key) => ({
    path: joined(path, key),
    ...refusal('UNKNOWN_FIELD', 'is not a known field'),
  }));
}

/** What a form that is no object, as a list of choices is none, says of one. */
const OF_NO_OBJECT = new Set<string | undefined>(['invalid_type', 'invalid_value']);

/**
 * What is wrong with an object by the form that it comes nearest to: the one that knows most of its fields, then the one that
 * refuses fewest, the first of several. What is missing does not count, as it may just have been forgotten.
 * @returns null for what is no object, or where none of the forms is one.
 */
function nearestMember({ input, errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const forms = errors
    .filter((issues) => !issues.some(({ code, path }) => OF_NO_OBJECT.has(code) && path.length === 0))
    .map((issues) => {
      const codes = issues.flatMap((issue) => fieldErrors(issue, '')).map(({ code }) => code);
      const unknown = codes.filter((code) => code === 'UNKNOWN_FIELD').length;
      return { issues, unknown, refused: codes.filter((code) => code !== 'REQUIRED').length };
    });
  return forms.toSorted((a, b) => a.unknown - b.unknown || a.refused - b.refused)[0]?.issues ?? null;
}
