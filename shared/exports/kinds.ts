/**
 * What an export is of. Each kind has a table and a queue of its own, so that a worker of an earlier release claims nothing that it
 * does not know how to write.
 */
import type { IdPrefix } from '../ids.ts';

export const EXPORT_KINDS = ['scans', 'units'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_ID_PREFIXES = { scans: 'exp', units: 'uexp' } as const satisfies Record<
  ExportKind,
  IdPrefix
>;
