/** What the operations on one report have in common. */
import type { Actor, Origin } from '../../shared/actor.ts';
import { auditActor, recordAudit } from '../../shared/audit/service.ts';
import { signPhotoLink } from '../../shared/counterfeit-reports/photo-link.ts';
import { listPhotos } from '../../shared/counterfeit-reports/photos.ts';
import { getReport, listNotes } from '../../shared/counterfeit-reports/service.ts';
import type { Db } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { listCases, type CaseRow } from '../../shared/risk-cases/service.ts';
import type { ApiDeps } from '../deps.ts';
import { presentCase } from '../risk-cases/schema.ts';
import { photoKey } from './deps.ts';
import { presentReportDetail } from './schema.ts';

/** Of a report: who can be asked about it, and what may name a seller, of which nothing could be taken out of the audit log. */
export const ABOUT_PEOPLE = ['contact', 'description', 'purchasedFrom'] as const;

const CASES = { limit: 20, beforeId: null };

/** A report with its photos, notes and cases. @throws AppError NOT_FOUND */
export async function detail(deps: ApiDeps, db: Db, orgId: string, id: string) {
  const report = await getReport(db, orgId, id);
  const expiresAt = new Date(deps.clock.now().getTime() + deps.config.ARTIFACT_LINK_SECONDS * 1000);
  const urlOf = (photoId: string) =>
    `${deps.config.PUBLIC_URL}${signPhotoLink(photoKey(deps), photoId, expiresAt)}`;
  const cases =
    report.unit_id === null ? [] : (await listCases(db, orgId, { unitId: report.unit_id }, CASES)).rows;
  return presentReportDetail(report, await listPhotos(db, id), await listNotes(db, id), cases, urlOf);
}

/** The report of the request has its entry as every resource has; the case that it opened has one, too. */
export async function recordOpenedCase(
  deps: ApiDeps,
  db: Db,
  { actor, origin }: { actor: Actor; origin: Origin },
  openedCase: CaseRow | null,
): Promise<void> {
  if (openedCase === null) return;
  await recordAudit(deps, db, {
    orgId: actor.orgId,
    actor: auditActor(actor),
    action: 'openRiskCase',
    resource: encodeId('case', openedCase.id),
    origin,
    before: null,
    after: presentCase(openedCase),
  });
}
