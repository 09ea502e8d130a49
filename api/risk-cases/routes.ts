import { authorOf } from '../../shared/actor.ts';
import { auditActor, recordAudit } from '../../shared/audit/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { findReport, listReports } from '../../shared/counterfeit-reports/service.ts';
import type { Db } from '../../shared/db.ts';
import { invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import {
  changeCase,
  getCase,
  listCases,
  lockUnitOfCase,
  openCase,
  type CaseWithNotes,
} from '../../shared/risk-cases/service.ts';
import { CSV_RESPONSES, sendCsv } from '../csv-download.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { created, needs, ok, operation } from '../operation.ts';
import { COLUMNS, rowsOf } from './export.ts';
import {
  caseSchema,
  caseWithNotesSchema,
  changeCaseBody,
  listCasesQuery,
  openCaseBody,
  presentCase,
  presentCaseWithNotes,
} from './schema.ts';

const tag = 'Risk cases';

const REPORTS = { limit: 20, beforeId: null };

/** With the counterfeit reports of its unit. */
async function detail(db: Db, orgId: string, found: CaseWithNotes) {
  const { rows } = await listReports(db, orgId, { unitId: found.row.unit_id }, REPORTS);
  return presentCaseWithNotes(found, rows);
}

/** @throws AppError VALIDATION_FAILED where it is no report about the unit */
async function requireReportOf(db: Db, orgId: string, reportId: string, unitId: string): Promise<void> {
  const report = await findReport(db, orgId, reportId);
  if (report === null || report.unit_id !== unitId)
    throw invalidField('reportId', refusal('NO_SUCH_REPORT', 'is no report about this unit'));
}

export const riskCaseOperations = [
  operation({
    method: 'get',
    path: '/api/v1/risk-cases',
    operationId: 'listRiskCases',
    tag,
    summary: 'List cases, newest first',
    description:
      'Everything suspicious about a unit gathers in one open case. Its first suspicious scan opens it, or a person does, or a counterfeit report that is confirmed.',
    access: needs('scans.read'),
    query: listCasesQuery,
    responses: { 200: { description: 'A page of cases', schema: listOf(caseSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(listBody('risk-cases', await listCases(db, actor.orgId, query, pageRequest(query)), presentCase)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/risk-cases.csv',
    operationId: 'exportRiskCases',
    tag,
    summary: 'Export cases as CSV, newest first',
    description:
      'Each with what its unit is called, and without notes. `signals` are separated by spaces. Cells that a spreadsheet would take for a formula are made text.',
    access: needs('scans.read'),
    query: listCasesQuery.omit({ limit: true, cursor: true }),
    responses: CSV_RESPONSES,
    handle: ({ db, actor, query, res }) =>
      sendCsv(res, 'risk-cases', COLUMNS, rowsOf(db, actor.orgId, query)),
  }),
  operation({
    method: 'post',
    path: '/api/v1/risk-cases',
    operationId: 'openRiskCase',
    tag,
    summary: 'Open a case for a unit',
    description:
      'For what people know and scans do not show: a fake that was seen, a seizure. The unit is under suspicion until the case is dismissed: its page no longer says that nothing is known against it. By itself that makes no scan suspicious. A unit that has an open case keeps it, and the note goes there.',
    access: needs('scans.write'),
    body: openCaseBody,
    idempotent: true,
    responses: { 201: { description: 'The case', schema: caseWithNotesSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, body: { productUnitId: unitId, ...body } }) => {
      if (body.reportId !== undefined) await requireReportOf(db, actor.orgId, body.reportId, unitId);
      const opened = await openCase(deps, db, actor.orgId, { unitId, ...body }, authorOf(actor));
      const reply = created(
        await detail(db, actor.orgId, opened),
        `/api/v1/risk-cases/${encodeId('case', opened.row.id)}`,
      );
      return opened.isNew ? reply : { ...reply, insteadOfNew: 'changeRiskCase' };
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/risk-cases/{id}',
    operationId: 'getRiskCase',
    tag,
    summary: 'Read a case with its notes',
    access: needs('scans.read'),
    ids: { id: 'case' },
    responses: { 200: { description: 'The case', schema: caseWithNotesSchema } },
    handle: async ({ db, actor, ids }) =>
      ok(await detail(db, actor.orgId, await getCase(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/risk-cases/{id}',
    operationId: 'changeRiskCase',
    tag,
    summary: 'Assign a case, note something on it, or decide it',
    description:
      '`confirmed` makes every scan of the unit suspicious; `dismissed` takes back what spoke against it until now. Both need a `closingReason`. No signal overwrites a decision.',
    access: needs('scans.write'),
    ids: { id: 'case' },
    body: changeCaseBody,
    responses: { 200: { description: 'The case', schema: caseWithNotesSchema } },
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    lock: ({ db, actor, ids }) => lockUnitOfCase(db, actor.orgId, ids.id),
    handle: async ({ deps, db, actor, origin, ids, body }) => {
      const changed = await changeCase(deps, db, actor.orgId, ids.id, body, authorOf(actor));
      // The case of the path has its entry as every resource has.
      for (const { before, after } of changed.corrected)
        await recordAudit(deps, db, {
          orgId: actor.orgId,
          actor: auditActor(actor),
          action: 'changeRiskCase',
          resource: encodeId('case', before.id),
          origin,
          before: presentCase(before),
          after: presentCase(after),
        });
      return ok(await detail(db, actor.orgId, changed));
    },
  }),
];
