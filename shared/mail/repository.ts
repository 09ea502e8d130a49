import type { Db } from '../db.ts';

export interface ClaimedMailRow {
  id: string;
  kind: string;
  sealed: string;
  /** With this one. */
  attempts: number;
  expires_at: Date | null;
  lease_epoch: number;
}

/** A mail with `sealed: null` is written and never sent: its row is there so that its absence tells nothing. */
export async function insertMail(
  db: Db,
  mail: { id: string; kind: string; sealed: string | null; expiresAt: Date | null; now: Date },
): Promise<void> {
  await db.query(
    `insert into mails (id, kind, state, sealed, due_at, created_at, settled_at, expires_at)
     values ($1, $2, $3, $4, $5, $5, $6, $7)`,
    [
      mail.id,
      mail.kind,
      mail.sealed === null ? 'discarded' : 'pending',
      mail.sealed,
      mail.now,
      mail.sealed === null ? mail.now : null,
      mail.expiresAt,
    ],
  );
}

/** In the order in which they are due, but summaries of weeks after all others: there are many at once, and nobody waits for them. */
export async function claimDueMails(
  db: Db,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<ClaimedMailRow[]> {
  const { rows } = await db.query<ClaimedMailRow>(
    `update mails set lease_until = $2, lease_epoch = lease_epoch + 1, attempts = attempts + 1
      where id in (select id from mails
                    where state = 'pending' and due_at <= $1 and (lease_until is null or lease_until <= $1)
                    order by (kind = 'summary'), due_at, id
                    for update skip locked
                    limit $3)
     returning id, kind, sealed, attempts, lease_epoch, expires_at`,
    [now, leaseUntil, limit],
  );
  // In the order in which they were written: `returning` promises none.
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Ends a mail and throws its content away. Nothing happens where the lease was lost. */
export async function markMailSettled(
  db: Db,
  mail: { id: string; leaseEpoch: number },
  outcome: { state: 'sent' | 'failed'; error: string | null; now: Date },
): Promise<void> {
  await db.query(
    `update mails set state = $3, sealed = null, lease_until = null, last_error = $4, settled_at = $5
      where id = $1 and lease_epoch = $2 and state = 'pending'`,
    [mail.id, mail.leaseEpoch, outcome.state, outcome.error, outcome.now],
  );
}

/** Throws one away that nobody is to get any more; nothing happens where it went out, or there is none. */
export async function discardMail(db: Db, id: string, now: Date): Promise<void> {
  await db.query(
    `update mails set state = 'discarded', sealed = null, lease_until = null, settled_at = $2
      where id = $1 and state = 'pending'`,
    [id, now],
  );
}

export async function postponeMail(
  db: Db,
  mail: { id: string; leaseEpoch: number },
  dueAt: Date,
  error: string,
): Promise<void> {
  await db.query(
    `update mails set due_at = $3, lease_until = null, last_error = $4
      where id = $1 and lease_epoch = $2 and state = 'pending'`,
    [mail.id, mail.leaseEpoch, dueAt, error],
  );
}

/** Since when the oldest mail waits that was not sent, tried or not; null where none does. */
export async function findOldestUnsent(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `select min(created_at) as at from mails where state = 'pending'`,
  );
  return rows[0]?.at ?? null;
}

/** When the next mail that nobody holds is due; null where none waits. */
export async function findNextDueAt(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `select min(greatest(due_at, coalesce(lease_until, due_at))) as at from mails where state = 'pending'`,
  );
  return rows[0]?.at ?? null;
}

export async function deleteSettledMails(db: Db, before: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from mails where state <> 'pending' and settled_at <= $1`, [
    before,
  ]);
  return rowCount ?? 0;
}

/** Mails that wait and that another key than the current one sealed, in the order of ids. */
export async function listStaleMails(
  db: Db,
  currentPrefix: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; sealed: string }[]> {
  const { rows } = await db.query<{ id: string; sealed: string }>(
    `select id, sealed from mails
      where state = 'pending' and id > $2 and not starts_with(sealed, $1)
      order by id
      limit $3`,
    [currentPrefix, afterId, limit],
  );
  return rows;
}

export async function replaceSealedMail(
  db: Db,
  row: { id: string; sealed: string },
  resealed: string,
): Promise<void> {
  await db.query('update mails set sealed = $3 where id = $1 and sealed = $2', [
    row.id,
    row.sealed,
    resealed,
  ]);
}
