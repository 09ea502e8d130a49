/** The position that the visitor of a page adds to the scan just made. */
import type { z } from 'zod';
import type { UnitOfWork } from '../../shared/db.ts';
import { addPosition, nonceKey } from '../../shared/scans/position.ts';
import type { ApiDeps } from '../deps.ts';
import { noContent, type Reply } from '../operation.ts';
import type { positionBody } from './schema.ts';

/** @param code of the unit whose page it was; null where the path names none */
export async function addPositionOf(
  { clock, waker, config }: ApiDeps,
  uow: UnitOfWork,
  code: Buffer | null,
  { nonce, ...position }: z.output<typeof positionBody>,
): Promise<Reply> {
  const deps = { clock, waker, nonceKey: nonceKey(config.API_KEY_PEPPER) };
  await addPosition(deps, uow, code, nonce, position);
  return noContent();
}
