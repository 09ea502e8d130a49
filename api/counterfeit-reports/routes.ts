import { authorOf } from '../../shared/actor.ts';
import { addNote, changeReport, listReports } from '../../shared/counterfeit-reports/service.ts';
import { CSV_RESPONSES, sendCsv } from '../csv-download.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { needs, ok, operation } from '../operation.ts';
import { ABOUT_PEOPLE, detail, recordOpenedCase } from './detail.ts';
import { COLUMNS, rowsOf } from './export.ts';
import {
  changeReportBody,
  exportReportsQuery,
  listReportsQuery,
  noteBody,
  presentReport,
  reportDetailSchema,
  reportSchema,
} from './schema.ts';

const tag = 'Counterfeit reports';
const reading = needs('reports.read', 'reports.write');
const writing = needs('reports.write');
const responses = { 200: { description: 'The report', schema: reportDetailSchema } };
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
    unlogged: ABOUT_PEOPLE,
    responses,
    handle: async ({ deps, db, actor, ids }) => ok(await detail(deps, db, actor.orgId, ids.id)),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/counterfeit-reports/{id}',
    operationId: 'changeReport',
    tag,
    summary: 'Move a report along, say what it is about, give it to somebody, or note something on it',
    description:
      'Closing as `counterfeit` puts the unit under suspicion, and opens a risk case for it where it has none; so does naming the unit of a report that is closed so. A case that was opened for another unit before stays, for people to decide.',
    access: writing,
    ids: { id: 'rep' },
    body: changeReportBody,
    responses,
    errors: ['INVALID_TRANSITION', 'CONFLICT'],
    handle: async ({ deps, db, actor, origin, ids, body }) => {
      const { productUnitId: unitId, ...change } = body;
      const { openedCase } = await changeReport(
        deps,
        db,
        actor.orgId,
        ids.id,
        { ...change, unitId },
        authorOf(actor),
      );
      await recordOpenedCase(deps, db, { actor, origin }, openedCase);
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
