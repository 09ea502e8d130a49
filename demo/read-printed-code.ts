/** Reads a printed code back with a decoder that knows nothing of how it was made. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** @returns the text of the one symbol in a PNG. @throws where there is not exactly one. */
export async function readPrintedCode(png: Uint8Array): Promise<string> {
  // From the package on disk; otherwise the module would fetch itself from a server outside.
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
  const found = await readBarcodes(new Uint8Array(png), { formats: ['QRCode'] });
  if (found.length !== 1) throw new Error(`the image holds ${found.length} readable codes`);
  return found[0]!.text;
}
