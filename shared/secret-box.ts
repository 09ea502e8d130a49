import { createCipheriv, createDecipheriv, randomBytes as nodeRandomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** Where a secret belongs; it opens nowhere else, so a row copied to another owner is worthless. */
export interface SecretOwner {
  /** UUID. */
  organizationId: string;
  /** What the secret is of, with its kind in front, e.g. `webhook-endpoint:<uuid>`: no two uses may coincide. */
  resource: string;
}

export interface SecretBox {
  /** @returns text for the database; another one each time, since the nonce is fresh. */
  seal(plaintext: string, owner: SecretOwner): string;
  /** @throws SecretBoxError if the text is damaged, belongs to another owner, or its key is not in the ring. */
  open(sealed: string, owner: SecretOwner): string;
  /** What a text that is sealed with the current key begins with; whatever does not should be sealed again. */
  readonly currentPrefix: string;
}

/** Says what is wrong in general terms; never holds a key, the text or what is in it. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

/** 96 random bits: GCM's own nonce size; random is safe for 2^32 seals under one key (NIST SP 800-38D §8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = /^v1\.([a-z0-9]{1,16})\.([A-Za-z0-9_-]+)$/;

/**
 * Encrypts the secrets that we need back in clear (webhook signing secrets, stored responses) with AES-256-GCM, bound to their owner as
 * associated data. A sealed text is `v1.<key id>.<base64url of nonce, ciphertext, tag>`.
 * @param keyring the first key seals, all of them open; rotation is a new key in front
 * @param randomBytes source of nonces, replaceable in tests
 */
export function createSecretBox(
  keyring: Keyring,
  randomBytes: (size: number) => Buffer = nodeRandomBytes,
): SecretBox {
  const [current] = keyring;
  const prefix = `v1.${current.id}.`;
  return {
    seal(plaintext, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(current.id, owner));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return prefix + sealed.toString('base64url');
    },
    open(sealed, owner) {
      const { keyId, bytes } = parse(sealed);
      const key = keyring.find(({ id }) => id === keyId);
      if (key === undefined)
        throw new SecretBoxError(`the key "${keyId}" of this secret is not in the keyring`);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(key.id, owner));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch {
        throw new SecretBoxError('the secret is damaged or belongs to another owner');
      }
    },
    currentPrefix: prefix,
  };
}

function parse(sealed: string): { keyId: string; bytes: Buffer } {
  const [, keyId = '', encoded = ''] = FORMAT.exec(sealed) ?? [];
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretBoxError('this is not a sealed secret');
  return { keyId, bytes };
}

/** JSON keeps the parts apart, whatever characters are in them. */
function associatedData(keyId: string, { organizationId, resource }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify(['secret', 'v1', keyId, organizationId, resource]));
}
