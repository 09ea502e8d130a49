/** Where exports of each kind are. */
import type { Schemas } from '../../api/types.gen.ts';

export const EXPORTS = {
  scans: {
    list: '/api/v1/scan-exports',
    one: '/api/v1/scan-exports/{id}',
    cancel: '/api/v1/scan-exports/{id}/cancel',
  },
  units: {
    list: '/api/v1/unit-exports',
    one: '/api/v1/unit-exports/{id}',
    cancel: '/api/v1/unit-exports/{id}/cancel',
  },
} as const;

export type ExportKind = keyof typeof EXPORTS;
export type AnyExport = Schemas['ScanExport'] | Schemas['UnitExport'];
