/** Counterfeit reports: filed by anybody, worked on by the organization whose code was reported. */
import { createHash } from 'node:crypto';
import { authorOf, type Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Site } from '../code-hosts/sites.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, invalidField, movedMeanwhile, refuseTaken } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { recordEvents } from '../events/service.ts';
import { encodeId, encodeNullableId, newUuid } from '../ids.ts';
import { organizationExists, requireAssignable } from '../organizations/service.ts';
import type { Logger } from '../logger.ts';
import type { Waker } from '../queues.ts';
import { openCaseOfReport, type CaseRow } from '../risk-cases/service.ts';
import { organizationOf, type BrandedOrganization } from '../scans/organization.ts';
import { identifiedGoods, type Identification } from './goods.ts';
import { insertPhotos } from './photo-repository.ts';
import type { OriginalPhoto } from './photos.ts';
import {
  countRecentReports,
  findReport,
  findReportedUnit,
  findScanOfNetwork,
  foldRepetition,
  freeFingerprint,
  insertNote,
  insertReport,
  lockReport,
  updateGoods,
  updateReport,
  type NewReport,
  type ReportedUnit,
  type ReportRow,
  type ReportStatus,
  type Resolution,
} from './repository.ts';
import { RESOLUTIONS } from './states.ts';

export {
  findReport,
  listNotes,
  listReports,
  type NoteRow,
  type ReportFilter,
  type ReportRow,
  type ReportStatus,
  type Resolution,
} from './repository.ts';

/** In a day: a family's worth from one network; a shop's worth about one unit. */
const MAX_OF_NETWORK = 20;
const MAX_OF_UNIT = 50;
const DAY_MS = 86_400_000;

export interface ReportDeps {
  clock: Clock;
  log: Logger;
  waker: Waker;
  /** Who gets reports that name no known code; null leaves them to the operator. */
  inboxOrgId: string | null;
}

export interface ReportDraft {
  id: string;
  /** What the address carried, as sent, and the bytes to look it up by; null for a link that names no unit. */
  code: { text: string; bytes: Buffer | null } | null;
  /** Where the form stood; null for the service's own address. */
  site: Site | null;
  brand: string | null;
  description: string;
  purchasedFrom: string | null;
  price: string | null;
  contactName: string | null;
  contactEmail: string | null;
  language: string;
  networkId: string;
  /** In their order. */
  photos: readonly OriginalPhoto[];
}

export interface FiledReport {
  id: string;
  /** False where it repeats a report that is there: nothing of it is kept. */
  isNew: boolean;
  /** Whom the reporter deals with, as the page before showed it; null where no known code was named. */
  organization: BrandedOrganization | null;
}

/**
 * Of all that somebody can tell: many people share a network and say the same few words, and whoever adds a shop, a photo
 * or an address to them must be heard.
 */
function fingerprintOf(draft: ReportDraft, unitId: string | null): Buffer {
  const { brand, description, purchasedFrom, price, contactName, contactEmail, photos } = draft;
  const told = [brand, description, purchasedFrom, price, contactName, contactEmail].map(
    (text) => text?.toLowerCase().replaceAll(/\s+/g, ' ').trim() ?? '',
  );
  // What is told at an organization's own address is told to it, also where the service or another one was told the same.
  const subject = unitId ?? (draft.site?.orgId ?? '') + (draft.code?.text ?? '');
  const images = photos.map(({ sha256 }) => sha256);
  return createHash('sha256')
    .update(JSON.stringify([subject, draft.networkId, told, images]))
    .digest();
}

/**
 * Files a report; one that tells nothing beyond another of the last day from the same network, which nobody has decided,
 * is counted there, and told once.
 * @throws AppError RATE_LIMITED past the caps of the network or the unit
 */
