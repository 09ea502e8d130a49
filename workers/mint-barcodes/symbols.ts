/** The symbols of a chunk: which payload each unit has, and a renderer for it. */
import { symbologyTypeOf } from '../../shared/barcode-jobs/options.ts';
import type { ClaimedChunk, MintedUnitRow } from '../../shared/barcode-jobs/chunks.ts';
import {
  gs1Text,
  payloadShape,
  symbolCaption,
  symbolPayload,
  verificationAddress,
  type PayloadSubject,
} from '../../shared/barcodes/payload.ts';
import { createRenderer, type Renderer } from '../../shared/barcodes/renderer.ts';
import { serialAlphabet } from '../../shared/barcodes/serial-alphabet.ts';
import { verifySample } from '../../shared/barcodes/verify-sample.ts';
import type { Keyring } from '../../shared/keyring.ts';
import { tokenOf } from '../../shared/units/token.ts';

export interface PrintedUnit extends MintedUnitRow {
  token: string;
  address: string;
  payload: string;
  caption: string;
  gs1: string | null;
}

/** The unit's symbol in every format. */
export interface Symbols {
  units: PrintedUnit[];
  rendererOf(unit: PrintedUnit): Renderer;
  /** Whether a symbol takes milliseconds. */
  slow: boolean;
}

/** Images of each chunk that are made again by bwip-js and compared. */
const CHECKED_IMAGES = 3;

/** @throws BarcodeError where the samples differ from the reference encoder's */
export function symbolsOf(
  chunk: ClaimedChunk,
  rows: readonly MintedUnitRow[],
  { baseUrl, tokenKeys }: { baseUrl: string; tokenKeys: Keyring },
): Symbols {
  const type = symbologyTypeOf(chunk.symbology);
  const { look, gtin } = chunk.options;
  const subject: PayloadSubject = {
    baseUrl,
    ...(gtin === null ? {} : { gtin }),
    ...(chunk.lot === null ? {} : { lot: chunk.lot }),
    ...(chunk.expires_on === null ? {} : { expiresOn: chunk.expires_on }),
  };
  const units = rows.map((row): PrintedUnit => {
    const token = tokenOf(tokenKeys, row.code, row.token_key);
    const address = verificationAddress(baseUrl, token);
    const unit = { serial: row.serial, token };
    const payload = type === 'qr-url' ? address : symbolPayload(type, subject, unit);
    return {
      id: row.id,
      ordinal: row.ordinal,
      serial: row.serial,
      code: row.code,
      token_key: row.token_key,
      token,
      address,
      payload,
      caption: look.text === true ? symbolCaption(type, subject, unit) : row.serial,
      gs1: gs1Text(type, subject, unit, payload),
    };
  });
  // Serials of one length and alphabet share a table; a customer's own may have a few of each.
  const renderers = new Map<string, Renderer>();
  const rendererOf = ({ serial, token }: PrintedUnit): Renderer => {
    const alphabet = serialAlphabet(serial);
    const key = `${serial.length} ${alphabet}`;
    let renderer = renderers.get(key);
    if (renderer === undefined) {
      renderer = createRenderer({ ...look, type }, payloadShape(type, subject, { serial, token }, alphabet));
      renderers.set(key, renderer);
    }
    return renderer;
  };
  // A symbol of the address does not depend on the serial's form.
  const first = rendererOf(units[0]!);
  const one = type === 'qr-url' || type === 'datamatrix-url' ? () => first : rendererOf;
  for (const unit of sampleOf(units)) verifySample(one(unit), [unit.payload]);
  return { units, rendererOf: one, slow: !first.fast };
}

function sampleOf(units: readonly PrintedUnit[]): PrintedUnit[] {
  const step = Math.max(1, Math.floor(units.length / CHECKED_IMAGES));
  return units.filter((_, index) => index % step === 0).slice(0, CHECKED_IMAGES);
}
