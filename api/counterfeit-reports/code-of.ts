/** What code a report is about, read from the address of its form. */
import type { Request } from 'express';
import type { ReportDraft } from '../../shared/counterfeit-reports/service.ts';
import type { Db } from '../../shared/db.ts';
import { digitalLinkPath } from '../../shared/gs1/digital-link.ts';
import { findCodeBySerial } from '../../shared/scans/service.ts';
import { codeToLookUp } from '../../shared/units/token.ts';
import type { ApiDeps } from '../deps.ts';
import { readLink, serialOf } from '../gs1/links.ts';

/** What the address carried, and the unit's code where it names one; null for an address without a code. */
export type CodeOf = (deps: ApiDeps, db: Db, req: Request) => Promise<ReportDraft['code']>;

/** Of `/v/{token}/reports`. */
export const codeOfToken: CodeOf = async ({ config }, _db, req) => {
  // Postgres stores no NUL in a text.
  const text = String(req.params.token).replaceAll('\0', '');
  return { text, bytes: codeToLookUp(config.TOKEN_KEYS, text) };
};

/** Of a GS1 Digital Link with `/reports` behind it. @throws AppError BAD_REQUEST for what is no link */
export const codeOfLink: CodeOf = async ({ sites }, db, req) => {
  const link = readLink(req, '/reports');
  const { orgId } = await sites.of(req.headers.host);
  return { text: digitalLinkPath(link), bytes: await findCodeBySerial(db, { ...serialOf(link), orgId }) };
};

export const noCode: CodeOf = async () => null;
