/** Where anybody files a report: from the page of a code, or without one. */
import type { Request } from 'express';
import { z } from 'zod';
import { getPhoto, photoFolder } from '../../shared/counterfeit-reports/photos.ts';
import { verifyPhotoLink } from '../../shared/counterfeit-reports/photo-link.ts';
import {
  fileReport,
  findOrganizationOfCode,
  type ReportDraft,
} from '../../shared/counterfeit-reports/service.ts';
import type { Site } from '../../shared/code-hosts/sites.ts';
import type { UnitOfWork } from '../../shared/db.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { encodeId, newUuid } from '../../shared/ids.ts';
import { tellOperator } from '../../shared/counterfeit-reports/tell-operator.ts';
import { networkId } from '../../shared/places/addresses.ts';
import type { BrandedOrganization } from '../../shared/scans/organization.ts';
import { adoptFiles } from '../../shared/storage/intake.ts';
import { sendObject } from '../send-stream.ts';
import { deriveKey } from '../../shared/wiring.ts';
import type { ApiDeps } from '../deps.ts';
import { typedText } from '../middleware/form-body.ts';
import { isPublic, operation, type Reply } from '../operation.ts';
import { isNavigation } from '../verify/answer.ts';
import { brandAt } from '../verify/brand-of.ts';
import { negotiateLocale } from '../verify/page/locales.ts';
import { codeOfToken, noCode, type CodeOf } from './code-of.ts';
import { photoKey } from './deps.ts';
import { organizationOf, thanksAddress, thanksPage } from './form-pages.ts';
import { discardReport, readReport, REPORT_TYPES } from './intake.ts';
import { refusedReport } from './refused.ts';
import { filedSchema, reportBody } from './schema.ts';

const tag = 'Counterfeit reports';
const MAX_SHOWN_CODE = 200;

const isJson = (req: Request): boolean => req.is(['application/json', 'application/*+json']) !== false;

/** As under `/v/`: a browser's form gets a page, a program's the JSON that it would get for JSON. */
const wantsPage = (req: Request): boolean => !isJson(req) && req.accepts(['json', 'html']) === 'html';

/** @param filed with the organization whose page the reporter comes from; null for the service’s own */
function thanks(
  deps: ApiDeps,
  site: Site,
  req: Request,
  form: { lang: string },
  filed: { id: string; organization: BrandedOrganization | null },
): Reply {
  if (!wantsPage(req)) return { status: 201, body: { reportId: encodeId('rep', filed.id), status: 'open' } };
  const locale = negotiateLocale(req.get('accept-language'), form.lang);
  if (isNavigation(req)) {
    const headers = { Location: thanksAddress(req, locale), 'Cache-Control': 'no-store' };
    return { status: 303, headers };
  }
  return { status: 201, ...thanksPage(deps, site, locale, filed.organization) };
}

/** @param code what the page's address carried, and the unit's code where it names one; null without a page */
async function takeReport(
  deps: ApiDeps,
  uow: UnitOfWork,
  req: Request,
  body: z.output<typeof reportBody>,
  code: ReportDraft['code'],
): Promise<Reply> {
  const { photos } = body;
  const id = photos?.reportId ?? newUuid();
  const site = await deps.sites.of(req.headers.host);
  // A trap: only a program fills in a field that people cannot see. It learns nothing.
  if (body.website !== '') {
    const organization = await findOrganizationOfCode(uow.db, code?.bytes ?? null, site);
    return thanks(deps, site, req, body, { id, organization });
  }
  const hasContact = body.contactName !== null || body.contactEmail !== null;
  if (hasContact && !body.contactConsent)
    throw invalidField(
      'contactConsent',
      refusal('CONSENT_NEEDED', 'must be true where contact details are given'),
    );
  const { config } = deps;
  const draft: ReportDraft = {
    id,
    code: code && { ...code, text: code.text.slice(0, MAX_SHOWN_CODE) },
    site,
    brand: body.brand,
    description: typedText(body.description),
    purchasedFrom: body.purchasedFrom,
    price: body.price,
    contactName: body.contactName,
    contactEmail: body.contactEmail,
    language: negotiateLocale(req.get('accept-language'), body.lang),
    networkId: networkId(req.ip ?? '', deriveKey(config.API_KEY_PEPPER, 'networks')) ?? 'unknown',
    photos: photos?.originals ?? [],
  };
  const reportDeps = { ...deps, inboxOrgId: config.REPORT_INBOX_ORG };
  const filed = await fileReport(reportDeps, uow, draft);
  await tellOperator(
    deps,
    uow,
    { operatorEmail: config.CONTACT_EMAIL, signUp: config.SIGN_UP },
    filed,
    draft,
  );
  // The photos of a repetition stay unadopted, and are discarded.
  if (filed.isNew && photos !== undefined) await adoptFiles(uow.db, photoFolder(photos.reportId));
  return thanks(deps, site, req, body, filed);
}

