import { authorOf } from '../../shared/actor.ts';
import { auditActor, recordAudit } from '../../shared/audit/service.ts';
import { listPhotos } from '../../shared/counterfeit-reports/photos.ts';
import { signPhotoLink } from '../../shared/counterfeit-reports/photo-link.ts';
import {
  addNote,
  changeReport,
  getReport,
  listNotes,
  listReports,
} from '../../shared/counterfeit-reports/service.ts';
import { listCases } from '../../shared/risk-cases/service.ts';
import type { Db } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import type { ApiDeps } from '../deps.ts';
import { CSV_RESPONSES, sendCsv } from '../csv-download.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { needs, ok, operation } from '../operation.ts';
import { presentCase } from '../risk-cases/schema.ts';
import { COLUMNS, rowsOf } from './export.ts';
import {
  changeReportBody,
  exportReportsQuery,
  listReportsQuery,
  noteBody,
  presentReport,
  presentReportDetail,
  reportDetailSchema,
  reportSchema,
} from './schema.ts';
import { photoKey } from './deps.ts';

const tag = 'Counterfeit reports';
const reading = needs('reports.read', 'reports.write');
const writing = needs('reports.write');
const responses = { 200: { description: 'The report', schema: reportDetailSchema } };

const CASES = { limit: 20, beforeId: null };

async function detail(deps: ApiDeps, db: Db, orgId: string, id: string) {
  const report = await getReport(db, orgId, id);
  const expiresAt = new Date(deps.clock.now().getTime() + deps.config.ARTIFACT_LINK_SECONDS * 1000);
  const urlOf = (photoId: string) =>
    `${deps.config.PUBLIC_URL}${signPhotoLink(photoKey(deps), photoId, expiresAt)}`;
  const cases =
    report.unit_id === null ? [] : (await listCases(db, orgId, { unitId: report.unit_id }, CASES)).rows;
  return presentReportDetail(report, await listPhotos(db, id), await listNotes(db, id), cases, urlOf);
}

export const reportOperations = [
  operation({
    method: 'get',
    path: '/api/v1/counterfeit-reports',
    operationId: 'listReports',
    tag,
    summary: 'List reports, newest first',
    access: reading,
    query: listReportsQuery,
    responses: { 200: { description: 'A page of reports', schema: listOf(reportSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(
        listBody(
          'counterfeit-reports',
          await listReports(db, actor.orgId, query, pageRequest(query)),
          presentReport,
        ),
      ),
  }),
  operation({
    method: 'get',
    path: '/api/v1/counterfeit-reports.csv',
    operationId: 'exportReports',
    tag,
    summary: 'Export reports as CSV',
    description: 'Without contact details. Cells that a spreadsheet would take for a formula are made text.',
    access: reading,
    query: exportReportsQuery,
    responses: CSV_RESPONSES,
    handle: ({ db, actor, query, res }) =>
      sendCsv(res, 'counterfeit-reports', COLUMNS, rowsOf(db, actor.orgId, query)),
  }),
  operation({
    method: 'get',
    path: '/api/v1/counterfeit-reports/{id}',
    operationId: 'getReport',
    tag,
    summary: 'Read a report with its photos and notes',
    access: reading,
    ids: { id: 'rep' },
    responses,
    handle: async ({ deps, db, actor, ids }) => ok(await detail(deps, db, actor.orgId, ids.id)),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/counterfeit-reports/{id}',
    operationId: 'changeReport',
    tag,
    summary: 'Move a report along, give it to somebody, or note something on it',
    description:
      'Closing as `counterfeit` puts the unit of the code under suspicion, and opens a risk case for it where it has none.',
    access: writing,
    ids: { id: 'rep' },
    body: changeReportBody,
    responses,
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    handle: async ({ deps, db, actor, origin, ids, body }) => {
      const { openedCase } = await changeReport(deps, db, actor.orgId, ids.id, body, authorOf(actor));
      // The report of the path has its entry as every resource has.
      if (openedCase !== null)
        await recordAudit(deps, db, {
          orgId: actor.orgId,
          actor: auditActor(actor),
          action: 'openRiskCase',
          resource: encodeId('case', openedCase.id),
          origin,
          before: null,
          after: presentCase(openedCase),
        });
      return ok(await detail(deps, db, actor.orgId, ids.id));
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/counterfeit-reports/{id}/notes',
    operationId: 'addReportNote',
    tag,
    summary: 'Add a note to a report',
    access: writing,
    ids: { id: 'rep' },
    body: noteBody,
    idempotent: true,
    responses,
    handle: async ({ deps, db, actor, ids, body }) => {
      await addNote(deps, db, actor, ids.id, body.text);
      return ok(await detail(deps, db, actor.orgId, ids.id));
    },
  }),
];
