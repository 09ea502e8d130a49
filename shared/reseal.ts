/**
 * Seals secrets again that an older key of the ring sealed, so that the key can be retired. Each kind of secret says where its
 * texts are; this is what to do with them.
 */
import type { Db } from './db.ts';
import { NIL_UUID } from './ids.ts';
import { listStale, replaceSealed, type SealedColumn } from './reseal-repository.ts';
import { SecretBoxError, type SecretBox, type SecretOwner } from './secret-box.ts';

export interface SealedRow {
  /** UUID of the row. */
  id: string;
  sealed: string;
  owner: SecretOwner;
}

export interface SealedKind {
  /** Up to `limit` rows after `afterId`, in the order of ids, whose text does not begin with `currentPrefix`. */
  listStale(db: Db, currentPrefix: string, afterId: string, limit: number): Promise<SealedRow[]>;
  /** Puts `resealed` in the place of `row.sealed`, unless that was replaced meanwhile. */
  replace(db: Db, row: SealedRow, resealed: string): Promise<void>;
}

/** The kind whose texts are in a column of a table whose rows name their organization. */
export const sealedIn = (
  column: SealedColumn,
  ownerOf: (row: { id: string; org_id: string }) => SecretOwner,
): SealedKind => ({
  listStale: async (db, ...page) =>
    (await listStale(db, column, ...page)).map((row) => ({
      id: row.id,
      sealed: row.sealed,
      owner: ownerOf(row),
    })),
  replace: (db, row, resealed) => replaceSealed(db, column, row, resealed),
});

const PAGE = 500;

/** @returns how many were sealed again, and how many do not open: their key is not in the ring. */
export async function resealStale(
  { db, secretBox }: { db: Db; secretBox: SecretBox },
  kinds: readonly SealedKind[],
): Promise<{ resealed: number; unreadable: number }> {
  const report = { resealed: 0, unreadable: 0 };
  for (const kind of kinds) {
    let afterId = NIL_UUID;
    for (;;) {
      const rows = await kind.listStale(db, secretBox.currentPrefix, afterId, PAGE);
      for (const row of rows) {
        const resealed = resealOne(secretBox, row);
        if (resealed === null) report.unreadable += 1;
        else {
          await kind.replace(db, row, resealed);
          report.resealed += 1;
        }
      }
      if (rows.length < PAGE) break;
      afterId = rows.at(-1)!.id;
    }
  }
  return report;
}

function resealOne(secretBox: SecretBox, { sealed, owner }: SealedRow): string | null {
  try {
    return secretBox.seal(secretBox.open(sealed, owner), owner);
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
