import type { Db } from '../db.ts';
import { NIL_UUID } from '../ids.ts';

/** Holds the rule's mark until the transaction ends. */
export async function lockMark(db: Db, rule: string): Promise<string> {
  await db.query('insert into retention_marks (rule, up_to) values ($1, $2) on conflict do nothing', [
    rule,
    NIL_UUID,
  ]);
  const { rows } = await db.query<{ up_to: string }>(
    'select up_to from retention_marks where rule = $1 for update',
    [rule],
  );
  return rows[0]!.up_to;
}

export async function moveMark(db: Db, rule: string, upTo: string): Promise<void> {
  await db.query('update retention_marks set up_to = $2 where rule = $1', [rule, upTo]);
}
