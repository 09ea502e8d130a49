/** Reports by the organization's own people and systems, and the photos that they add to any. */
import { authorOf } from '../../shared/actor.ts';
import { fileOwnReport } from '../../shared/counterfeit-reports/own-report.ts';
import { addPhotos, photoFolder, removePhoto } from '../../shared/counterfeit-reports/photos.ts';
import { holdReport } from '../../shared/counterfeit-reports/service.ts';
import { created, needs, ok, operation } from '../operation.ts';
import { ABOUT_PEOPLE, detail, recordOpenedCase } from './detail.ts';
import { discardReport, PHOTO_TYPES, readPhotos } from './intake.ts';
import { addPhotosBody, ownReportBody, reportDetailSchema } from './schema.ts';

const tag = 'Counterfeit reports';
const access = needs('reports.write');

export const ownReportOperations = [
  operation({
    method: 'post',
    path: '/api/v1/counterfeit-reports',
    operationId: 'createReport',
    tag,
    summary: 'File a report of one’s own',
    description:
      'What an inspection, a test purchase, an offer on the web, a telephone call or an authority brought to light. It sends no `counterfeit_report.created`, which is for what consumers report. With a `resolution` it is closed at once, and as `counterfeit` it opens a risk case as `changeReport` does.',
    access,
    body: ownReportBody,
    unlogged: ABOUT_PEOPLE,
    idempotent: true,
    responses: {
      201: {
        description: 'The report',
        schema: reportDetailSchema,
        headers: { Location: { description: 'The report' } },
      },
    },
    handle: async ({ deps, db, actor, origin, body }) => {
      const { productUnitId: unitId, ...report } = body;
      const ownDeps = { clock: deps.clock, tokenKeys: deps.config.TOKEN_KEYS };
      const { report: filed, openedCase } = await fileOwnReport(ownDeps, db, actor, { ...report, unitId });
      await recordOpenedCase(deps, db, { actor, origin }, openedCase);
      const shown = await detail(deps, db, actor.orgId, filed.id);
      return created(shown, `/api/v1/counterfeit-reports/${shown.id}`);
    },
  }),
  operation({
    method: 'post',
    path: '/api/v1/counterfeit-reports/{id}/photos',
    operationId: 'addReportPhotos',
    tag,
    summary: 'Add photos to a report',
    description:
      'Up to five at once, twenty in all with those of the reporter. A file that was added to it before is not added again, so that a request can be repeated. A worker makes clean images of them: `state` says when.',
    access,
    ids: { id: 'rep' },
    body: addPhotosBody,
    readBody: readPhotos,
    discardBody: discardReport,
    accepts: PHOTO_TYPES,
    responses: { 200: { description: 'The report', schema: reportDetailSchema } },
    errors: ['BAD_REQUEST'],
    handle: async ({ deps, db, afterCommit, actor, ids, body: { photos } }) => {
      await holdReport(db, actor.orgId, ids.id);
      const upload = { folder: photoFolder(photos.reportId), originals: photos.originals };
      await addPhotos(deps, { db, afterCommit }, ids.id, upload, authorOf(actor));
      return ok(await detail(deps, db, actor.orgId, ids.id));
    },
  }),
  operation({
    method: 'delete',
    path: '/api/v1/counterfeit-reports/{id}/photos/{photoId}',
    operationId: 'removeReportPhoto',
    tag,
    summary: 'Remove a photo from a report, with its file',
    description: 'One that shows what nobody should keep, or was added to the wrong report.',
    access,
    ids: { id: 'rep', photoId: 'photo' },
    responses: { 204: { description: 'Removed' } },
    handle: async ({ deps, db, afterCommit, actor, ids }) => {
      await holdReport(db, actor.orgId, ids.id);
      await removePhoto(deps, { db, afterCommit }, ids.id, ids.photoId);
      return { status: 204 };
    },
  }),
];
