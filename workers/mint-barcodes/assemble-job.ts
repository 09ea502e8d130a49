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
import type { WorkerDeps } from '../deps.ts';
import { CSV_HEADER } from './code-lists.ts';
import { folderOf, partKey } from './process-chunk.ts';

const LISTS = [
  { extension: 'csv', header: CSV_HEADER, mediaType: 'text/csv; charset=utf-8' },
  { extension: 'ndjson', header: '', mediaType: 'application/x-ndjson' },
] as const;

/** @throws LostChunkError, or what Postgres and the storage throw; the parts stay until the job is settled. */
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
    LISTS.map(async ({ extension, header, mediaType }): Promise<StoredArtifact> => {
      const name = `codes.${extension}`;
      const storageKey = `${folder}/${name}`;
      const stored = await storage.put(storageKey, joinParts(deps, partFolders, extension, header));
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
    createdAt: clock.now().toISOString(),
    files: [...codes, ...parts].map(({ kind, name, bytes, sha256 }) => ({ kind, name, bytes, sha256 })),
  };
  const name = 'manifest.json';
  const storageKey = `${folder}/${name}`;
  const stored = await storage.put(storageKey, [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
  await settleJob(chunkDeps, chunk, [
    ...codes,
    { ...stored, kind: 'manifest', name, mediaType: 'application/json', storageKey },
  ]);
  for (const part of partFolders)
    for (const { extension } of LISTS) await storage.remove(partKey(part, extension));
  await removeLost(deps, chunk, [...epochs, chunk.lease_epoch]);
}

/** What workers left that were killed, or lost their lease, before the one that settled. */
async function removeLost({ storage }: WorkerDeps, chunk: ClaimedChunk, settled: number[]): Promise<void> {
  for (const [index, epoch] of settled.entries()) {
    for (let lost = 1; lost < epoch; lost++) {
      await storage.removeAll(`${folderOf({ ...chunk, index, lease_epoch: lost })}/`);
    }
  }
}

async function* joinParts(
  { storage, stopping }: WorkerDeps,
  partFolders: readonly string[],
  extension: 'csv' | 'ndjson',
  header: string,
): AsyncGenerator<Uint8Array> {
  if (header !== '') yield Buffer.from(header);
  for (const folder of partFolders) {
    stopping.throwIfAborted();
    yield* storage.read(partKey(folder, extension)) as AsyncIterable<Uint8Array>;
  }
}
