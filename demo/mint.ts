/** First half of the story: a product, a batch, its codes, and the files that a printer gets. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { download, readCodes, unpackImages, type Artifact } from './artifacts.ts';
import { firstProblem, type Facts } from './facts.ts';
import { readPrintedCode } from './read-printed-code.ts';
import type { Screen } from './screen.ts';
import type { ServiceClient } from './service-client.ts';

export interface Story {
  client: ServiceClient;
  facts: Facts;
  screen: Screen;
  outDir: string;
  signal: AbortSignal;
}

export interface PrintedCode {
  serial: string;
  /** As a phone reads it off the print. */
  address: string;
}

interface Job {
  id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  progress: { done: number; total: number };
  artifacts: Artifact[];
  error: { message: string } | null;
}

const UNITS = 1_000;
export const MARKETS = ['DE', 'JP'];
const POLL_MS = 100;

/** @returns two codes of the batch, read back from their images. */
export async function mintAndOpen(story: Story): Promise<[PrintedCode, PrintedCode]> {
  const { client, screen } = story;
  const product = await client.post<{ id: string }>('/api/v1/products', {
    name: 'Early Harvest Olive Oil, 500 ml',
    sku: 'OIL-500',
    gtin: '09506000134352',
    brand: 'Olive Grove',
    markets: MARKETS,
  });
  screen.step(`Product created, to be sold in ${MARKETS.join(' and ')}`);
  const batch = await client.post<{ id: string }>('/api/v1/batches', {
    productId: product.id,
    quantity: UNITS,
    lot: 'L2611-A',
    expiresOn: '2099-12-31',
  });
  screen.step(`Batch of ${UNITS.toLocaleString('en')} units created`);
  const started = await client.post<Job>(`/api/v1/batches/${batch.id}/barcode-jobs`, {
    symbology: 'qr',
    formats: ['png', 'svg'],
    scale: 8,
    activate: true,
  });
  const job = await untilFinished(started, story);
  screen.step(`Barcode job done: a QR code for each unit, as PNG and SVG`);
  return openArtifacts(job, story);
}

async function untilFinished(started: Job, { client, facts, screen, signal }: Story): Promise<Job> {
  const progress = screen.progress('Minting', started.progress.total);
  let job = started;
  try {
    while (job.status === 'queued' || job.status === 'running') {
      progress.update(job.progress.done);
      await sleep(POLL_MS, undefined, { signal });
      job = await client.get<Job>(`/api/v1/barcode-jobs/${started.id}`);
    }
    progress.update(job.progress.done);
  } finally {
    progress.stop();
  }
  if (job.status !== 'completed')
    throw new Error(`the barcode job ${job.status}: ${job.error?.message ?? ''}`);
  const { done, total } = job.progress;
  facts.add(
    'Barcode job',
    `completed, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} units`,
    firstProblem([done === UNITS && total === UNITS, `completed with ${done} of ${total} units`]),
  );
  return job;
}

async function openArtifacts(
  job: Job,
  { facts, screen, outDir, signal }: Story,
): Promise<[PrintedCode, PrintedCode]> {
  const downloads = await Promise.all(job.artifacts.map((artifact) => download(artifact, outDir, signal)));
  const changed = downloads.filter(({ isAsAnnounced }) => !isAsAnnounced).map(({ name }) => name);
  const bytes = downloads.reduce((sum, { content }) => sum + content.length, 0);
  facts.add(
    'Artifacts',
    `${downloads.length} files, ${(bytes / 1e6).toFixed(1)} MB, each with the SHA-256 that was announced`,
    firstProblem(
      [downloads.length > 0, 'the job has none'],
      [changed.length === 0, `another SHA-256 than announced: ${changed.join(', ')}`],
    ),
  );

  const images = unpackImages(downloads);
  const pngs = [...images.keys()].filter((name) => name.endsWith('.png')).sort();
  const codes = readCodes(downloads);
  const tokens = new Set(codes.map(({ token }) => token));
  facts.add(
    'Codes',
    `${tokens.size.toLocaleString('en')} distinct tokens in codes.csv, ${images.size.toLocaleString('en')} images in the ZIPs`,
    firstProblem(
      [
        codes.length === UNITS && tokens.size === UNITS,
        `${tokens.size} distinct tokens in ${codes.length} lines`,
      ],
      [
        images.size === 2 * UNITS && pngs.length === UNITS,
        `${images.size} images, ${pngs.length} of them PNG`,
      ],
    ),
  );
  screen.step(`${downloads.length} artifacts downloaded to ${path.basename(outDir)}/ and opened`);

  const printed = await Promise.all(
    [pngs[0], pngs.at(-1)].map(async (name) => {
      const png = images.get(name ?? '');
      if (name === undefined || png === undefined) throw new Error('the ZIPs hold no PNG');
      writeFileSync(path.join(outDir, name), png);
      const address = await readPrintedCode(png);
      const line = codes.find((code) => code['address'] === address);
      return { name, address, line };
    }),
  );
  const unlisted = printed.filter(({ name, line }) => line === undefined || !name.includes(line['serial']!));
  facts.add(
    'Printed code',
    `read back from ${printed[0]!.name} by another decoder`,
    firstProblem([unlisted.length === 0, `codes.csv has no such line: ${unlisted[0]?.address}`]),
  );
  screen.step('Two printed codes read back from their PNG');
  const [first, second] = printed.map(({ address, line }) => ({ address, serial: line?.['serial'] ?? '' }));
  return [first!, second!];
}
