/** A prefix code of deflate: the length of each symbol's code in bits (0: unused) and the code itself, bit-reversed. */
export interface PrefixCode {
  readonly lengths: Uint8Array;
  /** Deflate sends codes from their highest bit on into bytes filled from their lowest: hence reversed. */
  readonly codes: Uint16Array;
}

/**
 * Huffman's code for these frequencies, no longer than `limit` bits, made canonical (RFC 1951, 3.2.2).
 * Symbols of frequency 0 get no code; a single used symbol gets one bit.
 */
export function prefixCode(frequencies: ArrayLike<number>, limit: number): PrefixCode {
  const counts = Array.from(frequencies);
  let lengths = huffmanLengths(counts);
  // Halving flattens the distribution until the deepest leaf fits; alphabets here are small, so this ends soon.
  while (Math.max(...lengths) > limit) {
    for (const [symbol, count] of counts.entries()) if (count > 0) counts[symbol] = (count >>> 1) + 1;
    lengths = huffmanLengths(counts);
  }
  return { lengths, codes: canonicalCodes(lengths) };
}

interface Node {
  weight: number;
  symbols: number[];
}

function huffmanLengths(counts: readonly number[]): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const nodes: Node[] = [];
  for (const [symbol, weight] of counts.entries()) if (weight > 0) nodes.push({ weight, symbols: [symbol] });
  if (nodes.length === 1) lengths[nodes[0]!.symbols[0]!] = 1;
  while (nodes.length > 1) {
    nodes.sort((a, b) => b.weight - a.weight);
    const a = nodes.pop()!;
    const b = nodes.pop()!;
    const symbols = [...a.symbols, ...b.symbols];
    for (const symbol of symbols) lengths[symbol]! += 1;
    nodes.push({ weight: a.weight + b.weight, symbols });
  }
  return lengths;
}

function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= 15; length += 1) {
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] !== length) continue;
      codes[symbol] = reverseBits(code, length);
      code += 1;
    }
    code <<= 1;
  }
  return codes;
}

function reverseBits(value: number, width: number): number {
  let reversed = 0;
  for (let bit = 0; bit < width; bit += 1) reversed |= ((value >>> bit) & 1) << (width - 1 - bit);
  return reversed;
}
