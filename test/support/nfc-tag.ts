/** An NFC tag that signs its taps, as an NTAG 424 DNA does (NXP AN12196): what it puts behind the address, tap after tap. */
import { createCipheriv } from 'node:crypto';
import { aesCmac } from '../../shared/nfc/cmac.ts';

export interface TestTag {
  /** The next tap. @returns a query, without its question mark */
  tap(): string;
  /** The same in plain. */
  tapInPlain(): string;
}

const UID = Buffer.from('04de5f1eacc040', 'hex');

/** @param key of 16 bytes; another one is another tag's */
export function createTag(key: Buffer, uid = UID): TestTag {
  let counter = 0;
  const macOf = (bytes: Buffer) => {
    const own = aesCmac(key, Buffer.concat([Buffer.from('3cc300010080', 'hex'), uid, bytes]));
    return aesCmac(own, Buffer.alloc(0)).filter((_, n) => n % 2 === 1);
  };
  const next = () => {
    counter += 1;
    const bytes = Buffer.alloc(3);
    bytes.writeUIntLE(counter, 0, 3);
    return bytes;
  };
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();
  return {
    tap() {
      const bytes = next();
      const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
      const told = cipher.update(Buffer.concat([Buffer.from([0xc7]), uid, bytes, Buffer.alloc(5, 7)]));
      return `picc_data=${hex(told)}&cmac=${hex(macOf(bytes))}`;
    },
    tapInPlain() {
      const bytes = next();
      return `uid=${hex(uid)}&ctr=${hex(Buffer.from(bytes).reverse())}&cmac=${hex(macOf(bytes))}`;
    },
  };
}
