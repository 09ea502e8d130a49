import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import bwipjs, { type RenderOptions } from 'bwip-js/node';
import { elementStringText } from '../../shared/barcodes/gs1.ts';
import { payloadShape, symbolPayload, TOKEN_ALPHABET } from '../../shared/barcodes/payload.ts';
import { createRenderer } from '../../shared/barcodes/renderer.ts';
import { verifySample } from '../../shared/barcodes/verify-sample.ts';

/** PNG files per second on one core; `zint` is null where it is not installed. */
export interface PngRates {
  ours: number;
  bwipjs: number;
  zint: number | null;
}

export interface RenderRates {
  png_per_s: PngRates;
  datamatrix: { png_per_s: PngRates };
}

/** The pictures are alike in all three: scale 4, one bit per pixel where the encoder can, the standard's quiet zone. */
const SCALE = 4;
const SUBJECT = {
  baseUrl: 'https://verify.example.com',
  gtin: '09506000134352',
  lot: 'LOT42',
  expiresOn: '2027-12-31',
};

interface Contest {
  readonly type: 'qr-url' | 'gs1-datamatrix';
  readonly payloads: string[];
  /** The same data as bwip-js and zint take them. */
  readonly texts: string[];
  readonly reference: Partial<RenderOptions> & { bcid: string; eclevel?: string };
  /** zint without its search for the best mask, which ours does not make per symbol either. */
  readonly zint: string[];
}

/**
 * Measures rendering alone, in this process and on one core, one contestant after another.
 * @param seconds how long each contestant runs, about; zint renders a fixed batch.
 */
export async function measureRendering(seconds = 2): Promise<RenderRates> {
  const units = Array.from({ length: 4000 }, (_, index) => pseudoUnit(index));
  const rates: PngRates[] = [];
  for (const contest of [qrContest(units), dataMatrixContest(units)]) {
    rates.push({
      ours: measureOurs(contest, units[0]!, seconds),
      bwipjs: await measureBwip(contest, seconds),
      zint: await measureZint(contest),
    });
  }
  return { png_per_s: rates[0]!, datamatrix: { png_per_s: rates[1]! } };
}

/** A table for people. */
export function renderingTable({ png_per_s: qr, datamatrix }: RenderRates): string {
  const line = (name: string, { ours, bwipjs, zint }: PngRates): string =>
    `| ${name.padEnd(14)} | ${String(ours).padStart(8)} | ${String(bwipjs).padStart(8)} | ${String(zint ?? '-').padStart(8)} | ` +
    `${(ours / bwipjs).toFixed(0).padStart(8)} | ${(zint === null ? '-' : (ours / zint).toFixed(1)).padStart(7)} |`;
  return [
    '| PNG/s, 1 core  |     ours |  bwip-js |     zint | x bwipjs |  x zint |',
    '|----------------|---------:|---------:|---------:|---------:|--------:|',
    line('QR', qr),
    line('GS1 DataMatrix', datamatrix.png_per_s),
  ].join('\n');
}

interface Unit {
  readonly serial: string;
  readonly token: string;
}

/** Reproducible, and with the digits and letters that random tokens have. */
function pseudoUnit(index: number): Unit {
  let state = (index * 2_654_435_761) >>> 0;
  const draw = (length: number): string =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return TOKEN_ALPHABET[state >>> 27];
    }).join('');
  return { serial: draw(12), token: draw(24) };
}

function qrContest(units: readonly Unit[]): Contest {
  const payloads = units.map((unit) => symbolPayload('qr-url', SUBJECT, unit));
  return {
    type: 'qr-url',
    payloads,
    texts: payloads,
    reference: { bcid: 'qrcode', eclevel: 'M', padding: 4 },
    zint: ['-b', '58', '--secure=2', '--mask=3'],
  };
}

function dataMatrixContest(units: readonly Unit[]): Contest {
  return {
    type: 'gs1-datamatrix',
    payloads: units.map((unit) => symbolPayload('gs1-datamatrix', SUBJECT, unit)),
    texts: units.map((unit) => elementStringText({ ...SUBJECT, serial: unit.serial })),
    reference: { bcid: 'gs1datamatrix', padding: 1 },
    zint: ['-b', '71', '--gs1', '--gs1parens'],
  };
}

function measureOurs({ type, payloads }: Contest, sample: Unit, seconds: number): number {
  const renderer = createRenderer(
    { type, scale: SCALE },
    payloadShape(type, SUBJECT, sample, TOKEN_ALPHABET),
  );
  if (verifySample(renderer, payloads.slice(0, 20)) === 0) throw new Error('no sample could be compared');
  for (const payload of payloads) renderer.png(payload);
  const start = performance.now();
  let made = 0;
  while (performance.now() - start < seconds * 1000) {
    for (const payload of payloads) renderer.png(payload);
    made += payloads.length;
  }
  return perSecond(made, start);
}

async function measureBwip({ reference, texts }: Contest, seconds: number): Promise<number> {
  await bwipjs.toBuffer({ ...reference, text: texts[0]!, scale: SCALE });
  const start = performance.now();
  let made = 0;
  while (performance.now() - start < seconds * 1000) {
    await bwipjs.toBuffer({ ...reference, text: texts[made % texts.length]!, scale: SCALE });
    made += 1;
  }
  return perSecond(made, start);
}

/** zint writes its batch as files: to memory, where there is such a folder, so that no disk slows it. */
async function measureZint({ zint, texts }: Contest): Promise<number | null> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mint-render-'));
  try {
    await writeFile(join(folder, 'in.txt'), `${texts.join('\n')}\n`);
    const args = [
      ...zint,
      `--scale=${SCALE / 2}`,
      '--quietzones',
      '--batch',
      '-i',
      'in.txt',
      '-o',
      '~~~~~.png',
    ];
    const start = performance.now();
    await promisify(execFile)('zint', args, { cwd: folder });
    const rate = perSecond(texts.length, start);
    const made = (await readdir(folder)).filter((name) => name.endsWith('.png')).length;
    if (made !== texts.length) throw new Error(`zint made ${made} of ${texts.length} symbols`);
    return rate;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function perSecond(count: number, start: number): number {
  return Math.round((count * 1000) / (performance.now() - start));
}
