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
  throw invalidFields(result.error.issues.flatMap((issue) => fieldErrors(issue, root)));
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('.');

function fieldErrors(issue: z.core.$ZodIssue, root: string): FieldError[] {
  const path = joined(root, ...issue.path.map(String));
  if (issue.code !== 'unrecognized_keys') return [{ path, ...refusalOfIssue(issue) }];
  return issue.keys.map((key) => ({
    path: joined(path, key),
    ...refusal('UNKNOWN_FIELD', 'is not a known field'),
  }));
}
