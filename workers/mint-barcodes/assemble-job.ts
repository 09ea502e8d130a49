/** The last chunk of a job: the parts of `codes.csv` joined, and a manifest with the checksum of everything. */
import {
  settleJob,
  type ChunkDeps,
  type ClaimedChunk,
  type StoredArtifact,
} from '../../shared/barcode-jobs/chunks.ts';
import { listArtifacts } from '../../shared/barcode-jobs/service.ts';
import { encodeId } from '../../shared/ids.ts';
import type { WorkerDeps } from '../deps.ts';
import { CSV_HEADER, partKey } from './process-chunk.ts';

/** @throws LostChunkError, or what Postgres and the storage throw; the parts stay until the job is settled. */
export async function assembleJob(
  deps: WorkerDeps,
  chunkDeps: ChunkDeps,
  chunk: ClaimedChunk,
): Promise<void> {
  const { db, storage, clock } = deps;
  const folder = `jobs/${chunk.job_id}`;
  const codes: StoredArtifact = {
    ...(await storage.put(`${folder}/codes.csv`, joinParts(deps, chunk))),
    kind: 'codes',
    name: 'codes.csv',
    mediaType: 'text/csv; charset=utf-8',
    storageKey: `${folder}/codes.csv`,
  };
  const images = await listArtifacts(db, [chunk.job_id]);
  const manifest = {
    jobId: encodeId('job', chunk.job_id),
    batchId: encodeId('batch', chunk.batch_id),
    symbology: chunk.symbology,
    formats: chunk.formats,
    units: chunk.total,
    createdAt: clock.now().toISOString(),
    files: [codes, ...images].map(({ kind, name, bytes, sha256 }) => ({ kind, name, bytes, sha256 })),
  };
  const manifestKey = `${folder}/manifest.json`;
  const stored = await storage.put(manifestKey, single(`${JSON.stringify(manifest, null, 2)}\n`));
  await settleJob(chunkDeps, chunk, [
    codes,
    {
      ...stored,
      kind: 'manifest',
      name: 'manifest.json',
      mediaType: 'application/json',
      storageKey: manifestKey,
    },
  ]);
  await storage.removeAll(`${folder}/parts/`);
}

async function* joinParts(
  { storage, stopping }: WorkerDeps,
  chunk: ClaimedChunk,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CSV_HEADER);
  for (let index = 0; index < chunk.index; index++) {
    stopping.throwIfAborted();
    yield* storage.read(partKey({ job_id: chunk.job_id, index })) as AsyncIterable<Uint8Array>;
  }
}

async function* single(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
