/**
 * Reports about codes of an organization of which nobody has confirmed who it is: it may be an imitator, and then nobody but itself
 * would ever hear of them. So whoever runs the service does, too.
 */
import type { UnitOfWork } from '../db.ts';
import { encodeId } from '../ids.ts';
import { reportOfUnconfirmed } from '../mail/messages.ts';
import { postMail, type OutboxDeps } from '../mail/outbox.ts';
import type { FiledReport, ReportDraft } from './service.ts';

export async function tellOperator(
  deps: OutboxDeps,
  uow: UnitOfWork,
  /** `operatorEmail`: null where nobody is to be mailed. `signUp`: `closed` where the operator knows all organizations. */
  { operatorEmail, signUp }: { operatorEmail: string | null; signUp: 'open' | 'closed' },
  { id, isNew, organization }: FiledReport,
  { description, brand }: ReportDraft,
): Promise<void> {
  if (operatorEmail === null || signUp === 'closed' || !isNew) return;
  if (organization === null || organization.domain !== null) return;
  const message = reportOfUnconfirmed({
    organizationId: encodeId('org', organization.id),
    organizationName: organization.name,
    reportId: encodeId('rep', id),
    brand,
    description,
  });
  await postMail(deps, uow, 'report-of-unconfirmed', operatorEmail, message);
}
