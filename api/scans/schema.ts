import { z } from 'zod';
import { countryField, isInternalField } from '../fields.ts';
import { NFC_TAP_OUTCOMES } from '../../shared/nfc/outcome.ts';
import { RISK_LEVELS } from '../../shared/risk/types.ts';
import { publicScans } from '../../shared/scans/public-scan.ts';
import type { ScanRow } from '../../shared/scans/service.ts';
import { SCAN_RESULTS } from '../../shared/scans/verdict.ts';
import { FORWARD, idField, instant, isForward, listQuery, moment } from '../list.ts';
import { signalSchema } from './signal-schema.ts';

const HIDDEN_CODES = ['correct', 'wrong'] as const;

/** What a list of scans, and an export of them, may be narrowed to. */
export const scanFilters = {
  from: moment.optional().meta({ description: 'At or after; ISO 8601, with an offset or Z' }),
  to: moment.optional().meta({ description: 'Before; ISO 8601, with an offset or Z' }),
  unitId: idField('unit').optional(),
  productId: idField('prod').optional(),
  batchId: idField('batch').optional(),
  result: z.enum(SCAN_RESULTS).optional(),
  country: countryField.optional(),
  riskLevel: z.enum(RISK_LEVELS).optional(),
  isInternal: z
    .enum(['true', 'false'])
    .transform((flag) => flag === 'true')
    .optional()
    .meta({
      description: 'Only scans from the organization’s own networks, or only the others',
    }),
  hiddenCode: z.enum(HIDDEN_CODES).optional().meta({
    description: 'Only scans with which a hidden code was entered that was so',
  }),
  nfcTap: z
    .enum(NFC_TAP_OUTCOMES)
    .optional()
    .meta({ description: 'Only scans with a tap of the package’s NFC tag that was so' }),
  consignmentId: idField('cons')
    .optional()
    .meta({ description: 'Scans of units that are, or were, in a consignment' }),
};

export const listScansQuery = listQuery('scans', scanFilters).refine(isForward, FORWARD);

const riskSchema = z.object({
  level: z.enum(RISK_LEVELS),
  signals: z.array(signalSchema).meta({ description: 'Each with its own evidence' }),
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
    isInternal: isInternalField,
    hiddenCode: z
      .enum(HIDDEN_CODES)
      .nullable()
      .meta({ description: 'Of the hidden code that was entered with it; null where none was' }),
    nfcTap: z.enum(NFC_TAP_OUTCOMES).nullable().meta({
      description:
        'Of the tap of the package’s NFC tag that came with it, the best of several; null where none came',
    }),
    country: z.string().nullable(),
    place: z
      .object({
        lat: z.number(),
        lon: z.number(),
        accuracyKm: z.number().nullable(),
        source: z.string().nullable(),
      })
      .nullable(),
    claimedPosition: z
      .object({ lat: z.number(), lon: z.number(), accuracyKm: z.number().nullable() })
      .nullable(),
    risk: riskSchema.extend({ score: z.number().int() }),
  })
  .meta({ id: 'Scan' });

export const presentScan = (row: ScanRow): z.input<typeof scanSchema> => publicScans([row])[0]!;
