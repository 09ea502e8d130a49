import type { Db } from '../db.ts';

export async function insertContactMessage(
  db: Db,
  message: { id: string; name: string; email: string; message: string; now: Date },
): Promise<void> {
  await db.query(
    'insert into contact_messages (id, name, email, message, created_at) values ($1, $2, $3, $4, $5)',
    [message.id, message.name, message.email, message.message, message.now],
  );
}

/** @returns how many. */
export async function deleteContactMessages(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query('delete from contact_messages where created_at < $1', [before]);
  return rowCount ?? 0;
}
