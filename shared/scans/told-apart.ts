/**
 * Which of a unit's visitors made a scan, of those who did a certain thing with it. They are numbered from 1 then and there: what tells
 * them apart, session and network, goes from scans with retention, and counted anew from what it leaves one would become two.
 */
import type { Db } from '../db.ts';
import { listKnown, type Doing, type Visitor } from './told-apart-repository.ts';

/** Of the first, and of the newest, among which a visitor is looked for: one who does it without end does not make it dear. */
const KNOWN_ROWS = 100;

/** One of those who did it. */
export interface KnownVisitor {
  visitor: number;
  /** Known by the session, and not by the network alone. */
  isSession: boolean;
}

/** Which of them made a scan: a session is one visitor wherever it is, and so is a network. Null for one who is new. */
export async function findVisitor(
  db: Db,
  doing: Doing,
  scan: Visitor & { id: string; unit_id: string },
): Promise<KnownVisitor | null> {
  const { session_id: session, network_id: network } = scan;
  const rows = await listKnown(db, doing, scan, KNOWN_ROWS);
  const own = rows.find((row) => row.scan_id === scan.id || (session !== null && row.session_id === session));
  const known = own ?? rows.find((row) => network !== null && row.network_id === network);
  return known === undefined ? null : { visitor: known.visitor, isSession: own !== undefined };
}

export type { Visitor } from './told-apart-repository.ts';
