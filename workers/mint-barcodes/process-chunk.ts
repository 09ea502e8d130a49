/** One chunk of units: mint what is missing, render, pack, store, settle. */
import {
  mintedUnitsOf,
  settleUnits,
  type ChunkDeps,
  type ClaimedChunk,
  type MintedUnitRow,
} from '../../shared/barcode-jobs/chunks.ts';
import { payloadShape, symbolPayload, type PayloadSubject } from '../../shared/barcodes/payload.ts';
import { createRenderer, type Renderer } from '../../shared/barcodes/renderer.ts';
import type { SymbologyType } from '../../shared/barcodes/symbology.ts';
import { verifySample } from '../../shared/barcodes/verify-sample.ts';
import { encodeId } from '../../shared/ids.ts';
import { tokenOf } from '../../shared/units/token.ts';
import type { WorkerDeps } from '../deps.ts';
import { zipImages, type PackedImage } from './image-pack.ts';
import { mintMissingUnits } from './mint-units.ts';

/** The API's names of symbologies, in the renderer's. */
const SYMBOLOGY_TYPES: Record<string, SymbologyType> = { qr: 'qr-url' };
const SERIAL_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Images of each chunk that are made again by bwip-js and compared. */
const CHECKED_IMAGES = 3;

export const partKey = (chunk: Pick<ClaimedChunk, 'job_id' | 'index'>): string =>
  `jobs/${chunk.job_id}/parts/codes-${String(chunk.index).padStart(6, '0')}.csv`;
export const imagesName = (index: number): string => `images-${String(index + 1).padStart(4, '0')}.zip`;

interface PrintedUnit extends MintedUnitRow {
  token: string;
  payload: string;
}

/** @throws LostChunkError, BarcodeError, or what Postgres and the storage throw; nothing is half-done then. */
export async function processChunk(
  deps: WorkerDeps,
  chunkDeps: ChunkDeps,
  chunk: ClaimedChunk,
): Promise<void> {
  const { config, random, storage } = deps;
  const existing = await mintedUnitsOf(chunkDeps, chunk);
  const range = { firstOrdinal: chunk.first_ordinal, units: chunk.units };
  const fresh = mintMissingUnits(range, existing, config.TOKEN_KEYS, random);
  const type = SYMBOLOGY_TYPES[chunk.symbology]!;
  const subject: PayloadSubject = { baseUrl: config.PUBLIC_URL };
  const units = [...existing, ...fresh]
    .sort((a, b) => a.ordinal - b.ordinal)
    .map((unit): PrintedUnit => {
      const token = tokenOf(config.TOKEN_KEYS, unit.code, unit.token_key);
      return { ...unit, token, payload: symbolPayload(type, subject, { serial: unit.serial, token }) };
    });
  const shape = payloadShape(type, subject, units[0]!, SERIAL_ALPHABET);
  const renderer = createRenderer(
    { type, ...(chunk.options.scale === undefined ? {} : { scale: chunk.options.scale }) },
    shape,
  );
  verifySample(renderer, sampleOf(units));

  const name = imagesName(chunk.index);
  const storageKey = `jobs/${chunk.job_id}/${name}`;
  const images = await storage.put(storageKey, zipImages(imagesOf(renderer, chunk, units)));
  await storage.put(partKey(chunk), csvLines(chunk, units));
  await settleUnits(chunkDeps, chunk, fresh, {
    ...images,
    kind: 'images',
    name,
    mediaType: 'application/zip',
    storageKey,
  });
}

function sampleOf(units: readonly PrintedUnit[]): string[] {
  const step = Math.max(1, Math.floor(units.length / CHECKED_IMAGES));
  return units
    .filter((_, index) => index % step === 0)
    .slice(0, CHECKED_IMAGES)
    .map((unit) => unit.payload);
}

function* imagesOf(
  renderer: Renderer,
  chunk: ClaimedChunk,
  units: readonly PrintedUnit[],
): Generator<PackedImage> {
  const digits = String(chunk.total).length;
  for (const unit of units) {
    const stem = `${String(unit.ordinal + 1).padStart(digits, '0')}-${unit.serial}`;
    for (const format of chunk.formats) {
      const bytes = format === 'png' ? renderer.png(unit.payload) : Buffer.from(renderer.svg(unit.payload));
      yield { name: `${stem}.${format}`, bytes };
    }
  }
}

export const CSV_HEADER = 'unitId,serial,token,address,lot,expiresOn\n';

/** Every field is of our own alphabet, but for the lot, which is quoted and cannot be taken for a formula. */
async function* csvLines(chunk: ClaimedChunk, units: readonly PrintedUnit[]): AsyncGenerator<Buffer> {
  const lot = chunk.lot === null ? '' : csvCell(chunk.lot);
  const tail = `,${lot},${chunk.expires_on ?? ''}\n`;
  yield Buffer.from(
    units
      .map((unit) => `${encodeId('unit', unit.id)},${unit.serial},${unit.token},${unit.payload}${tail}`)
      .join(''),
  );
}

const csvCell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
