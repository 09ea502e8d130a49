/** What a consignment says of itself, mended while it is a draft. */
import type { Db } from '../db.ts';
import { AppError, refuseOvertaken } from '../errors.ts';
import { given } from '../given.ts';
import { setConsignment, type ConsignmentFields, type ConsignmentRow } from './repository.ts';
import {
  fieldsOfConsignment,
  getConsignment,
  lockAndGetConsignment,
  refuseTakenSscc,
  statusOf,
} from './service.ts';

type SomeFields = { [Field in keyof ConsignmentFields]?: ConsignmentFields[Field] | undefined };

/**
 * Corrects what is known of a draft; what is not given stays. Its units, and a job that is adding some, are left alone.
 * @param change with `expected`, only where these fields still have these values
 * @throws AppError NOT_FOUND; CONFLICT where it is no draft, for an SSCC that another open consignment has, or where a field is
 *   not what was expected
 */
export async function correctConsignment(
  db: Db,
  orgId: string,
  id: string,
  { expected, ...changes }: SomeFields & { expected?: SomeFields | undefined },
): Promise<ConsignmentRow> {
  const current = await lockAndGetConsignment(db, orgId, id);
  const status = statusOf(current);
  if (status !== 'draft')
    throw new AppError('CONFLICT', { detail: `a draft is corrected; this consignment is ${status}` });
  const fields = fieldsOfConsignment(current);
  refuseOvertaken(expected, fields, changes);
  await setConsignment(db, orgId, id, { ...fields, ...given(changes) }).catch(refuseTakenSscc);
  return getConsignment(db, orgId, id);
}
