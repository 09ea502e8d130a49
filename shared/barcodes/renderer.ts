import type { AffineTable } from './affine-table.ts';
import { learnDataMatrixTable } from './datamatrix-table.ts';
import { drawBars } from './bars-image.ts';
import { captionedImage } from './captioned-image.ts';
import { GROUP_SEPARATOR } from '../gs1/element-string.ts';
import { imagePng } from './image-png.ts';
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
  /**
   * The modules, without quiet zone; for linear symbologies (`spec.type` of kind `bars`) the image in pixels, with
   * quiet zone and text. The caller owns the result.
   */
  matrix(payload: string, caption?: string): ModuleMatrix;
  /** The caption stands beneath the symbol where the specification asks for text; likewise below. */
  png(payload: string, caption?: string): Buffer;
  svg(payload: string, caption?: string): string;
  eps(payload: string, caption?: string): string;
  zpl(payload: string, caption?: string): string;
  /** What {@link Renderer.matrix} gives, made by bwip-js alone, for checking; slow (milliseconds). */
  reference(payload: string): ModuleMatrix;
  /** Whether the two must be equal: false for a QR payload that bwip-js might segment otherwise. */
  isComparable(payload: string): boolean;
}

interface FastPath {
  readonly table: AffineTable;
  readonly units: number;
  read(payload: string, values: Uint16Array): boolean;
  reference(payload: string): ModuleMatrix;
  isComparable(payload: string): boolean;
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
  return symbologyTraits(spec.type).kind === 'bars'
    ? barsRenderer(complete)
    : matrixRenderer(complete, shape === undefined ? undefined : fastPath(complete, shape));
}

function matrixRenderer(spec: CompleteSpec, path: FastPath | undefined): Renderer {
  const values = new Uint16Array(path?.units ?? 0);
  const scratch = path === undefined ? undefined : emptyMatrix(path.table.width, path.table.height);
  const scratchWords = scratch === undefined ? undefined : matrixWords(scratch);
  const writers = new Map<number, (matrix: ModuleMatrix) => Buffer>();
  const captioned = (caption: string | undefined) =>
    caption === undefined || !spec.text ? spec : { ...spec, caption };

  /** The symbol in a buffer that the next call overwrites. */
  const borrow = (payload: string): ModuleMatrix => {
    if (path === undefined || !path.read(payload, values)) return encodeAlone(spec, payload);
    path.table.evaluate(values, scratchWords!);
    return scratch!;
  };
  const write = (matrix: ModuleMatrix): Buffer => {
    const size = matrix.width * 1024 + matrix.height;
    let writer = writers.get(size);
    if (writer === undefined) {
      writer = createMatrixPng(spec, matrix);
      writers.set(size, writer);
    }
    return writer(matrix);
  };

  return {
    spec,
    fast: path !== undefined,
    matrix(payload) {
      const matrix = borrow(payload);
      return { ...matrix, bits: matrix.bits.slice() };
    },
    png: (payload, caption) =>
      caption === undefined || !spec.text
        ? write(borrow(payload))
        : imagePng(captionedImage(borrow(payload), caption, spec), spec),
    svg: (payload, caption) => matrixSvg(borrow(payload), captioned(caption)),
    eps: (payload, caption) => matrixEps(borrow(payload), captioned(caption)),
    zpl: (payload, caption) => matrixZpl(borrow(payload), captioned(caption)),
    reference: (payload) =>
      path !== undefined && path.read(payload, values) ? path.reference(payload) : encodeAlone(spec, payload),
    isComparable: (payload) =>
      path === undefined || !path.read(payload, values) || path.isComparable(payload),
  };
}

/** Linear symbols are few and small work for bwip-js; all their files derive from the same image. */
function barsRenderer(spec: CompleteSpec): Renderer {
  const { bcid, content } = symbologyTraits(spec.type);
  const gs1 = content === 'element-string';
  const draw = (payload: string, caption?: string): ModuleMatrix =>
    drawBars(gs1 ? withFnc1(payload) : payload, {
      bcid: gs1 ? 'code128' : bcid,
      parseFnc: gs1,
      includeCheck: bcid === 'code93',
      scale: spec.scale,
      quietZone: spec.quietZone,
      text: spec.text,
      ...(caption === undefined || content === 'gtin' ? {} : { caption }),
    });
  const asDrawn = { ...spec, scale: 1, quietZone: 0 };
  return {
    spec,
    fast: false,
    matrix: draw,
    png: (payload, caption) => imagePng(draw(payload, caption), spec),
    svg: (payload, caption) => matrixSvg(draw(payload, caption), asDrawn),
    eps: (payload, caption) => matrixEps(draw(payload, caption), asDrawn),
    zpl: (payload, caption) => matrixZpl(draw(payload, caption), asDrawn),
    reference: (payload) => draw(payload),
    isComparable: () => true,
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
      text: `^FNC1${payload.replaceAll(GROUP_SEPARATOR, '^FNC1')}`,
    });
  }
  return encodeReference(options);
}

/** A GS1 element string as bwip-js takes it: FNC1 in front and for each separator. CSET 82 has no `^` to escape. */
function withFnc1(elements: string): string {
  return `^FNC1${elements.replaceAll(GROUP_SEPARATOR, '^FNC1')}`;
}
