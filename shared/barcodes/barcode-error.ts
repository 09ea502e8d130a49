/**
 * What can go wrong while a symbol is made. Branch on `code`, never on the message.
 * - `BARCODE_UNENCODABLE`: the encoder refused the payload (characters, length, check digit);
 * - `BARCODE_MISMATCH`: an image differs from the reference encoder's: never ship it;
 * - `BARCODE_LAYOUT`: a label sheet or an archive was asked for something that it cannot hold.
 */
export type BarcodeErrorCode = 'BARCODE_UNENCODABLE' | 'BARCODE_MISMATCH' | 'BARCODE_LAYOUT';

export class BarcodeError extends Error {
  readonly code: BarcodeErrorCode;

  constructor(code: BarcodeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BarcodeError';
    this.code = code;
  }
}
