/** One chunk of units: mint what is missing, render, pack, store, settle. */
import {
  mintedUnitsOf,
  settleUnits,
  uploadedSerialsOf,
  type ChunkDeps,
  type ClaimedChunk,
  type StoredArtifact,
} from '../../shared/barcode-jobs/chunks.ts';
import { IMAGE_FORMATS, sequentialSerial } from '../../shared/barcode-jobs/options.ts';
import { putOrBlame } from '../../shared/storage/storage-failure.ts';
import type { WorkerDeps } from '../deps.ts';
import { codeLists } from './code-lists.ts';
import { mintMissingUnits, randomSerials } from './mint-units.ts';
import { packImages, type ImageFormat } from './pack-images.ts';
import { packSheets, packZpl } from './pack-labels.ts';
import type { Pace } from './pace.ts';
import { symbolsOf, type Symbols } from './symbols.ts';

/**
 * Where a chunk's files are while a lease of it is worked on: a folder for each lease, so that a worker that has lost its
 * lease without noticing (it was stopped, or starved) writes over nobody's committed files.
 */
export const folderOf = (chunk: Pick<ClaimedChunk, 'job_id' | 'index' | 'lease_epoch'>): string =>
  `jobs/${chunk.job_id}/${String(chunk.index).padStart(6, '0')}-${chunk.lease_epoch}`;
export const partKey = (folder: string, extension: 'csv' | 'ndjson'): string =>
  `${folder}/codes-part.${extension}`;

const partName = (stem: string, index: number, extension: string): string =>
  `${stem}-${String(index + 1).padStart(4, '0')}.${extension}`;

const imageFormatsOf = (chunk: ClaimedChunk): ImageFormat[] =>
  IMAGE_FORMATS.filter((format) => chunk.formats.includes(format));

/** How often a chunk's work goes over its units: the lists, the images and each kind of labels. */
export const passesOf = (chunk: ClaimedChunk): number =>
  1 +
  (imageFormatsOf(chunk).length > 0 ? 1 : 0) +
  (['pdf', 'zpl'] as const).filter((format) => chunk.formats.includes(format)).length;

/** Milliseconds that each stage of a chunk took, for the log and the benchmark. */
export type StageTimes = Record<'mint' | 'symbols' | 'images' | 'labels' | 'codes' | 'settle', number>;

/** @throws LostChunkError, BarcodeError, StorageFailedError, or what Postgres throws; nothing is half-done then. */
export async function processChunk(
  deps: WorkerDeps,
  chunkDeps: ChunkDeps,
  chunk: ClaimedChunk,
  pace: Pace,
): Promise<StageTimes> {
  const { config, storage } = deps;
  const times: StageTimes = { mint: 0, symbols: 0, images: 0, labels: 0, codes: 0, settle: 0 };
  let since = performance.now();
  const lap = (stage: keyof StageTimes): void => {
    const now = performance.now();
    times[stage] += now - since;
    since = now;
  };

  const existing = await mintedUnitsOf(chunkDeps, chunk);
  const range = { firstOrdinal: chunk.first_ordinal, units: chunk.units };
  const fresh =
    existing.length === chunk.units
      ? []
      : mintMissingUnits(
          range,
          existing,
          await serialsOf(deps, chunkDeps, chunk),
          config.TOKEN_KEYS,
          deps.random,
        );
  lap('mint');
  const rows = existing.length === 0 ? fresh : [...existing, ...fresh].sort((a, b) => a.ordinal - b.ordinal);
  const baseUrl = chunk.options.baseUrl ?? config.PRINTED_URL;
  const symbols = symbolsOf(chunk, rows, { baseUrl, tokenKeys: config.TOKEN_KEYS });
  lap('symbols');
  const artifacts = await storeImages(deps, chunk, symbols, pace);
  lap('images');
  artifacts.push(...(await storeLabels(deps, chunk, symbols, pace)));
  lap('labels');
  const lists = await codeLists(chunk, symbols.units, config.TOKEN_KEYS, pace);
  await putOrBlame(storage, partKey(folderOf(chunk), 'csv'), lists.csv);
  await putOrBlame(storage, partKey(folderOf(chunk), 'ndjson'), lists.ndjson);
  lap('codes');
  await settleUnits(chunkDeps, chunk, fresh, artifacts);
  lap('settle');
  return times;
}

async function serialsOf(
  { random }: WorkerDeps,
  chunkDeps: ChunkDeps,
  chunk: ClaimedChunk,
): Promise<string[]> {
  const scheme = chunk.options.serials;
  switch (scheme.source) {
    case 'random':
      return randomSerials(chunk.units, random);
    case 'sequential':
      return Array.from({ length: chunk.units }, (_, index) =>
        sequentialSerial(scheme, chunk.first_ordinal + index),
      );
    case 'uploaded':
    default:
      return uploadedSerialsOf(chunkDeps, chunk, scheme.uploadId);
  }
}

async function storeImages(
  { storage }: WorkerDeps,
  chunk: ClaimedChunk,
  symbols: Symbols,
  pace: Pace,
): Promise<StoredArtifact[]> {
  const formats = imageFormatsOf(chunk);
  if (formats.length === 0) return [];
  const name = partName('images', chunk.index, 'zip');
  const storageKey = `${folderOf(chunk)}/${name}`;
  const stored = await putOrBlame(storage, storageKey, packImages(symbols, formats, chunk.total, pace));
  return [{ ...stored, kind: 'images', name, mediaType: 'application/zip', storageKey }];
}

async function storeLabels(
  { storage }: WorkerDeps,
  chunk: ClaimedChunk,
  symbols: Symbols,
  pace: Pace,
): Promise<StoredArtifact[]> {
  const kinds = [
    { extension: 'pdf', mediaType: 'application/pdf', pack: () => packSheets(chunk, symbols, pace) },
    { extension: 'zpl', mediaType: 'application/zpl', pack: () => packZpl(symbols, pace) },
  ] as const;
  const artifacts: StoredArtifact[] = [];
  for (const { extension, mediaType, pack } of kinds) {
    if (!chunk.formats.includes(extension)) continue;
    const name = partName('labels', chunk.index, extension);
    const storageKey = `${folderOf(chunk)}/${name}`;
    artifacts.push({
      ...(await putOrBlame(storage, storageKey, pack())),
      kind: 'labels',
      name,
      mediaType,
      storageKey,
    });
  }
  return artifacts;
}