interface ReportOperation {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly codeOf: CodeOf;
}

export const reportOperation = ({ codeOf, ...declaration }: ReportOperation) =>
  operation({
    ...declaration,
    method: 'post',
    tag,
    access: isPublic,
    body: reportBody,
    readBody: readReport,
    discardBody: discardReport,
    accepts: REPORT_TYPES,
    responses: {
      201: {
        description: 'Filed; a browser’s form gets a page of thanks',
        schema: filedSchema,
        also: ['text/html'],
      },
      303: {
        description: 'Filed by the form in a browser’s window: the page of thanks, which may be loaded again',
        headers: { Location: { description: 'Where the thanks are' } },
      },
    },
    errors: ['RATE_LIMITED', 'BAD_REQUEST'],
    handle: async ({ deps, db, afterCommit, req, body }) =>
      takeReport(deps, { db, afterCommit }, req, body, await codeOf(deps, db, req)),
    async errorPage(deps, req, error) {
      const refused = refusedReport(req, error);
      if (refused === null) return null;
      // A database that is away would be waited for once more.
      const isOutage = error.status >= 500;
      const organization = isOutage
        ? null
        : await organizationOf(deps, deps.db, req, codeOf).catch(() => null);
      return refused(brandAt(await deps.sites.of(req.headers.host), organization, deps.config));
    },
  });

const photoQuery = z.strictObject({ expires: z.string().max(12), signature: z.string().max(64) });

export const publicReportOperations = [
  reportOperation({
    path: '/v/{token}/reports',
    operationId: 'reportCode',
    summary: 'Report a suspected fake, from the page of its code',
    description:
      'JSON, a form, or a form with up to five photos (JPEG, PNG, WebP; 8 MB each) in `photos`. An unknown code is taken as well, with the same answer.',
    codeOf: codeOfToken,
  }),
  reportOperation({
    path: '/counterfeit-reports',
    operationId: 'reportWithoutCode',
    summary: 'Report a suspected fake without a code',
    codeOf: noCode,
  }),
  operation({
    method: 'get',
    path: '/report-photos/{id}',
    operationId: 'downloadReportPhoto',
    tag,
    summary: 'Fetch a photo by its signed link',
    access: isPublic,
    ids: { id: 'photo' },
    query: photoQuery,
    responses: {
      200: {
        description: 'The photo',
        mediaType: 'image/jpeg',
        schema: z.string(),
        headers: { 'Content-Disposition': { description: 'A file name' } },
      },
    },
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ deps, db, ids, query, res, req }) => {
      const id = encodeId('photo', ids.id);
      if (!verifyPhotoLink(photoKey(deps), id, query, deps.clock.now()))
        throw new AppError('FORBIDDEN', {
          detail: 'this link is not valid any more; read the report for a new one',
        });
      const photo = await getPhoto(db, ids.id);
      res.setHeader('Content-Type', 'image/jpeg');
      res.setHeader('Content-Disposition', `attachment; filename="${id}.jpg"`);
      res.setHeader('X-Content-Type-Options', 'nosniff');
      res.setHeader('Cache-Control', 'private, no-store');
      res.setHeader('Content-Length', photo.bytes ?? 0);
      if (req.method === 'HEAD') res.end();
      else await sendObject(res, deps, photo.storage_key);
      return null;
    },
  }),
];
