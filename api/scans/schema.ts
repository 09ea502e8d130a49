import { z } from 'zod';
import { isCountryCode } from '../../shared/countries.ts';
import { encodeId } from '../../shared/ids.ts';
import type { ScanRow } from '../../shared/scans/service.ts';
import { SCAN_RESULTS } from '../../shared/scans/verdict.ts';
import { idField, instant, listQuery } from '../list.ts';

export const listScansQuery = listQuery({
  unitId: idField('unit').optional(),
  productId: idField('prod').optional(),
  batchId: idField('batch').optional(),
  result: z.enum(SCAN_RESULTS).optional(),
  country: z.string().refine(isCountryCode, { error: 'is not a country code' }).optional(),
});

export const riskSchema = z.object({
  level: z.enum(['none', 'low', 'medium', 'high']),
  signals: z.array(z.looseObject({ type: z.string() })).meta({ description: 'Each with its own evidence' }),
});

export const scanSchema = z
  .object({
    id: z.string(),
    productUnitId: z.string(),
    productId: z.string(),
    batchId: z.string(),
    at: instant,
    result: z.enum(SCAN_RESULTS),
    assessment: z.enum(['preliminary', 'final']),
    country: z.string().nullable(),
    place: z
      .object({
        lat: z.number(),
        lon: z.number(),
        accuracyKm: z.number().nullable(),
        source: z.string().nullable(),
      })
      .nullable(),
    risk: riskSchema.extend({ score: z.number().int() }),
  })
  .meta({ id: 'Scan' });

export const presentScan = (row: ScanRow): z.input<typeof scanSchema> => ({
  id: encodeId('scan', row.id),
  productUnitId: encodeId('unit', row.unit_id),
  productId: encodeId('prod', row.product_id),
  batchId: encodeId('batch', row.batch_id),
  at: row.at.toISOString(),
  result: row.result,
  assessment: row.assessment,
  country: row.country,
  place:
    row.lat === null || row.lon === null
      ? null
      : { lat: row.lat, lon: row.lon, accuracyKm: row.accuracy_km, source: row.place_source },
  risk: {
    level: row.risk_level as z.input<typeof riskSchema>['level'],
    score: row.risk_score,
    signals: row.signals.map((signal) => ({ ...signal })),
  },
});
