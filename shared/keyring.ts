/**
 * Keyrings: named 256-bit keys, the current one first. Rotation is "put a new key in front":
 * new values are made with the first key, old ones are still read with the others.
 */
export interface Key {
  /** Short name that is stored beside what the key protects, e.g. `k2`. */
  id: string;
  /** Exactly 32 bytes. */
  bytes: Buffer;
}

/** The current key first, then the previous ones; never empty. */
export type Keyring = readonly [Key, ...Key[]];

const ENTRY = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads `k2:<base64>,k1:<base64>`.
 * @throws Error with a message that names the entry's position and never its value.
 */
export function parseKeyring(text: string): Keyring {
  const keys = text.split(',').map((entry, index): Key => {
    const match = ENTRY.exec(entry.trim());
    if (!match) {
      throw new Error(`entry ${index + 1} is not "<id>:<base64 of exactly 32 bytes>"`);
    }
    return { id: match[1]!, bytes: Buffer.from(match[2]!, 'base64') };
  });
  const [first, ...rest] = keys;
  if (first === undefined) throw new Error('at least one key is needed');
  if (new Set(keys.map((key) => key.id)).size !== keys.length) throw new Error('two keys have the same id');
  return [first, ...rest];
}
