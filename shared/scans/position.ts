/**
 * A visitor's own position, added to the scan just made, once, through a nonce that only that scan's page had. Where the scan's
 * address backs it, the scan is moved there and scored once more, with the unit's history in order.
 *
 * A position can be invented; so it moves one visitor, who stays one network, and no farther than the address may be wrong.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { UnitOfWork } from '../db.ts';
import { AppError } from '../errors.ts';
import type { Waker } from '../queues.ts';
import { countryOf } from '../risk/markets.ts';
import { backedPlace } from './claimed-position.ts';
import { findScanForPosition, moveScan, setClaim } from './position-repository.ts';
import { findCounted, holdProfile, scoreAgain } from './score-again.ts';

/** Time between scan and position: to read the page, press the button and answer the browser's question. */
export const POSITION_WINDOW_MS = 10 * 60_000;
const MAC_BYTES = 16;
const UUID_BYTES = 16;
// As a position is cut to three decimals.
const FINEST_KM = 0.1;

export interface PositionDeps {
  clock: Clock;
  waker: Waker;
  /** Key of the nonces. */
  nonceKey: Buffer;
}

export interface Position {
  lat: number;
  lon: number;
  /** Radius in metres, as browsers give it. */
  accuracyM: number;
}

/** To 100 m. The page has done so before; of whoever else sends a position no more is kept than is said of it. */
const cut = (degrees: number): number => Math.round(degrees * 1000) / 1000;

/** The nonces' own key. */
export const nonceKey = (pepper: string): Buffer =>
  createHmac('sha256', pepper).update('touchstone:position-nonces').digest();

const macOf = (key: Buffer, scan: Buffer): Buffer =>
  createHmac('sha256', key).update(scan).digest().subarray(0, MAC_BYTES);

/** The nonce of one scan: its id and a MAC (128 bits) over it. That it works once is the scan's own state. */
export function positionNonce(key: Buffer, scanId: string): string {
  const scan = Buffer.from(scanId.replaceAll('-', ''), 'hex');
  return Buffer.concat([scan, macOf(key, scan)]).toString('base64url');
}

/** @returns the UUID of the nonce's scan, or null where the nonce is none of ours. */
function scanOfNonce(key: Buffer, nonce: string): string | null {
  const bytes = Buffer.from(nonce, 'base64url');
  if (bytes.length !== UUID_BYTES + MAC_BYTES) return null;
  const scan = bytes.subarray(0, UUID_BYTES);
  if (!timingSafeEqual(macOf(key, scan), bytes.subarray(UUID_BYTES))) return null;
  return scan.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * @param code of the token in the request's path; the nonce must be of a scan of this unit.
 * @throws AppError FORBIDDEN for a nonce that is wrong or too old, CONFLICT for one that was used
 */
export async function addPosition(
  { clock, waker, nonceKey }: PositionDeps,
  uow: UnitOfWork,
  code: Buffer | null,
  nonce: string,
  position: Position,
): Promise<void> {
  const { db } = uow;
  const scanId = scanOfNonce(nonceKey, nonce);
  const scan = scanId === null || code === null ? null : await findScanForPosition(db, scanId, code);
  if (scan === null)
    throw new AppError('FORBIDDEN', { detail: 'this nonce belongs to no scan of this code' });
  const now = clock.now();
  if (now.getTime() - scan.at.getTime() > POSITION_WINDOW_MS)
    throw new AppError('FORBIDDEN', { detail: 'the scan is too old to add a position to' });
  await holdProfile(db, scan.unit_id);
  const accuracyKm = Math.max(FINEST_KM, position.accuracyM / 1000);
  const claim = { lat: cut(position.lat), lon: cut(position.lon), accuracyKm };
  const before = await findCounted(db, scan.id);
  const isFirst = await setClaim(db, scan.id, claim);
  if (!isFirst) throw new AppError('CONFLICT', { detail: 'this scan has a position already' });
  const place = backedPlace(claim, before);
  if (place === null) return;
  await moveScan(db, scan.id, { ...place, country: countryOf({ ...claim, country: null }) });
  await scoreAgain({ waker }, uow, scan.id, before, now);
}
