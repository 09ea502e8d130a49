/** Recorded scans, as the organization reads them. */
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { findScan, type ScanRow } from './list-repository.ts';

export { findNewestSignals } from './evidence-repository.ts';

export { countScans, findScans, listScans, type ScanFilter, type ScanRow } from './list-repository.ts';
export { findCodeBySerial } from './repository.ts';

/** @throws AppError NOT_FOUND */
export async function getScan(db: Db, orgId: string, id: string): Promise<ScanRow> {
  const scan = await findScan(db, orgId, id);
  if (scan === null) throw new AppError('NOT_FOUND', { detail: 'no such scan' });
  return scan;
}
