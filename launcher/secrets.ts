/** The secrets of a private stack: made at its first start, kept with its data. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type SecretMakers = Record<string, () => string>;

const keyRing = () => `k1:${randomBytes(32).toString('base64')}`;

/** Names are those of the environment; rings are `id:base64`, the first key being the current one. */
export const SECRETS: SecretMakers = {
  TOKEN_KEYS: keyRing,
  SECRET_BOX_KEYS: keyRing,
  API_KEY_PEPPER: () => randomBytes(32).toString('base64'),
  JWT_KEYS: keyRing,
  OPERATOR_PASSWORD: () => randomBytes(18).toString('base64url'),
};

/**
 * Reads `secrets.json` (mode 600) in the data folder, creating it, and whatever a newer version needs besides.
 * A secret is never replaced: printed codes and stored digests depend on it.
 * @throws when the file is there but cannot be read as JSON.
 */
export function loadSecrets(dataDir: string, makers: SecretMakers = SECRETS): Record<string, string> {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'secrets.json');
  const known = read(file);
  const missing = Object.entries(makers).filter(([name]) => known[name] === undefined);
  const all = { ...known, ...Object.fromEntries(missing.map(([name, make]) => [name, make()])) };
  if (missing.length > 0) {
    // Written beside and renamed: a crash in between must not cost the keys that are there.
    writeFileSync(`${file}.new`, JSON.stringify(all, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return all;
}

function read(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
