/** Fetches what a barcode job made, and opens it as a printer would. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';

export interface Artifact {
  kind: 'images' | 'codes' | 'manifest';
  name: string;
  bytes: number;
  sha256: string;
  url: string;
}

export interface Download extends Artifact {
  content: Buffer;
  isAsAnnounced: boolean;
}

/** Follows the signed link, which is the only credential, and writes the file to `folder`. */
export async function download(artifact: Artifact, folder: string, signal: AbortSignal): Promise<Download> {
  const response = await fetch(artifact.url, { signal });
  if (!response.ok) throw new Error(`${artifact.name}: ${response.status} ${await response.text()}`);
  const content = Buffer.from(await response.arrayBuffer());
  writeFileSync(path.join(folder, path.basename(artifact.name)), content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    ...artifact,
    content,
    isAsAnnounced: sha256 === artifact.sha256 && content.length === artifact.bytes,
  };
}

/** @returns all images of the ZIPs by their names. */
export function unpackImages(downloads: readonly Download[]): Map<string, Uint8Array> {
  const zips = downloads.filter(({ kind }) => kind === 'images');
  return new Map(zips.flatMap(({ content }) => Object.entries(unzipSync(content))));
}

/** @returns a record for each line of `codes.csv`, by the names of its header. */
export function readCodes(downloads: readonly Download[]): Record<string, string>[] {
  const text = downloads.find(({ kind }) => kind === 'codes')?.content.toString('utf8') ?? '';
  const [header = [], ...lines] = text
    .split('\n')
    .filter((line) => line !== '')
    .map(cellsOf);
  return lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}

/** RFC 4180, but for line breaks in cells, of which our file has none. */
function cellsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}
