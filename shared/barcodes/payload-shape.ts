/**
 * What the payloads of one job have in common: `prefix`, then `length` characters of `alphabet`, then `suffix`.
 * A table is learned per shape, so payloads that share everything but their serials share one table.
 */
export interface PayloadShape {
  readonly prefix: string;
  /** Characters that vary. */
  readonly length: number;
  /** Every character that may stand in a varying place, each once. */
  readonly alphabet: string;
  readonly suffix: string;
}

/** Whether the payload has this shape. */
export function hasShape(shape: PayloadShape, payload: string): boolean {
  if (payload.length !== shape.prefix.length + shape.length + shape.suffix.length) return false;
  if (!payload.startsWith(shape.prefix) || !payload.endsWith(shape.suffix)) return false;
  for (let at = 0; at < shape.length; at += 1) {
    if (!shape.alphabet.includes(payload[shape.prefix.length + at]!)) return false;
  }
  return true;
}

/** Names the shape, for a cache of tables. */
export function shapeKey(shape: PayloadShape): string {
  return JSON.stringify([shape.prefix, shape.length, shape.alphabet, shape.suffix]);
}

/**
 * A payload of the shape in which nothing invites an encoder to change its mode: letters where the alphabet has any. The same for the same shape, in every process.
 */
export function templatePayload(shape: PayloadShape): string {
  const characters = templateAlphabet(shape);
  let middle = '';
  for (let at = 0, state = 7; at < shape.length; at += 1) {
    state = (state * 75 + 74) % 65_537;
    middle += characters[state % characters.length]!;
  }
  return shape.prefix + middle + shape.suffix;
}

/**
 * The characters that templates are made of: small letters where the alphabet has any (only byte mode holds them),
 * else its capitals, else all of it.
 */
export function templateAlphabet({ alphabet }: PayloadShape): string {
  return alphabet.replace(/[^a-z]/g, '') || alphabet.replace(/[^A-Z]/g, '') || alphabet;
}
