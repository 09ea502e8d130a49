import { z } from 'zod';
import { SCAN_RESULTS } from '../../shared/scans/verdict.ts';
import { instant } from '../list.ts';
import { riskSchema } from '../scans/schema.ts';

export const verificationSchema = z
  .object({
    scanId: z.string().nullable(),
    result: z.enum([...SCAN_RESULTS, 'unknown']),
    message: z.string(),
    product: z.object({
      name: z.string().nullable(),
      brand: z.string().nullable(),
      imageUrl: z.string().nullable(),
      gtin: z.string().nullable(),
    }),
    unit: z.object({
      serial: z.string().nullable(),
      lot: z.string().nullable(),
      expiresOn: z.string().nullable(),
    }),
    scan: z.object({
      count: z.number().int(),
      firstScannedAt: instant.nullable(),
      at: instant,
      country: z.string().nullable(),
    }),
    risk: riskSchema,
    assessment: z.enum(['preliminary', 'final']),
  })
  .meta({
    id: 'Verification',
    description: 'A valid code is evidence, not proof. For `unknown` every fact is null.',
  });
