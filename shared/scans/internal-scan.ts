/** Scans from an organization's own networks: recorded and told of, neither judged nor counted (ADR 0140). */
import type { Clock } from '../clock.ts';
import { withTransaction, type Pool } from '../db.ts';
import { recordEvents } from '../events/service.ts';
import { isWithin } from '../places/cidrs.ts';
import type { Waker } from '../queues.ts';
import { insertInternalScan, type NewScan, type ScannedUnitRow } from './repository.ts';
import { dataOf } from './scan-events.ts';

/** Whether a visitor to a unit is at home with its organization. */
export const isInternal = ({ internal_networks: networks }: ScannedUnitRow, ip: string): boolean =>
  networks !== null && isWithin(networks, ip);

/** Its unit's row is not touched, so that it waits for no scoring, and no scoring for it. */
export const recordInternalScan = (
  deps: { db: Pool; clock: Clock; waker: Waker },
  scan: NewScan,
  unit: ScannedUnitRow,
): Promise<void> =>
  withTransaction(deps.db, async (uow) => {
    await insertInternalScan(uow.db, scan);
    const { orgId, productId } = scan;
    const row = { ...scan, accuracy_km: scan.accuracyKm, place_source: scan.placeSource };
    const data = { ...dataOf({ scan, row, unit }), isInternal: true };
    await recordEvents(deps, uow, [{ type: 'scan.recorded', orgId, productId, data }]);
  });
