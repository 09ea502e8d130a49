import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { encodeId } from '../../shared/ids.ts';
import type { Gathered, Range } from '../../shared/analytics/service.ts';
import { timeZoneField } from '../fields.ts';
import { FORWARD, idField, instant, isForward, moment } from '../list.ts';

const DAY_MS = 24 * 3_600_000;
/** Most days that one request may ask for: beyond it an answer would be larger than a chart can show. */
const MAX_DAYS = { hour: 31, day: 800, week: 3_700 } as const;
/** By so much a zone's days are longer than as many times 24 hours where its clocks have gone back once more than forward: Troll's by 2 hours, most by one. */
const CLOCKS_MS = 2 * 3_600_000;

const range = {
  from: moment.meta({
    description:
      'ISO 8601, with an offset or Z. Figures are kept by the quarter of an hour: one that has begun counts from its beginning',
  }),
  to: moment.meta({
    description: 'Not included; a quarter of an hour that it lies within counts to its end',
  }),
  productId: idField('prod').optional(),
};

export const rangeQuery = z.strictObject(range).refine(isForward, FORWARD);

export const timeseriesQuery = z
  .strictObject({
    ...range,
    interval: z.enum(['hour', 'day', 'week']).default('day'),
    by: z.enum(['result', 'product', 'country']).default('result'),
    timeZone: timeZoneField
      .default('UTC')
      .meta({ description: 'IANA name, e.g. `Europe/Berlin`: days and weeks begin at its midnight' }),
  })
  .refine(isForward, FORWARD)
  .refine(
    ({ from, to, interval }) => to.getTime() - from.getTime() <= MAX_DAYS[interval] * DAY_MS + CLOCKS_MS,
    {
      path: ['to'],
      ...ruled(
        refusal(
          'SPAN_TOO_LONG',
          `is too far from "from": at most ${MAX_DAYS.hour} days by hour, ${MAX_DAYS.day} by day, ${MAX_DAYS.week} by week`,
          MAX_DAYS,
        ),
      ),
    },
  );

export const mapQuery = z
  .strictObject({ ...range, by: z.enum(['country', 'cell']).default('country') })
  .refine(isForward, FORWARD);

const byResult = z.record(z.string(), z.number().int());
const count = z.number().int();

const counted = {
  from: instant.meta({ description: 'Where the time that is counted begins: `from`, or before it' }),
  to: instant.meta({ description: 'Where it ends: `to`, or after it; not included' }),
};
const unitCounts = { minted: count, activated: count, firstScanned: count };

export const funnelSchema = z.object({ ...counted, ...unitCounts }).meta({ id: 'Funnel' });

export const summarySchema = z
  .object({
    ...counted,
    scans: count,
    byResult,
    topCountries: z.array(z.object({ country: z.string().nullable(), scans: count, byResult })),
    topProducts: z
      .array(
        z.object({
          productId: z.string(),
          name: z.string(),
          scans: count,
          suspicious: count,
          diverted: count,
        }),
      )
      .meta({ description: 'Those with most suspicious and diverted scans first' }),
    units: z.object({
      ...unitCounts,
      activationRate: z.number().nullable().meta({ description: 'Activated of minted' }),
      scanRate: z.number().nullable().meta({ description: 'Scanned at least once of activated' }),
    }),
  })
  .meta({ id: 'AnalyticsSummary' });

const points = z.array(z.object({ at: instant, scans: count }));

export const timeseriesSchema = z
  .object({
    ...counted,
    interval: z.string(),
    timeZone: z.string(),
    series: z.array(
      z.object({
        key: z
          .string()
          .nullable()
          .meta({ description: 'A result, a product’s id or a country; null for an unknown country' }),
        points,
      }),
    ),
    others: points.meta({
      description: 'The series beyond the 20 largest, together; empty where all are shown',
    }),
  })
  .meta({ id: 'Timeseries', description: 'Intervals without scans are left out' });

export const mapSchema = z
  .object({
    ...counted,
    data: z.array(
      z.object({
        country: z.string().nullable().optional(),
        cell: z
          .object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() })
          .nullable()
          .optional()
          .meta({ description: 'One degree by one degree; scans whose place is not known are in none' }),
        scans: count,
        byResult,
      }),
    ),
  })
  .meta({ id: 'ScanMap' });

export const presentRange = ({ from, to }: Range) => ({ from: from.toISOString(), to: to.toISOString() });

const countryOf = (key: string): string | null => (key === '' ? null : key);

export const presentCountry = ({ key, scans, byResult: results }: Gathered) => ({
  country: countryOf(key),
  scans,
  byResult: results,
});

function edgesOf(cell: number): { south: number; west: number; north: number; east: number } | null {
  if (cell < 0) return null;
  const south = Math.floor(cell / 360) - 90;
  const west = (cell % 360) - 180;
  return { south, west, north: south + 1, east: west + 1 };
}

export const presentCell = ({ key, scans, byResult: results }: Gathered) => ({
  cell: edgesOf(Number(key)),
  scans,
  byResult: results,
});

export const presentKey = (by: 'result' | 'product' | 'country', key: string): string | null =>
  by === 'product' ? encodeId('prod', key) : by === 'country' ? countryOf(key) : key;
