/** Looks for the records of the domains that are due, and settles what that means. */
import { OPERATOR } from '../audit/service.ts';
import { withTransaction, type Pool, type UnitOfWork } from '../db.ts';
import { domainLapsed, domainMissing } from '../mail/messages.ts';
import { postMail, type OutboxDeps } from '../mail/outbox.ts';
import { listAdministrators } from '../users/service.ts';
import type { LookUpTxt } from './dns.ts';
import { challengeName, shownDomain } from './names.ts';
import { claimDomains, lockClaimed, storeLook, type DomainRow } from './repository.ts';
import { afterLook, lapsesAt, type Finding, type Look } from './schedule.ts';
import { DOMAIN_CHECK, recordDomainAudit } from './service.ts';

export interface CheckDeps extends OutboxDeps {
  db: Pool;
  lookUpTxt: LookUpTxt;
  leaseSeconds: number;
}

/** Looked for side by side: each may have to wait for a name server that does not answer. */
const AT_A_TIME = 20;

/** @returns how many domains were looked at; 0 where none is due. */
export async function checkDueDomains(deps: CheckDeps): Promise<number> {
  const now = deps.clock.now();
  const leaseUntil = new Date(now.getTime() + deps.leaseSeconds * 1000);
  const claimed = await claimDomains(deps.db, AT_A_TIME, now, leaseUntil);
  const looks = claimed.map(async (row) => settle(deps, row, await lookFor(deps, row)));
  const failed = (await Promise.allSettled(looks)).find((look) => look.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return claimed.length;
}

async function lookFor({ lookUpTxt }: CheckDeps, { name, record }: DomainRow): Promise<Finding> {
  const answer = await lookUpTxt(challengeName(name));
  if ('problem' in answer) return answer.problem;
  if (answer.records.some((text) => text.trim() === record)) return 'FOUND';
  return answer.records.length === 0 ? 'NO_RECORD' : 'OTHER_RECORD';
}

/** One that was replaced or removed meanwhile is left alone. */
async function settle(deps: CheckDeps, claimed: DomainRow, finding: Finding): Promise<void> {
  await withTransaction(deps.db, async (uow) => {
    const row = await lockClaimed(uow.db, claimed);
    if (row === null) return;
    const now = deps.clock.now();
    const { changes, news } = afterLook(row, finding, now);
    // A look that somebody asked for while this one was under way is still to come.
    const due_at = row.requested_at > claimed.requested_at ? row.due_at : changes.due_at;
    const after = { ...row, ...changes, due_at };
    await storeLook(uow.db, after, now);
    if (news !== null) await tell(deps, uow, after, news);
  });
}

async function tell(
  deps: CheckDeps,
  uow: UnitOfWork,
  row: DomainRow,
  news: NonNullable<Look['news']>,
): Promise<void> {
  if (news !== 'missing') {
    const action = news === 'confirmed' ? 'confirmDomain' : 'lapseDomain';
    await recordDomainAudit(deps, uow.db, row, action, { ...OPERATOR, name: DOMAIN_CHECK });
  }
  if (news === 'confirmed') return;
  const domain = shownDomain(row.name);
  for (const { email, language } of await listAdministrators(uow.db, row.org_id)) {
    const message =
      news === 'missing'
        ? domainMissing(language, domain, challengeName(row.name), row.record, lapsesAt(row)!)
        : domainLapsed(language, domain);
    await postMail(deps, uow, `domain-${news}`, email, message);
  }
}
