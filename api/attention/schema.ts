import { z } from 'zod';
import { MIN_DECISIONS } from '../../shared/risk/calibration.ts';
import {
  DECISION_DAYS,
  LOOKED_DAYS,
  MOST_COUNTED,
  OVERDUE_DAYS,
  FAILED_DAYS,
  RECEIPT_DAYS,
  TOP,
  type Attention,
  type Section,
} from '../../shared/attention/service.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import { instant } from '../list.ts';

const section = (item: z.ZodType, description: string) =>
  z
    .object({
      count: z
        .number()
        .int()
        .meta({ description: `At most ${MOST_COUNTED}` }),
      hasMore: z.boolean().meta({ description: 'Whether there are more than `count`' }),
      top: z.array(item).max(TOP),
    })
    .nullable()
    .meta({ description: `${description} Null for a caller that may not see them.` });

const jobItem = z.object({
  id: z.string(),
  kind: z.enum(['barcodes', 'bulk']),
  action: z
    .enum(['activate', 'suspend', 'recall', 'lift-recall', 'consign'])
    .nullable()
    .meta({ description: 'Of a bulk job' }),
  batchId: z
    .string()
    .nullable()
    .meta({ description: 'Of a barcode job, or of a bulk job over a whole batch' }),
  consignmentId: z.string().nullable().meta({ description: 'Of a bulk job on a consignment' }),
  status: z.enum(['queued', 'running', 'failed']),
  progress: z.object({ done: z.number().int(), total: z.number().int().nullable() }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdAt: instant,
});

export const attentionSchema = z
  .object({
    cases: section(
      z.object({
        id: z.string(),
        productUnitId: z.string(),
        serial: z.string(),
        productName: z.string(),
        status: z.enum(['open', 'investigating']),
        maxScore: z.number().int(),
        suspiciousScans: z.number().int(),
        signals: z.array(z.string()),
        openedBy: z.string().nullable(),
        reportId: z.string().nullable(),
        updatedAt: instant,
      }),
      'Cases that nobody has closed: those that people opened, without suspicious scans yet, until somebody investigates them; then those with the highest score.',
    ),
    thresholds: section(
      z.object({
        confirmedCases: z.number().int().meta({ description: 'Cases that were closed as confirmed' }),
        dismissedCases: z.number().int().meta({ description: 'Cases that were closed as dismissed' }),
      }),
      `One entry where the cases closed lately, ${MIN_DECISIONS} at least, say clearly that alarms are right less often than nine times of ten, or more often: a simulation of the organization’s policy says which threshold fits (\`fromDecisions\`). Counted are the newest ${MOST_COUNTED} of ${DECISION_DAYS} days since the policy was changed or one was tried, and nothing is said for ${LOOKED_DAYS} days after that; products with a threshold of their own are left out. Needs \`scans.write\`.`,
    ),
    reports: section(
      z.object({
        id: z.string(),
        excerpt: z.string(),
        country: z.string().nullable(),
        productName: z.string().nullable(),
        photoCount: z.number().int(),
        createdAt: instant,
      }),
      'Counterfeit reports that nobody has taken up, newest first.',
    ),
    endpoints: section(
      z.object({
        id: z.string(),
        url: z.string(),
        description: z.string().nullable(),
        state: z.enum(['closed', 'open', 'half-open', 'disabled']),
        failingSince: instant.nullable(),
      }),
      'Webhook endpoints whose circuit is not closed, or whose last attempt failed.',
    ),
    barcodeJobs: section(jobItem, `Barcode jobs that are open, or failed within ${FAILED_DAYS} days.`),
    bulkJobs: section(
      jobItem,
      `Bulk jobs that change units and are open, or failed within ${FAILED_DAYS} days.`,
    ),
    receipts: section(
      z.object({
        id: z.string(),
        reference: z.string().nullable(),
        destination: z.string().nullable(),
        unitCount: z.number().int(),
        missingCount: z.number().int(),
        damagedCount: z.number().int(),
        counted: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'What the distributor counted, where that was told' }),
        receivedAt: instant,
      }),
      `Consignments that were received within ${RECEIPT_DAYS} days with units missing, damaged or too many, the newest receipt first.`,
    ),
    consignments: section(
      z.object({
        id: z.string(),
        reference: z.string().nullable(),
        destination: z.string().nullable(),
        unitCount: z.number().int(),
        dispatchedAt: instant,
      }),
      `Consignments that left more than ${OVERDUE_DAYS} days ago and that nobody has confirmed, the oldest first.`,
    ),
  })
  .meta({ id: 'Attention' });

const shown = <Row, Item>(given: Section<Row> | null, present: (row: Row) => Item) =>
  given === null ? null : { count: given.count, hasMore: given.hasMore, top: given.rows.map(present) };

type Job = NonNullable<Attention['barcodeJobs']>['rows'][number];

const presentJob = (row: Job): z.input<typeof jobItem> => ({
  id: encodeId(row.kind === 'bulk' ? 'bulk' : 'job', row.id),
  kind: row.kind,
  action: row.action,
  batchId: encodeNullableId('batch', row.batch_id),
  consignmentId: encodeNullableId('cons', row.consignment_id),
  status: row.status,
  progress: { done: row.done, total: row.units },
  error: row.error,
  createdAt: row.created_at.toISOString(),
});

export const presentAttention = (found: Attention): z.input<typeof attentionSchema> => ({
  cases: shown(found.cases, (row) => ({
    id: encodeId('case', row.id),
    productUnitId: encodeId('unit', row.unit_id),
    serial: row.serial,
    productName: row.product_name,
    status: row.status,
    maxScore: row.max_score,
    suspiciousScans: row.suspicious_scans,
    signals: row.signals,
    openedBy: row.opened_by,
    reportId: encodeNullableId('rep', row.report_id),
    updatedAt: row.updated_at.toISOString(),
  })),
  thresholds: shown(found.thresholds, (row) => ({
    confirmedCases: row.confirmed,
    dismissedCases: row.dismissed,
  })),
  reports: shown(found.reports, (row) => ({
    id: encodeId('rep', row.id),
    excerpt: row.excerpt,
    country: row.country,
    productName: row.product_name,
    photoCount: row.photo_count,
    createdAt: row.created_at.toISOString(),
  })),
  endpoints: shown(found.endpoints, (row) => ({
    id: encodeId('whep', row.id),
    url: row.url,
    description: row.description,
    state: row.state,
    failingSince: row.failing_since?.toISOString() ?? null,
  })),
  barcodeJobs: shown(found.barcodeJobs, presentJob),
  bulkJobs: shown(found.bulkJobs, presentJob),
  receipts: shown(found.receipts, (row) => ({
    id: encodeId('cons', row.id),
    reference: row.reference,
    destination: row.destination,
    unitCount: row.unit_count,
    missingCount: row.missing_count,
    damagedCount: row.damaged_count,
    counted: row.counted,
    receivedAt: row.received_at.toISOString(),
  })),
  consignments: shown(found.consignments, (row) => ({
    id: encodeId('cons', row.id),
    reference: row.reference,
    destination: row.destination,
    unitCount: row.unit_count,
    dispatchedAt: row.dispatched_at.toISOString(),
  })),
});
