import type { Db } from '../db.ts';

/** Who made a scan, as far as it is kept. */
export interface Visitor {
  session_id: string | null;
  network_id: string | null;
}

/** What they did: the table that has a visitor's number beside the scan, and the rows of it that count. */
export type Doing = 'hidden-code' | 'nfc-replay';

const ROWS: Readonly<Record<Doing, { table: string; counted: string }>> = {
  'hidden-code': { table: 'hidden_code_entries', counted: 'is_right' },
  // How many come with a new tap is nobody's question, and a display's are many.
  'nfc-replay': { table: 'nfc_taps', counted: 'stale_since is not null and not is_linked' },
};

export interface KnownRow extends Visitor {
  scan_id: string;
  visitor: number;
}

/** What was done with a unit, in order: so many of the first times, and of the newest, and with a scan itself. */
export async function listKnown(
  db: Db,
  doing: Doing,
  { id, unit_id: unitId }: { id: string; unit_id: string },
  limit: number,
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
    values: [unitId, limit, id],
  });
  return rows;
}
