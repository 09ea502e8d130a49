/**
 * Domains of organizations. Whoever signs up may call themselves what they like, and have codes made whose pages say that name; that an
 * organization holds a domain is the one thing about it that can be shown to a stranger. It does so by a TXT record that only the
 * domain's holder can set (ADR 137).
 */
import { OPERATOR, recordAudit, type AuditActor } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Db, UnitOfWork } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId } from '../ids.ts';
import type { Waker } from '../queues.ts';
import { parseDomain } from './names.ts';
import { deleteDomain, findDomain, replaceDomain, requestLook, type DomainRow } from './repository.ts';

export { countDueDomains, findDomain, type DomainRow } from './repository.ts';
export { challengeName, parseDomain, shownDomain } from './names.ts';
export { lapsesAt } from './schedule.ts';

/** Name of the operator in the audit log where the service itself has looked. */
export const DOMAIN_CHECK = 'domain check';

const RECORD_BYTES = 20;

export interface DomainDeps {
  clock: Clock;
  random(bytes: number): Buffer;
  waker: Pick<Waker, 'checkDomains'>;
}

/** @throws AppError NOT_FOUND where the organization has named none */
export async function getDomain(db: Db, orgId: string): Promise<DomainRow> {
  return orNone(await findDomain(db, orgId));
}

/** @returns the name of the domain that counts, or null */
export async function confirmedDomain(db: Db, orgId: string): Promise<string | null> {
  const row = await findDomain(db, orgId);
  return row === null || row.confirmed_at === null ? null : row.name;
}

const NONE = { detail: 'the organization has named no domain' };

function orNone(row: DomainRow | null): DomainRow {
  if (row === null) throw new AppError('NOT_FOUND', NONE);
  return row;
}

/** Names the organization's domain, to be looked for at once. The one that it has already stays as it is. @param name of `parseDomain` */
export async function nameDomain(
  deps: DomainDeps,
  { db, afterCommit }: UnitOfWork,
  orgId: string,
  name: string,
): Promise<DomainRow> {
  const current = await findDomain(db, orgId);
  if (current?.name === name) return current;
  const now = deps.clock.now();
  afterCommit(() => deps.waker.checkDomains());
  return replaceDomain(db, {
    org_id: orgId,
    name,
    record: newRecord(deps),
    confirmed_at: null,
    confirmed_by: null,
    due_at: now,
    now,
  });
}

/** Looks for the record now. @throws AppError NOT_FOUND */
export async function askForLook(
  deps: DomainDeps,
  { db, afterCommit }: UnitOfWork,
  orgId: string,
): Promise<DomainRow> {
  const row = orNone(await requestLook(db, orgId, deps.clock.now()));
  afterCommit(() => deps.waker.checkDomains());
  return row;
}

/** @throws AppError NOT_FOUND */
export async function removeDomain(db: Db, orgId: string): Promise<void> {
  if (!(await deleteDomain(db, orgId))) throw new AppError('NOT_FOUND', NONE);
}

/** On the operator's word, without a record. @throws AppError VALIDATION_FAILED */
export async function confirmDomainByOperator(
  deps: Omit<DomainDeps, 'waker'>,
  db: Db,
  orgId: string,
  given: string,
): Promise<DomainRow> {
  const name = parseDomain(given);
  if (name === null) throw invalidField('domain', NOT_A_DOMAIN);
  const now = deps.clock.now();
  const row = await replaceDomain(db, {
    org_id: orgId,
    name,
    record: newRecord(deps),
    confirmed_at: now,
    confirmed_by: 'operator',
    due_at: null,
    now,
  });
  await recordDomainAudit(deps, db, row, 'confirmDomain', OPERATOR);
  return row;
}

export const NOT_A_DOMAIN = refusal('NOT_A_DOMAIN', 'is not the name of a domain, such as example.com');

/** What happens to a domain without anybody’s request. */
export type DomainNews = 'confirmDomain' | 'lapseDomain';

export const recordDomainAudit = (
  deps: { clock: Clock },
  db: Db,
  { org_id: orgId, name }: DomainRow,
  action: DomainNews,
  actor: AuditActor,
): Promise<void> =>
  recordAudit(deps, db, {
    orgId,
    actor,
    action,
    resource: encodeId('org', orgId),
    origin: null,
    before: null,
    after: { name, status: action === 'confirmDomain' ? 'confirmed' : 'lapsed' },
  });

/** 160 random bits, in letters that every name server's form takes. */
const newRecord = ({ random }: Pick<DomainDeps, 'random'>): string =>
  `touchstone=${random(RECORD_BYTES).toString('hex')}`;
