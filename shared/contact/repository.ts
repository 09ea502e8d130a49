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