export async function fileReport(
  deps: ReportDeps,
  uow: UnitOfWork,
  draft: ReportDraft,
): Promise<FiledReport> {
  const { db } = uow;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - DAY_MS);
  const bytes = draft.code?.bytes ?? null;
  const unit = await findUnitAt(db, bytes, draft.site);
  const organization = unit && organizationOf(unit);
  const fingerprint = fingerprintOf(draft, unit?.unit_id ?? null);
  const counts = await countRecentReports(
    db,
    { networkId: draft.networkId, unitId: unit?.unit_id ?? null },
    since,
  );
  // Under the network's lock, which a repetition of the same request needs as well.
  const known = await foldRepetition(db, fingerprint, since, now);
  if (known !== null) return { id: known, isNew: false, organization };
  if (counts.of_network >= MAX_OF_NETWORK || counts.of_unit >= MAX_OF_UNIT)
    throw new AppError('RATE_LIMITED', {
      detail: 'too many reports today, from this network or about this unit; try again tomorrow',
      headers: { 'Retry-After': '86400' },
    });
  const scan = unit === null ? null : await findScanOfNetwork(db, unit.unit_id, draft.networkId, since);
  const report: NewReport = {
    ...draft,
    channel: 'consumer',
    filedBy: null,
    foundOn: null,
    orgId: unit?.org_id ?? draft.site?.organization?.id ?? (await findInbox(deps, db)),
    unit,
    scanId: scan?.id ?? null,
    code: draft.code?.text ?? null,
    country: scan?.country ?? null,
    fingerprint,
    now,
  };
  await freeFingerprint(db, fingerprint);
  if (!(await insertReport(db, report)))
    throw new AppError('CONFLICT', { detail: 'the same report is being filed right now' });
  if (draft.photos.length > 0) {
    const photos = draft.photos.map(({ key }, index) => ({
      id: newUuid(),
      position: index + 1,
      key,
      sha256: null,
    }));
    await insertPhotos(db, draft.id, photos, null, now);
    uow.afterCommit(() => deps.waker.cleanPhotos());
  }
  if (report.orgId !== null) await recordEvents(deps, uow, [eventOf(report, report.orgId, unit, draft)]);
  return { id: draft.id, isNew: true, organization };
}

/** An inbox that names no organization is the operator's mistake, for which no report may be lost. */
async function findInbox({ inboxOrgId, log }: ReportDeps, db: Db): Promise<string | null> {
  if (inboxOrgId === null || (await organizationExists(db, inboxOrgId))) return inboxOrgId;
  log.error(
    { orgId: encodeId('org', inboxOrgId) },
    'REPORT_INBOX_ORG names no organization: a report is nobody’s',
  );
  return null;
}

/** @returns whom somebody deals with who reports this code; null where it is nobody's. */
export async function findOrganizationOfCode(
  db: Db,
  code: Buffer | null,
  site: Site | null,
): Promise<BrandedOrganization | null> {
  const unit = await findUnitAt(db, code, site);
  return unit && organizationOf(unit);
}

/** @returns null also for a unit that the page at this address does not know */
async function findUnitAt(db: Db, code: Buffer | null, site: Site | null): Promise<ReportedUnit | null> {
  const unit = code === null ? null : await findReportedUnit(db, code);
  const orgId = site?.orgId ?? null;
  return orgId === null || unit?.org_id === orgId ? unit : null;
}

const eventOf = (report: NewReport, orgId: string, unit: ReportedUnit | null, { photos }: ReportDraft) => ({
  type: 'counterfeit_report.created' as const,
  orgId,
  productId: unit?.product_id ?? null,
  data: {
    reportId: encodeId('rep', report.id),
    productUnitId: encodeNullableId('unit', unit?.unit_id ?? null),
    productId: encodeNullableId('prod', unit?.product_id ?? null),
    productName: unit?.product_name ?? null,
    sku: unit?.sku ?? null,
    gtin: unit?.gtin ?? null,
    batchId: encodeNullableId('batch', unit?.batch_id ?? null),
    serial: unit?.serial ?? null,
    lot: unit?.lot ?? null,
    scanId: encodeNullableId('scan', report.scanId),
    message: report.description,
    purchasedFrom: report.purchasedFrom,
    price: report.price,
    country: report.country,
    photoCount: photos.length,
    hasContact: report.contactEmail !== null || report.contactName !== null,
    at: report.now.toISOString(),
  },
});

const noReport = (): AppError => new AppError('NOT_FOUND', { detail: 'no such report' });

/** @throws AppError NOT_FOUND */
export async function getReport(db: Db, orgId: string, id: string): Promise<ReportRow> {
  const report = await findReport(db, orgId, id);
  if (report === null) throw noReport();
  return report;
}

/** Until the transaction ends. @throws AppError NOT_FOUND */
export async function holdReport(db: Db, orgId: string, id: string): Promise<void> {
  if (!(await lockReport(db, orgId, id))) throw noReport();
}

