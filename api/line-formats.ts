/** Files with an entry a line, as operations take them. */
import type { Request } from 'express';

const FORMATS = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
} as const;

export type LineFormat = (typeof FORMATS)[keyof typeof FORMATS];

export const LINE_TYPES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

/** @returns null for any other body */
export function lineFormatOf(req: Request): LineFormat | null {
  const type = req.is(LINE_TYPES);
  return typeof type === 'string' ? FORMATS[type as keyof typeof FORMATS] : null;
}
