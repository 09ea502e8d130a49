import { z } from 'zod';
import type { IdPrefix } from '../ids.ts';
import { PLACE_SOURCES } from '../risk/types.ts';

/**
 * The `data` of every event type, strict: a key that is not listed here is a mistake of ours and is not sent. Every
 * key is always there; what is not known is null. Adding a key is a compatible change, removing or changing one needs a
 * new version of the type.
 */

/** A job of ten million codes has thousands of files; an event is to stay a few kB. */
export const MOST_LISTED_ARTIFACTS = 20;

const id = (prefix: IdPrefix) =>
  z.string().regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), `must be a ${prefix}_… id`);

const time = z.iso.datetime().describe('ISO 8601, UTC');
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .describe('ISO 3166-1 alpha-2');
const gtin = z
  .string()
  .regex(/^\d{14}$/)
  .describe('With 14 digits');
const count = z.number().int().min(0);

const SIGNAL_TYPES = ['impossible_travel', 'clone', 'excessive_scanning', 'diversion'] as const;

/** Evidence differs by signal and grows with the rules, so a signal alone is open to further keys. */
const signal = z.looseObject({ type: z.enum(SIGNAL_TYPES) });

const place = z
  .strictObject({
    lat: z.number().min(-90).max(90),
    lon: z.number().min(-180).max(180),
    accuracyKm: z.number().min(0),
    source: z
      .enum(PLACE_SOURCES)
      .nullable()
      .describe(
        'The visitor’s own position, or the address of a line, of a telephone, or of either; not in events that were recorded before it was told',
      ),
  })
  .describe('Where the scan came from, and the radius of the uncertainty');

const unit = {
  productUnitId: id('unit'),
  productId: id('prod'),
  productName: z.string(),
  sku: z.string().describe('Your own number for the product'),
  gtin: gtin.nullable(),
  batchId: id('batch'),
  serial: z.string(),
  lot: z.string().nullable(),
};

const scan = {
  scanId: id('scan'),
  ...unit,
  result: z
    .enum(['genuine', 'suspicious', 'diverted', 'suspended', 'recalled', 'expired', 'inactive'])
    .describe('The final verdict'),
  country: country.nullable(),
  place: place.nullable(),
  riskLevel: z.enum(['none', 'low', 'medium', 'high']),
  score: z.number().min(0).max(100),
  signals: z.array(signal),
  at: time.describe('When the code was scanned'),
};

const barcodeJob = {
  jobId: id('job'),
  batchId: id('batch'),
  productId: id('prod'),
  symbology: z.string(),
  formats: z.array(z.string()),
  total: count.describe('Codes asked for'),
  done: count.describe('Codes made'),
  startedAt: time.nullable(),
  finishedAt: time,
  durationMs: count.describe('From start to finish'),
};

const consignment = {
  consignmentId: id('cons'),
  reference: z.string().nullable().describe('Your own number for the consignment'),
  sscc: z.string().nullable(),
  distributor: z.string().nullable().describe('Name of the destination'),
  unitCount: count.describe('Units in the consignment'),
};

export const scanRecorded = z.strictObject({
  ...scan,
  isInternal: z
    .boolean()
    .describe('Whether it came from a network of your own, and so is not counted or judged'),
});

export const suspiciousScanDetected = z.strictObject({
  ...scan,
  reasons: z
    .array(z.enum(['clone', 'impossible_travel', 'excessive_scanning']))
    .min(1)
    .describe('The signals that made the scan suspicious'),
  caseId: id('case').nullable().describe('The case in which the unit’s suspicious scans gather'),
  heldBack: count.describe(
    'Suspicious scans of this unit since the event before, for which the cool-down of your risk policy sent none',
  ),
});

export const productDiverted = z.strictObject({
  ...scan,
  country: country.describe('ISO 3166-1 alpha-2: where the unit turned up'),
  markets: z.array(country).min(1).describe('Where it is authorized'),
});

export const counterfeitReportCreated = z.strictObject({
  reportId: id('rep'),
  productUnitId: id('unit').nullable().describe('Null for a report without a code'),
  productId: id('prod').nullable(),
  productName: z.string().nullable(),
  sku: z.string().nullable().describe('Your own number for the product'),
  gtin: gtin.nullable(),
  batchId: id('batch').nullable(),
  serial: z.string().nullable(),
  lot: z.string().nullable(),
  scanId: id('scan').nullable(),
  message: z.string().describe('In the words of the consumer'),
  purchasedFrom: z.string().nullable().describe('Shop, address or web address'),
  price: z.string().nullable(),
  country: country.nullable(),
  photoCount: count,
  hasContact: z.boolean().describe('Whether contact details were left; they are not part of the event'),
  at: time,
});

export const barcodeJobCompleted = z.strictObject({
  ...barcodeJob,
  artifactCount: count.describe('How many files there are'),
  artifactsUrl: z.url().describe('The job in this API, which lists all of them'),
  artifacts: z
    .array(
      z.strictObject({
        kind: z.enum(['images', 'labels', 'codes', 'manifest']),
        name: z.string(),
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        url: z.url().describe('Download link; if it has expired, read the job for a new one'),
      }),
    )
    .max(MOST_LISTED_ARTIFACTS)
    .describe(
      `The manifest, the code lists, and the first parts with images and labels: ${MOST_LISTED_ARTIFACTS} at most. The manifest names every file with its checksum`,
    ),
});

export const barcodeJobFailed = z.strictObject({
  ...barcodeJob,
  error: z.strictObject({ code: z.string(), message: z.string() }),
});

export const consignmentReceived = z.strictObject({
  ...consignment,
  status: z.enum(['received', 'partially_received']),
  receivedCount: count.describe('Units that arrived, the damaged among them'),
  missingCount: count,
  damagedCount: count,
  counted: count.nullable().describe('What was counted, where that was told: above `unitCount`, too'),
  receivedAt: time,
});

export const consignmentRecalled = z.strictObject({
  ...consignment,
  reason: z.string().nullable(),
  recalledAt: time,
});

export const webhookTest = z.strictObject({
  endpointId: id('whep'),
  message: z.string(),
  at: time,
});
