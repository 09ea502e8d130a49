import { contrastRatio } from '../../shared/barcodes/contrast.ts';

const hexOf = (color: string): string =>
  `#${color
    .match(/\d+/g)!
    .map((channel) => Number(channel).toString(16).padStart(2, '0'))
    .join('')}`;

/** Of two colours as browsers compute them, `rgb(…)`, whichever is the lighter. @returns their contrast, 1 to 21 */
export function contrastOf(one: string, other: string): number {
  const ratio = contrastRatio(hexOf(one), hexOf(other));
  return Math.max(ratio, 1 / ratio);
}
