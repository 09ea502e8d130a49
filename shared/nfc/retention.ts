/** How long taps of NFC tags are kept: as long as scans, but for what tells that a tag has counted on. */
import type { Clock } from '../clock.ts';
import type { Pool } from '../db.ts';
import { RETENTION_BATCH, walkAged } from '../retention/walk.ts';
import { deleteOldTaps } from './repository.ts';

/**
 * Forgets the taps of scans that are `days` old. Of each unit the latest new one stays: by it every tap of before is known as used.
 * @returns of how many scans taps were looked at
 */
export const forgetOldTaps = (
  deps: { db: Pool; clock: Clock },
  days: number,
  batch = RETENTION_BATCH,
): Promise<number> => walkAged(deps, 'nfc-taps', deleteOldTaps, days, batch);
