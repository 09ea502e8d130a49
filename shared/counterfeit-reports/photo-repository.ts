import type { Db } from '../db.ts';

export interface PhotoRow {
  id: string;
  report_id: string;
  position: number;
  state: 'waiting' | 'ready' | 'refused';
  storage_key: string | null;
  bytes: number | null;
  width: number | null;
  height: number | null;
  problem: string | null;
}

export interface WaitingPhoto {
  id: string;
  report_id: string;
  position: number;
  original_key: string;
  lease_epoch: number;
  attempts: number;
  created_at: Date;
}

export async function insertPhotos(
  db: Db,
  reportId: string,
  photos: readonly { id: string; position: number; key: string }[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into counterfeit_report_photos (id, report_id, position, original_key, due_at, created_at)
     select t.id, $1, t.position, t.key, $5, $5 from unnest($2::uuid[], $3::smallint[], $4::text[]) as t (id, position, key)`,
    [
      reportId,
      photos.map(({ id }) => id),
      photos.map(({ position }) => position),
      photos.map(({ key }) => key),
      now,
    ],
  );
}

export async function listPhotos(db: Db, reportId: string): Promise<PhotoRow[]> {
  const { rows } = await db.query<PhotoRow>(
    `select id, report_id, position, state, storage_key, bytes, width, height, problem
       from counterfeit_report_photos where report_id = $1 order by position`,
    [reportId],
  );
  return rows;
}

export async function findReadyPhoto(db: Db, id: string): Promise<PhotoRow | null> {
  const { rows } = await db.query<PhotoRow>(
    `select id, report_id, position, state, storage_key, bytes, width, height, problem
       from counterfeit_report_photos where id = $1 and state = 'ready'`,
    [id],
  );
  return rows[0] ?? null;
}

export async function claimPhoto(db: Db, now: Date, leaseUntil: Date): Promise<WaitingPhoto | null> {
  const { rows } = await db.query<WaitingPhoto>(
    `update counterfeit_report_photos
        set lease_until = $2, lease_epoch = lease_epoch + 1, attempts = attempts + 1
      where id = (select id from counterfeit_report_photos
                   where state = 'waiting' and due_at <= $1 and (lease_until is null or lease_until <= $1)
                   order by due_at limit 1 for update skip locked)
     returning id, report_id, position, original_key, lease_epoch, attempts, created_at`,
    [now, leaseUntil],
  );
  return rows[0] ?? null;
}

/** @returns whether it was still this worker's. */
export async function markPhotoReady(
  db: Db,
  photo: WaitingPhoto,
  image: { storageKey: string; bytes: number; width: number; height: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update counterfeit_report_photos
        set state = 'ready', original_key = null, storage_key = $3, bytes = $4, width = $5, height = $6, lease_until = null
      where id = $1 and lease_epoch = $2 and state = 'waiting'`,
    [photo.id, photo.lease_epoch, image.storageKey, image.bytes, image.width, image.height],
  );
  return rowCount === 1;
}

/** @returns whether it was still this worker's. */
export async function markPhotoRefused(db: Db, photo: WaitingPhoto, problem: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update counterfeit_report_photos set state = 'refused', original_key = null, problem = $3, lease_until = null
      where id = $1 and lease_epoch = $2 and state = 'waiting'`,
    [photo.id, photo.lease_epoch, problem],
  );
  return rowCount === 1;
}

/** A sign of life. One that comes late extends nothing that was given back. */
export async function extendPhotoLease(db: Db, photo: WaitingPhoto, leaseUntil: Date): Promise<void> {
  await db.query(
    `update counterfeit_report_photos set lease_until = $3
      where id = $1 and lease_epoch = $2 and state = 'waiting' and lease_until is not null`,
    [photo.id, photo.lease_epoch, leaseUntil],
  );
}

/** Gives a photo back, to be due again at `dueAt`. @param counts whether the attempt does */
export async function releasePhoto(db: Db, photo: WaitingPhoto, dueAt: Date, counts: boolean): Promise<void> {
  await db.query(
    `update counterfeit_report_photos set lease_until = null, due_at = $3, attempts = attempts - $4
      where id = $1 and lease_epoch = $2 and state = 'waiting'`,
    [photo.id, photo.lease_epoch, dueAt, counts ? 0 : 1],
  );
}

export async function countDuePhotos(db: Db, now: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from counterfeit_report_photos
      where state = 'waiting' and due_at <= $1 and (lease_until is null or lease_until <= $1)`,
    [now],
  );
  return rows[0]!.count;
}
