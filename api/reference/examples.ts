/**
 * Requests and responses as they were recorded: `UPDATE_DOCS=1 npx mocha test/api/reference/conformance.test.ts` writes
 * the file anew. Ids, times and secrets in it are made up.
 */
import examples from './examples.json' with { type: 'json' };

const RECORDED: Record<string, Record<string, Record<string, unknown>>> = examples;

/** @param part `request`, or the status of a response @returns undefined where none was recorded */
export const exampleOf = (operationId: string, part: string, mediaType: string): unknown =>
  RECORDED[operationId]?.[part]?.[mediaType];
