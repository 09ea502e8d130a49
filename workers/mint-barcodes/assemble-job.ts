/** The last chunk of a job: the parts of the code lists joined, and a manifest with the checksum of everything. */
import {
  doneEpochsOf,
  settleJob,
  type ChunkDeps,
  type ClaimedChunk,
  type StoredArtifact,
} from '../../shared/barcode-jobs/chunks.ts';
import { listArtifacts } from '../../shared/barcode-jobs/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { disownFile, removeFiles } from '../../shared/storage/intake.ts';
import { putOrBlame, readOrBlame } from '../../shared/storage/storage-failure.ts';
import type { WorkerDeps } from '../deps.ts';
import { csvHeader } from './code-lists.ts';
import { folderOf, partKey } from './process-chunk.ts';

const LISTS = [
  { extension: 'csv', mediaType: 'text/csv; charset=utf-8' },
  { extension: 'ndjson', mediaType: 'application/x-ndjson' },
] as const;

/** @throws LostChunkError, StorageFailedError, or what Postgres throws; the parts stay until the job is settled. */
export async function assembleJob(
  deps: WorkerDeps,
  chunkDeps: ChunkDeps,
  chunk: ClaimedChunk,
): Promise<void> {
  const { db, storage, clock } = deps;
  const folder = folderOf(chunk);
  const epochs = await doneEpochsOf(chunkDeps, chunk.job_id);
  const partFolders = epochs.map((lease_epoch, index) => folderOf({ ...chunk, index, lease_epoch }));
  const codes = await Promise.all(
    LISTS.map(async ({ extension, mediaType }): Promise<StoredArtifact> => {
      const name = `codes.${extension}`;
      const storageKey = `${folder}/${name}`;
      const header = extension === 'csv' ? csvHeader(chunk) : '';
      const stored = await putOrBlame(storage, storageKey, joinParts(deps, partFolders, extension, header));
      return { ...stored, kind: 'codes', name, mediaType, storageKey };
    }),
  );
  const parts = await listArtifacts(db, [chunk.job_id]);
  const { look, sheet, serials } = chunk.options;
  const manifest = {
    jobId: encodeId('job', chunk.job_id),
    batchId: encodeId('batch', chunk.batch_id),
    symbology: chunk.symbology,
    formats: chunk.formats,
    options: { ...look, sheet, serials: serials.source },
    units: chunk.total,
    hiddenCodes: chunk.hidden_codes,
    nfcTags: chunk.nfc_tags,
    createdAt: clock.now().toISOString(),
    files: [...codes, ...parts].map(({ kind, name, bytes, sha256 }) => ({ kind, name, bytes, sha256 })),
  };
  const name = 'manifest.json';
  const storageKey = `${folder}/${name}`;
  const stored = await putOrBlame(storage, storageKey, [
    Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
  ]);
  await settleJob(chunkDeps, chunk, [
    ...codes,
    { ...stored, kind: 'manifest', name, mediaType: 'application/json', storageKey },
  ]);
  await removeAfter(deps, [
    ...partFolders.flatMap((part) => LISTS.map(({ extension }) => partKey(part, extension))),
    ...lostFolders(chunk, [...epochs, chunk.lease_epoch]),
  ]);
}

/** What nothing names any more. The job is completed: a storage that fails now changes nothing about it. */
async function removeAfter({ db, clock, storage, log }: WorkerDeps, keys: readonly string[]): Promise<void> {
  for (const [index, key] of keys.entries()) {
    try {
      await removeFiles(storage, key);
    } catch (error) {
      log.warn({ err: error }, 'files of a completed job are left to maintenance');
      for (const left of keys.slice(index)) await disownFile(db, left, clock.now());
      return;
    }
  }
}

/** What workers left that were killed, or lost their lease, before the one that settled. */
const lostFolders = (chunk: ClaimedChunk, settled: readonly number[]): string[] =>
  settled.flatMap((epoch, index) =>
    Array.from(
      { length: epoch - 1 },
      (_, before) => `${folderOf({ ...chunk, index, lease_epoch: before + 1 })}/`,
    ),
  );

async function* joinParts(
  { storage, stopping }: WorkerDeps,
  partFolders: readonly string[],
  extension: 'csv' | 'ndjson',
  header: string,
): AsyncGenerator<Uint8Array> {
  if (header !== '') yield Buffer.from(header);
  for (const folder of partFolders) {
    stopping.throwIfAborted();
    yield* readOrBlame(storage, partKey(folder, extension));
  }
}
