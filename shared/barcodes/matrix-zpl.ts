import { isDark, type ModuleMatrix } from './module-matrix.ts';

export interface ZplOptions {
  /** Printer dots along a module's side. */
  readonly scale: number;
  /** Light modules on each side. */
  readonly quietZone: number;
  /** In the printer's own font beneath the symbol and its quiet zone, on as many lines as it needs. */
  readonly caption?: string;
}

/**
 * The symbol as a label in ZPL II. It goes as a graphic field (`^GFA`), not as the printer's own `^BQ` or `^BX`:
 * the printer prints the very modules that were made and checked here, whatever its firmware's encoder would choose.
 * Rows are hexadecimal, shortened by ZPL's own scheme: `,` fills a row with zeros, `:` repeats the row above,
 * and a count letter repeats a digit (G to Y: 1 to 19; g to z: 20 to 400 by 20).
 */
export function matrixZpl(matrix: ModuleMatrix, { scale, quietZone, caption }: ZplOptions): string {
  const margin = quietZone * scale;
  const across = matrix.width * scale;
  const rowBytes = (across + 7) >>> 3;
  let data = '';
  let above = '';
  for (let y = 0; y < matrix.height; y += 1) {
    const row = new Uint8Array(rowBytes);
    for (let dot = 0; dot < across; dot += 1) {
      if (isDark(matrix, Math.floor(dot / scale), y)) row[dot >>> 3]! |= 0x80 >>> (dot & 7);
    }
    const hex = Buffer.from(row).toString('hex').toUpperCase();
    data += (hex === above ? ':' : shortenRow(hex)) + ':'.repeat(scale - 1);
    above = hex;
  }
  const total = rowBytes * matrix.height * scale;
  const lines = [
    '^XA',
    '^CI28',
    `^PW${across + 2 * margin}`,
    `^FO${margin},${margin}^GFA,${total},${total},${rowBytes},${data}^FS`,
  ];
  if (caption !== undefined) {
    const width = across + 2 * margin;
    const { size, texts } = captionLines(caption, width, 2 * scale + 8);
    const top = margin + matrix.height * scale + Math.max(margin, scale, 4);
    for (const [index, text] of texts.entries())
      lines.push(
        `^FO0,${top + index * (size + 2)}^A0N,${size},${size}^FB${width},1,0,C^FH_^FD${zplText(text)}^FS`,
      );
  }
  return `${[...lines, '^XZ'].join('\n')}\n`;
}

/** Font 0's widest usual letters, as a share of their height. */
const LETTER_WIDTH = 0.62;
const LEAST_DOTS = 14;

/** What does not fit a field block of one line is printed over its end, so a text that is too wide is cut into lines here. */
function captionLines(caption: string, width: number, most: number): { size: number; texts: string[] } {
  const fitting = Math.floor(width / (LETTER_WIDTH * Math.max(1, caption.length)));
  const size = Math.max(LEAST_DOTS, Math.min(most, fitting));
  const perLine = Math.max(1, Math.floor(width / (LETTER_WIDTH * size)));
  const letters = Math.ceil(caption.length / Math.ceil(caption.length / perLine));
  const count = Math.ceil(caption.length / letters);
  const texts = Array.from({ length: count }, (_, line) =>
    caption.slice(line * letters, (line + 1) * letters),
  );
  return { size, texts };
}

function shortenRow(hex: string): string {
  const body = hex.replace(/0+$/, '');
  const whole = body.length % 2 === 1 ? `${body}0` : body;
  // On a row that is full already, a comma would begin another one.
  const filled = whole.length < hex.length ? `${whole},` : hex;
  return filled.replace(/([0-9A-F])\1{2,}/g, (run, digit: string) => repeatCount(run.length) + digit);
}

function repeatCount(count: number): string {
  let letters = 'z'.repeat(Math.floor(count / 400));
  const rest = count % 400;
  if (rest >= 20) letters += String.fromCharCode('g'.charCodeAt(0) + Math.floor(rest / 20) - 1);
  if (rest % 20 > 0) letters += String.fromCharCode('G'.charCodeAt(0) + (rest % 20) - 1);
  return letters;
}

/** `^FH_` makes `_hh` a byte: so ZPL's own characters can be data and never commands. */
function zplText(text: string): string {
  return text.replace(/[\^~_\\]|[^\x20-\x7e]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}
