/**
 * Blocking an organization: what whoever runs the service does where somebody has signed up as a brand that is not theirs. Its people and
 * keys are refused, and its codes are nobody's, as if they had been made up; what it has stays, for whoever has to look into it.
 */
import { OPERATOR, recordAudit } from '../audit/service.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { encodeId } from '../ids.ts';
import { findBlock, setBlock } from './repository.ts';

const MAX_REASON = 500;

type BlockAction = 'blockOrganization' | 'unblockOrganization';

/**
 * @param reason for the operators themselves; null takes a block back.
 * @returns whether that changed anything
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
export async function blockOrganization(
  deps: { clock: Clock },
  db: Db,
  orgId: string,
  reason: string | null,
): Promise<boolean> {
  const given = reason === null ? null : reason.trim();
  if (given !== null && (given === '' || given.length > MAX_REASON))
    throw invalidField(
      'reason',
      refusal('WRONG_LENGTH', `must have 1 to ${MAX_REASON} characters`, { minimum: 1, maximum: MAX_REASON }),
    );
  const before = await findBlock(db, orgId);
  if (before === null) throw new AppError('NOT_FOUND', { detail: 'no such organization' });
  if (before.block_reason === given) return false;
  await setBlock(db, orgId, given, deps.clock.now());
  const action: BlockAction = given === null ? 'unblockOrganization' : 'blockOrganization';
  await recordAudit(deps, db, {
    orgId,
    actor: OPERATOR,
    action,
    resource: encodeId('org', orgId),
    origin: null,
    before: { reason: before.block_reason },
    after: { reason: given },
  });
  return true;
}