export interface ReportChange extends Identification {
  status?: ReportStatus | undefined;
  resolution?: Resolution | undefined;
  /** UUID of a member of the organization; null takes the report from whoever has it. */
  assigneeId?: string | null | undefined;
  note?: string | undefined;
  /** UUID, null for nobody: nothing changes where the report is with somebody else by now. */
  expectedAssigneeId?: string | null | undefined;
  /** Nothing changes where the report has another status by now. */
  expectedStatus?: ReportStatus | undefined;
}

export interface ChangedReport {
  report: ReportRow;
  /** The case that was opened by it. */
  openedCase: CaseRow | null;
}

/**
 * Moves a report along, gives it to somebody, or says what it is about. Closing needs a resolution that fits; a closed report may be opened
 * again by moving it to `investigating`. A counterfeit of which the unit is known puts that under suspicion, with a case where it has none;
 * what becomes of the report afterwards, people decide the case.
 * @param author public id of who changes it and writes the note
 * @throws AppError NOT_FOUND, VALIDATION_FAILED; INVALID_TRANSITION where the expected status is no more, CONFLICT where the expected assignee is
 */
export async function changeReport(
  { clock }: { clock: Clock },
  db: Db,
  orgId: string,
  id: string,
  change: ReportChange,
  author: string,
): Promise<ChangedReport> {
  await holdReport(db, orgId, id);
  const before = await getReport(db, orgId, id);
  const status = change.status ?? before.status;
  if (change.expectedStatus !== undefined && change.expectedStatus !== before.status)
    throw movedMeanwhile('report', change.expectedStatus, before.status);
  refuseTaken('report', change.expectedAssigneeId, before.assignee_id, change.assigneeId);
  const isClosed = status === 'confirmed' || status === 'dismissed';
  const kept = status === before.status ? before.resolution : null;
  const resolution = change.resolution ?? kept;
  if (!isClosed && change.resolution !== undefined)
    throw invalidField(
      'resolution',
      refusal('ONLY_WHEN_CLOSED', `is for a report that is closed; this one is ${status}`, { status }),
    );
  if (isClosed && resolution === null)
    throw invalidField(
      'resolution',
      refusal('REQUIRED', `is needed: one of ${RESOLUTIONS[status].join(', ')}`),
    );
  if (isClosed && !(RESOLUTIONS[status] as readonly (Resolution | null)[]).includes(resolution))
    throw invalidField(
      'resolution',
      refusal('UNKNOWN_CHOICE', `must be one of ${RESOLUTIONS[status].join(', ')}`, {
        choices: [...RESOLUTIONS[status]],
      }),
    );
  const now = clock.now();
  const goods = await identifiedGoods(db, orgId, before, change);
  if (goods !== undefined) await updateGoods(db, id, goods, goods === null ? null : author, now);
  // A correction is a decision of its own, as it is of a case.
  const closedAt = !isClosed ? null : status === before.status ? before.closed_at : now;
  const assigneeId = change.assigneeId === undefined ? before.assignee_id : change.assigneeId;
  // Whoever has it keeps it, also one who has left since.
  if (change.assigneeId && change.assigneeId !== before.assignee_id)
    await requireAssignable(db, orgId, change.assigneeId);
  await updateReport(db, id, { status, resolution: isClosed ? resolution : null, assigneeId, closedAt }, now);
  if (change.note !== undefined)
    await insertNote(db, { id: newUuid(), orgId, reportId: id, author, text: change.note, now });
  const report = await getReport(db, orgId, id);
  const isNews =
    resolution === 'counterfeit' &&
    (before.resolution !== 'counterfeit' || report.unit_id !== before.unit_id);
  return { report, openedCase: isNews ? await openCaseOf({ clock }, db, orgId, report, author) : null };
}

async function openCaseOf(
  deps: { clock: Clock },
  db: Db,
  orgId: string,
  { id, unit_id: unitId, product_id: productId, batch_id: batchId }: ReportRow,
  author: string,
): Promise<CaseRow | null> {
  if (unitId === null || productId === null || batchId === null) return null;
  const unit = { id: unitId, product_id: productId, batch_id: batchId };
  return openCaseOfReport(deps, db, { id, orgId, unit }, author);
}

/** @throws AppError NOT_FOUND */
export async function addNote(
  { clock }: { clock: Clock },
  db: Db,
  actor: Actor,
  reportId: string,
  text: string,
): Promise<void> {
  await getReport(db, actor.orgId, reportId);
  await insertNote(db, {
    id: newUuid(),
    orgId: actor.orgId,
    reportId,
    author: authorOf(actor),
    text,
    now: clock.now(),
  });
}
