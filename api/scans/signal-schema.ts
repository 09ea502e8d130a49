/** What a scan's risk was told by, as `docs/risk.md` describes it. `shared/risk/types.ts` is what the rules write. */
import { z } from 'zod';
import { instant } from '../list.ts';

const weight = z.number();
const place = { country: z.string().nullable(), lat: z.number(), lon: z.number() };
const end = z.object({ ...place, accuracyKm: z.number(), at: instant });

export const impossibleTravel = z
  .object({
    type: z.literal('impossible_travel'),
    weight,
    from: end,
    to: end,
    distanceKm: z.number(),
    adjustedKm: z.number(),
    minutes: z.number(),
    speedKmh: z.number(),
    thresholdKmh: z.number(),
  })
  .meta({ id: 'ImpossibleTravelSignal' });

export const clone = z
  .object({
    type: z.literal('clone'),
    weight,
    reason: z.enum(['places', 'not-shipped', 'consumed', 'hidden-code', 'nfc-tap', 'confirmed']),
    visitors: z.number(),
    places: z.array(z.object({ ...place, visitors: z.number(), firstAt: instant, lastAt: instant })),
    moves: z.number(),
    evidence: z.number(),
    threshold: z.number(),
    turnedOut: z.number().optional(),
  })
  .meta({ id: 'CloneSignal' });

export const excessiveScanning = z
  .object({
    type: z.literal('excessive_scanning'),
    weight,
    visitors: z.number(),
    windowHours: z.number(),
    threshold: z.number(),
  })
  .meta({ id: 'ExcessiveScanningSignal' });

export const diversion = z
  .object({
    type: z.literal('diversion'),
    weight,
    country: z.string(),
    markets: z.array(z.string()),
    counted: z.boolean(),
    reason: z.enum(['outside-markets', 'near-border', 'seen-inside', 'lot-inside', 'unit-doubtful']),
    visitorsInside: z.number(),
    visitorsOutside: z.number(),
    // Scans of before lots were looked at have none, and for a while it was the lot's units alone.
    lot: z
      .object({
        among: z.enum(['lot', 'markets']).optional(),
        units: z.number(),
        sameCountry: z.number(),
      })
      .nullish(),
  })
  .meta({ id: 'DiversionSignal' });

export const signalSchema = z
  .discriminatedUnion('type', [impossibleTravel, clone, excessiveScanning, diversion])
  .meta({ id: 'RiskSignal' });
