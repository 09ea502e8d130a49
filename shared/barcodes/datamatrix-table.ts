import { type AffineTable, learnAffineTable } from './affine-table.ts';
import {
  encodeByPlan,
  type EncodationPlan,
  FNC1,
  type Place,
  planEncodation,
} from './datamatrix-encodation.ts';
import { GROUP_SEPARATOR } from '../gs1/element-string.ts';
import type { ModuleMatrix } from './module-matrix.ts';
import { hasShape, type PayloadShape, templatePayload } from './payload-shape.ts';
import { encodeReference } from './reference-encoder.ts';

/** One shape of Data Matrix symbols, learned. */
export interface DataMatrixTable {
  readonly table: AffineTable;
  readonly units: number;
  /** Fills `values` from a payload; false when the payload is not of the shape. */
  read(payload: string, values: Uint16Array): boolean;
  /** The same symbol straight from bwip-js, which gets the planned codewords. */
  reference(payload: string): ModuleMatrix;
  /** Always: the reference is not free to choose. */
  isComparable(payload: string): boolean;
}

/**
 * Learns the Data Matrix symbols of one shape. The unit of variation is the codeword: bwip-js takes codewords as
 * they are (`raw`), so each can be varied bit by bit.
 * @param gs1 the payload is a GS1 element string: FNC1 goes first, and stands for each GS.
 * @returns undefined when the shape does not fit the plan: characters beyond 7 bits, or too many of them.
 */
export function learnDataMatrixTable(shape: PayloadShape, gs1: boolean): DataMatrixTable | undefined {
  const plan = planEncodation(placesOf(shape, gs1));
  if (plan === undefined) return undefined;
  const template = encodeByPlan(plan, codesOf(templatePayload(shape), gs1));
  const varying = varyingCodewords(plan, shape, gs1);

  const table = learnAffineTable({
    widths: varying.map(() => 8),
    template: varying.map((index) => template[index]!),
    *ordinary(unit) {
      for (let bit = 0; bit < 8; bit += 1) yield template[varying[unit]!]! ^ (1 << bit);
    },
    *reachable() {
      for (let value = 0; value < 256; value += 1) yield value;
    },
    encode(values) {
      const codewords = Array.from(template);
      for (const [unit, value] of values.entries()) codewords[varying[unit]!] = value;
      return encodeCodewords(codewords, plan.size);
    },
  });
  if (table === undefined) return undefined;
  return {
    table,
    units: varying.length,
    read(payload, values) {
      if (!hasShape(shape, payload)) return false;
      const codewords = encodeByPlan(plan, codesOf(payload, gs1));
      for (let unit = 0; unit < varying.length; unit += 1) values[unit] = codewords[varying[unit]!]!;
      return true;
    },
    isComparable: () => true,
    reference: (payload) => encodeCodewords(encodeByPlan(plan, codesOf(payload, gs1)), plan.size),
  };
}

function encodeCodewords(codewords: readonly number[], size: number): ModuleMatrix {
  return encodeReference({
    bcid: 'datamatrix',
    raw: true,
    version: `${size}x${size}`,
    text: codewords.map((codeword) => `^${String(codeword).padStart(3, '0')}`).join(''),
  });
}

function codesOf(payload: string, gs1: boolean): number[] {
  const codes: number[] = gs1 ? [FNC1] : [];
  for (let at = 0; at < payload.length; at += 1) {
    const code = payload.charCodeAt(at);
    codes.push(gs1 && code === GROUP_SEPARATOR.charCodeAt(0) ? FNC1 : code);
  }
  return codes;
}

function placesOf(shape: PayloadShape, gs1: boolean): Place[] {
  let varying: Place = 'ascii';
  if (/^[0-9]+$/.test(shape.alphabet)) varying = 'digit';
  else if (/^[0-9A-Z ]+$/.test(shape.alphabet)) varying = 'capital';
  else if (/[^\0-\x7f]/.test(shape.alphabet)) varying = 128;
  return [
    ...codesOf(shape.prefix, gs1),
    ...Array.from({ length: shape.length }, () => varying),
    ...codesOf(shape.suffix, false),
  ];
}

/** The codewords that any varying character reaches. A plan gives the same count of codewords for every payload. */
function varyingCodewords(plan: EncodationPlan, shape: PayloadShape, gs1: boolean): number[] {
  const first = shape.alphabet[0]!;
  const others = Array.from(shape.alphabet);
  const base = encodeByPlan(plan, codesOf(shape.prefix + first.repeat(shape.length) + shape.suffix, gs1));
  const varying = new Set<number>();
  for (let at = 0; at < shape.length; at += 1) {
    for (const other of others) {
      const middle = first.repeat(at) + other + first.repeat(shape.length - at - 1);
      const codewords = encodeByPlan(plan, codesOf(shape.prefix + middle + shape.suffix, gs1));
      for (const [index, codeword] of codewords.entries()) if (codeword !== base[index]) varying.add(index);
    }
  }
  return [...varying].sort((a, b) => a - b);
}
