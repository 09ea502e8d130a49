import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import type { ReportRow } from '../../shared/counterfeit-reports/service.ts';
import { REPORT_STATUSES } from '../../shared/counterfeit-reports/states.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import type { CaseRow, CaseWithNotes } from '../../shared/risk-cases/service.ts';
import {
  ALL_CLOSING_REASONS,
  CASE_STATUSES,
  CLOSED_STATUSES,
  CLOSING_REASONS,
} from '../../shared/risk-cases/states.ts';
import { text } from '../fields.ts';
import { expectedAssignee, idField, instant, listQuery, searchField } from '../list.ts';
import { signalSchema } from '../scans/signal-schema.ts';

export const listCasesQuery = listQuery('risk-cases', {
  status: z.enum(CASE_STATUSES).optional(),
  undecided: z
    .enum(['true'])
    .optional()
    .meta({ description: 'Only those that nobody has closed: `open` or `investigating`' }),
  unitId: idField('unit').optional(),
  productId: idField('prod').optional(),
  assigneeId: idField('user').optional(),
  q: searchField('Beginning of the unit’s serial', '7K2M'),
});

const closingReason = z.enum(ALL_CLOSING_REASONS).meta({
  description: `For \`confirmed\`: ${CLOSING_REASONS.confirmed.join(', ')}. For \`dismissed\`: ${CLOSING_REASONS.dismissed.join(', ')}.`,
});

export const openCaseBody = z.strictObject({
  productUnitId: idField('unit'),
  note: text(4000).optional(),
  assigneeId: idField('user')
    .nullable()
    .optional()
    .meta({ description: 'For a new case; one that is open stays with whoever has it' }),
  reportId: idField('rep')
    .optional()
    .meta({ description: 'The counterfeit report about the unit that tells of it; for a new case' }),
});

export const changeCaseBody = z
  .strictObject({
    status: z.enum(CASE_STATUSES).optional(),
    closingReason: closingReason.optional(),
    assigneeId: idField('user').nullable().optional(),
    note: text(4000).optional(),
    expectedAssigneeId: expectedAssignee(),
    expectedStatus: z.enum(CASE_STATUSES).optional().meta({
      description:
        'The status that was read: with it, nothing changes where somebody else moved the case since (CONFLICT). Without it, of two who close a case at once the later one corrects the other.',
    }),
  })
  .refine(
    (change) => Object.keys(change).some((name) => !name.startsWith('expected')),
    ruled(refusal('NOTHING_TO_CHANGE', 'must change something')),
  );

export const caseSchema = z
  .object({
    id: z.string(),
    productUnitId: z.string(),
    productId: z.string(),
    batchId: z.string(),
    status: z.enum(CASE_STATUSES),
    closingReason: closingReason.nullable(),
    assigneeId: z.string().nullable(),
    suspiciousScans: z.int(),
    maxScore: z.int(),
    signals: z.array(z.string()),
    firstScanId: z.string().nullable(),
    lastScanId: z.string().nullable(),
    openedBy: z.string().nullable(),
    reportId: z.string().nullable(),
    openedAt: instant,
    updatedAt: instant,
    closedAt: instant.nullable(),
  })
  .meta({ id: 'RiskCase' });

export const caseWithNotesSchema = caseSchema
  .extend({
    evidence: z.array(signalSchema).meta({
      description: 'The newest signal of each kind among the scans of the case, each with its evidence',
    }),
    notes: z.array(z.object({ author: z.string(), text: z.string(), at: instant })),
    decisions: z
      .array(
        z.object({
          decision: z.enum(CLOSED_STATUSES),
          closingReason,
          author: z.string().nullable(),
          at: instant,
        }),
      )
      .meta({
        description:
          'The newest hundred decisions and corrections, the one in force last; without an author where it was not kept',
      }),
    reports: z
      .array(z.object({ id: z.string(), status: z.enum(REPORT_STATUSES), createdAt: instant }))
      .meta({ description: 'Counterfeit reports of the unit, the newest 20' }),
  })
  .meta({ id: 'RiskCaseWithNotes' });

export const presentCase = (row: CaseRow): z.input<typeof caseSchema> => ({
  id: encodeId('case', row.id),
  productUnitId: encodeId('unit', row.unit_id),
  productId: encodeId('prod', row.product_id),
  batchId: encodeId('batch', row.batch_id),
  status: row.status,
  closingReason: row.closing_reason,
  assigneeId: encodeNullableId('user', row.assignee_id),
  suspiciousScans: row.suspicious_scans,
  maxScore: row.max_score,
  signals: row.signals,
  firstScanId: encodeNullableId('scan', row.first_scan_id),
  lastScanId: encodeNullableId('scan', row.last_scan_id),
  openedBy: row.opened_by,
  reportId: encodeNullableId('rep', row.report_id),
  openedAt: row.opened_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
});

export const presentCaseWithNotes = (
  { row, notes, decisions, evidence }: CaseWithNotes,
  reports: readonly ReportRow[],
): z.input<typeof caseWithNotesSchema> => ({
  ...presentCase(row),
  evidence,
  reports: reports.map(({ id, status, created_at: at }) => ({
    id: encodeId('rep', id),
    status,
    createdAt: at.toISOString(),
  })),
  decisions: decisions.map(({ decision, closing_reason: reason, author, at }) => ({
    decision,
    closingReason: reason,
    author,
    at: at.toISOString(),
  })),
  notes: notes.map(({ author, text, at }) => ({ author, text, at: at.toISOString() })),
});
