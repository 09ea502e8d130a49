import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** What a finished document was: for the manifest. */
export interface PdfSummary {
  readonly pages: number;
  readonly bytes: number;
  /** Of the whole document, hexadecimal. */
  readonly sha256: string;
}

/** One document in the making; pages leave as they come, only the offsets of objects are kept. */
export interface PdfWriter {
  /**
   * @param content operators of ISO 32000-1, 8 and 9, in points from the lower left corner; `/Sans` and `/Mono` are
   * Helvetica and Courier, which every reader has.
   */
  addPage(width: number, height: number, content: string): Promise<void>;
  finish(): Promise<PdfSummary>;
}

/** Objects whose numbers are settled beforehand; pages refer to them. */
const CATALOG = 1;
const PAGES = 2;
const SANS = 3;
const MONO = 4;
const INFO = 5;

/**
 * Writes a PDF of vector pages. A document holds no date and no random identifier: the same pages give the same
 * bytes. (General PDF libraries keep every page, or every operator, until the end; this one does not.)
 * @param write receives the document piece by piece.
 * @param title shown by readers.
 */
export function createPdfWriter(write: (block: Buffer) => Promise<void> | void, title: string): PdfWriter {
  const hash = createHash('sha256');
  const offsets: number[] = [];
  const pages: number[] = [];
  let bytes = 0;
  let begun = false;

  const send = async (...parts: (string | Buffer)[]): Promise<void> => {
    const block = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    );
    bytes += block.length;
    hash.update(block);
    await write(block);
  };
  const sendObject = (number: number, ...body: (string | Buffer)[]): Promise<void> => {
    offsets[number] = bytes;
    return send(`${number} 0 obj\n`, ...body, '\nendobj\n');
  };
  const begin = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    // The second line tells transfer programs that the file is binary.
    await send('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n');
    const font = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
    await sendObject(CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`);
    await sendObject(SANS, font('Helvetica'));
    await sendObject(MONO, font('Courier'));
    await sendObject(INFO, `<< /Title ${pdfString(title)} /Producer (Touchstone) >>`);
  };

  return {
    async addPage(width, height, content) {
      await begin();
      const stream = deflateSync(Buffer.from(content, 'latin1'));
      const number = INFO + 1 + pages.length * 2;
      await sendObject(
        number,
        `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`,
        stream,
        '\nendstream',
      );
      await sendObject(
        number + 1,
        `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 ${pdfNumber(width)} ${pdfNumber(height)}] ` +
          `/Contents ${number} 0 R /Resources << /Font << /Sans ${SANS} 0 R /Mono ${MONO} 0 R >> >> >>`,
      );
      pages.push(number + 1);
    },
    async finish() {
      await begin();
      const kids = pages.map((number) => `${number} 0 R`).join(' ');
      await sendObject(PAGES, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
      const start = bytes;
      const entries = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
      await send(
        `xref\n0 ${offsets.length}\n0000000000 65535 f \n${entries.join('')}`,
        `trailer\n<< /Size ${offsets.length} /Root ${CATALOG} 0 R /Info ${INFO} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
      );
      return { pages: pages.length, bytes, sha256: hash.digest('hex') };
    },
  };
}

/** At most three decimals: a thousandth of a point is a third of a micrometre. */
export function pdfNumber(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** A string literal in WinAnsi's part of Latin-1; the standard fonts have nothing else, and show a question mark. */
export function pdfString(text: string): string {
  const latin = text.normalize('NFC').replace(/[^\x20-\x7e\xa0-\xff]/gu, '?');
  return `(${latin.replace(/[()\\]/g, (character) => `\\${character}`)})`;
}
