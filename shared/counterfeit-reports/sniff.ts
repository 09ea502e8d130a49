/** What a file is by its first bytes; its name and its Content-Type are only claims. */

export type ImageKind = 'jpeg' | 'png' | 'webp' | 'heic';

/** Enough for every signature below. */
export const SNIFF_BYTES = 16;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
// Brands of the HEIF family: https://nokiatech.github.io/heif/technical.html
const HEIF_BRANDS = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1', 'avif', 'avis']);

/** @returns null for anything else: SVG, GIF, a PDF, a script. */
export function sniffImage(head: Buffer): ImageKind | null {
  if (head.length < 12) return null;
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  if (head.subarray(0, 8).equals(PNG)) return 'png';
  const ascii = head.toString('latin1');
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'webp';
  if (ascii.slice(4, 8) === 'ftyp' && HEIF_BRANDS.has(ascii.slice(8, 12))) return 'heic';
  return null;
}
