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
  /** Public id of the user or the key; null for what the reporter sent. */
  added_by: string | null;
}

export interface WaitingPhoto {
  id: string;
  report_id: string;
  original_key: string;
  lease_epoch: number;
  attempts: number;
  created_at: Date;
}

export interface NewPhoto {
  id: string;
  position: number;
  key: string;
  /** Of a photo that the organization's own people add, by which it is known again. */
  sha256: Buffer | null;
}

export async function insertPhotos(
  db: Db,
  reportId: string,
  photos: readonly NewPhoto[],
  addedBy: string | null,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into counterfeit_report_photos (id, report_id, position, original_key, sha256, added_by, due_at, created_at)
     select t.id, $1, t.position, t.key, t.sha256, $7, $6, $6
       from unnest($2::uuid[], $3::smallint[], $4::text[], $5::bytea[]) as t (id, position, key, sha256)`,
    [
      reportId,
      photos.map(({ id }) => id),
      photos.map(({ position }) => position),
      photos.map(({ key }) => key),
      photos.map(({ sha256 }) => sha256),
      now,
      addedBy,
    ],
  );
}

/** What is there of a report's photos, to which some are added; `sha256s` of those that were not refused. */
export async function findPhotoFigures(
  db: Db,
  reportId: string,
): Promise<{ count: number; last: number; sha256s: Buffer[] }> {
  const { rows } = await db.query<{ count: number; last: number; sha256s: Buffer[] }>(
    `select count(*) as count, coalesce(max(position), 0) as last,
            coalesce(array_agg(sha256) filter (where sha256 is not null and state <> 'refused'), '{}') as sha256s
       from counterfeit_report_photos where report_id = $1`,
    [reportId],
  );
  return rows[0]!;
}

/** @returns the keys of its files; null where the report has no such photo. */
export async function deletePhoto(db: Db, reportId: string, id: string): Promise<string[] | null> {
  const { rows } = await db.query<{ original_key: string | null; storage_key: string | null }>(
    'delete from counterfeit_report_photos where report_id = $1 and id = $2 returning original_key, storage_key',
    [reportId, id],
  );
  const [photo] = rows;
  return photo === undefined ? null : [photo.original_key, photo.storage_key].filter((key) => key !== null);
}

export async function listPhotos(db: Db, reportId: string): Promise<PhotoRow[]> {
  const { rows } = await db.query<PhotoRow>(
    `select id, report_id, position, state, storage_key, bytes, width, height, problem, added_by
       from counterfeit_report_photos where report_id = $1 order by position`,
    [reportId],
  );
  return rows;
}

export async function findReadyPhoto(db: Db, id: string): Promise<PhotoRow | null> {
  const { rows } = await db.query<PhotoRow>(
    `select id, report_id, position, state, storage_key, bytes, width, height, problem, added_by
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
     returning id, report_id, original_key, lease_epoch, attempts, created_at`,
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
