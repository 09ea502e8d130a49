/** The images of one chunk as a ZIP, streamed: no more than a block of it is in memory at a time. */
import type { Format } from '../../shared/barcode-jobs/options.ts';
import type { Renderer } from '../../shared/barcodes/renderer.ts';
import { createZipWriter } from '../../shared/barcodes/zip.ts';
import type { Pace } from './pace.ts';
import type { PrintedUnit, Symbols } from './symbols.ts';

export type ImageFormat = Extract<Format, 'png' | 'svg' | 'eps'>;

const render: Record<ImageFormat, (renderer: Renderer, payload: string, caption?: string) => Buffer> = {
  png: (renderer, payload, caption) => renderer.png(payload, caption),
  svg: (renderer, payload, caption) => Buffer.from(renderer.svg(payload, caption)),
  eps: (renderer, payload, caption) => Buffer.from(renderer.eps(payload, caption)),
};

/**
 * Stores images without compression (they are compressed already), with a fixed time, so that the same images give the
 * same ZIP. Files are named `000042-SERIAL.png`: the number in the batch first, so that folders sort.
 * @param total units of the whole job, for the width of the numbers.
 */
export async function* packImages(
  { units, rendererOf, slow }: Symbols,
  formats: readonly ImageFormat[],
  total: number,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  const blocks: Buffer[] = [];
  const zip = createZipWriter((block) => {
    blocks.push(block);
  });
  const digits = String(total).length;
  for (const unit of units) {
    const renderer = rendererOf(unit);
    const stem = fileStem(unit, digits);
    for (const format of formats) {
      const flushed = zip.add(`${stem}.${format}`, render[format](renderer, unit.payload, unit.caption));
      if (flushed !== undefined) await flushed;
    }
    if (blocks.length > 0) yield* blocks.splice(0);
    const turn = pace.step(slow);
    if (turn !== undefined) await turn;
  }
  await zip.finish();
  yield* blocks;
}

/** A serial may hold characters that a file's name may not, such as `/` and `*`; the number keeps names apart. */
const fileStem = ({ ordinal, serial }: PrintedUnit, digits: number): string =>
  `${String(ordinal + 1).padStart(digits, '0')}-${serial.replaceAll(/[^\w.-]/g, '_')}`;
