/**
 * Which of a unit's visitors made a scan, of those who did a certain thing with it. They are numbered from 1 then and there: what tells
 * them apart, session and network, goes from scans with retention, and counted anew from what it leaves one would become two.
 */
import type { Db } from '../db.ts';

/** Who made a scan, as far as it is kept. */
export interface Visitor {
  session_id: string | null;
  network_id: string | null;
}

/** What they did: the table that has a visitor's number beside the scan, and the rows of it that count. */
export type Doing = 'hidden-code' | 'nfc-tap';

const ROWS: Readonly<Record<Doing, { table: string; counted: string }>> = {
  'hidden-code': { table: 'hidden_code_entries', counted: 'is_right' },
  'nfc-tap': { table: 'nfc_taps', counted: 'true' },
};

/** Of the first, and of the newest, among which a visitor is looked for: one who does it without end does not make it dear. */
const KNOWN_ROWS = 100;

interface KnownRow extends Visitor {
  scan_id: string;
  visitor: number;
}

/** What was done with a unit, in order: so many of the first times, and of the newest, and with a scan itself. */
async function listKnown(
  db: Db,
  doing: Doing,
  { id, unit_id: unitId }: { id: string; unit_id: string },
): Promise<KnownRow[]> {
  const { table, counted } = ROWS[doing];
  const { rows } = await db.query<KnownRow>({
    name: `list-known-${doing}`,
    text: `select e.scan_id, e.visitor, s.session_id, s.network_id
             from ((select scan_id, at, visitor from ${table} where unit_id = $1 and ${counted} order by at, scan_id limit $2)
                   union
                   (select scan_id, at, visitor from ${table} where unit_id = $1 and ${counted}
                     order by at desc, scan_id desc limit $2)
                   union
                   select scan_id, at, visitor from ${table} where scan_id = $3 and ${counted}) e
             join scans s on s.id = e.scan_id
            order by e.at, e.scan_id`,
    values: [unitId, KNOWN_ROWS, id],
  });
  return rows;
}

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
  const rows = await listKnown(db, doing, scan);
  const own = rows.find((row) => row.scan_id === scan.id || (session !== null && row.session_id === session));
  const known = own ?? rows.find((row) => network !== null && row.network_id === network);
  return known === undefined ? null : { visitor: known.visitor, isSession: own !== undefined };
}
