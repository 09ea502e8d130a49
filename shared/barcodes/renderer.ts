import type { AffineTable } from './affine-table.ts';
import { learnDataMatrixTable } from './datamatrix-table.ts';
import { createMatrixPng } from './matrix-png.ts';
import { matrixEps, matrixSvg } from './matrix-vector.ts';
import { matrixZpl } from './matrix-zpl.ts';
import { emptyMatrix, type ModuleMatrix, matrixWords } from './module-matrix.ts';
import { type PayloadShape, shapeKey } from './payload-shape.ts';
import { learnQrTable } from './qr-table.ts';
import { encodeReference, type ReferenceOptions } from './reference-encoder.ts';
import { type CompleteSpec, completeSpec, type SymbologySpec, symbologyTraits } from './symbology.ts';

/** Makes symbols of one specification; each payload costs microseconds once the shape's table is learned. */
export interface Renderer {
  readonly spec: CompleteSpec;
  /** Whether payloads of the shape take the fast path; others always go through bwip-js. */
  readonly fast: boolean;
  /** The modules, without quiet zone. The caller owns the result. */
  matrix(payload: string): ModuleMatrix;
  png(payload: string): Buffer;
  svg(payload: string): string;
  eps(payload: string): string;
  zpl(payload: string, caption?: string): string;
  /** The same symbol made by bwip-js alone, for checking; slow (milliseconds). */
  reference(payload: string): ModuleMatrix;
}

interface FastPath {
  readonly table: AffineTable;
  readonly units: number;
  read(payload: string, values: Uint16Array): boolean;
  reference(payload: string): ModuleMatrix;
}

/** Tables are pure functions of specification and shape, and a job's chunks ask for the same one many times. */
const tables = new Map<string, FastPath | undefined>();
const MAX_TABLES = 64;

/**
 * Prepares to make symbols.
 * @param shape what the payloads have in common. Without it, or where a payload is not of the shape, symbols come
 * from bwip-js one by one. Learning a shape takes 0.1 to 0.5 s, once per process and shape.
 * @throws BarcodeError `BARCODE_UNENCODABLE` when not even the shape's template fits the symbology.
 */
export function createRenderer(spec: SymbologySpec, shape?: PayloadShape): Renderer {
  const complete = completeSpec(spec);
  const path = shape === undefined ? undefined : fastPath(complete, shape);
  const values = new Uint16Array(path?.units ?? 0);
  const scratch = path === undefined ? undefined : emptyMatrix(path.table.width, path.table.height);
  const scratchWords = scratch === undefined ? undefined : matrixWords(scratch);
  const writers = new Map<number, (matrix: ModuleMatrix) => Buffer>();

  /** The symbol in a buffer that the next call overwrites. */
  const borrow = (payload: string): ModuleMatrix => {
    if (path === undefined || !path.read(payload, values)) return encodeAlone(complete, payload);
    path.table.evaluate(values, scratchWords!);
    return scratch!;
  };
  const write = (matrix: ModuleMatrix): Buffer => {
    const size = matrix.width * 1024 + matrix.height;
    let writer = writers.get(size);
    if (writer === undefined) {
      const { dpi, ...look } = complete;
      writer = createMatrixPng(dpi === undefined ? look : { ...look, dpi }, matrix);
      writers.set(size, writer);
    }
    return writer(matrix);
  };

  return {
    spec: complete,
    fast: path !== undefined,
    matrix(payload) {
      const matrix = borrow(payload);
      return { ...matrix, bits: matrix.bits.slice() };
    },
    png: (payload) => write(borrow(payload)),
    svg: (payload) => matrixSvg(borrow(payload), complete),
    eps: (payload) => matrixEps(borrow(payload), complete),
    zpl: (payload, caption) =>
      matrixZpl(borrow(payload), caption === undefined ? complete : { ...complete, caption }),
    reference: (payload) =>
      path !== undefined && path.read(payload, values)
        ? path.reference(payload)
        : encodeAlone(complete, payload),
  };
}

function fastPath(spec: CompleteSpec, shape: PayloadShape): FastPath | undefined {
  const { kind, content } = symbologyTraits(spec.type);
  if (kind !== 'qr' && kind !== 'datamatrix') return undefined;
  const key = JSON.stringify([kind, content, spec.errorCorrection, shapeKey(shape)]);
  if (tables.has(key)) return tables.get(key);
  const learned =
    kind === 'qr' ? learnQr(spec, shape) : learnDataMatrixTable(shape, content === 'element-string');
  if (tables.size >= MAX_TABLES) tables.delete(tables.keys().next().value!);
  tables.set(key, learned);
  return learned;
}

function learnQr(spec: CompleteSpec, shape: PayloadShape): FastPath | undefined {
  const learned = learnQrTable(shape, spec.errorCorrection);
  if (learned === undefined) return undefined;
  return {
    ...learned,
    reference: (text) => encodeReference({ ...learned.reference, bcid: 'qrcode', text }),
  };
}

/** One symbol by bwip-js, with its own choice of everything. */
function encodeAlone(spec: CompleteSpec, payload: string): ModuleMatrix {
  const { bcid, kind, content } = symbologyTraits(spec.type);
  const options: ReferenceOptions = { bcid, text: payload };
  if (kind === 'qr') options.eclevel = spec.errorCorrection;
  if (kind === 'datamatrix' && content === 'element-string') {
    options.bcid = 'datamatrix';
    return encodeReference({
      ...options,
      parsefnc: true,
      text: `^FNC1${payload.replaceAll('\x1d', '^FNC1')}`,
    });
  }
  return encodeReference(options);
}
