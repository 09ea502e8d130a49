import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority, type ServerCertificate, type Validity } from '../../launcher/tls.ts';

export interface TestCa {
  caPem: string;
  /** The same in a file of the temporary folder, for `NODE_EXTRA_CA_CERTS` and `caFile`. */
  caFile: string;
  certFor(host: string | readonly string[], validity?: Validity): ServerCertificate;
}

/** An authority of its own for a test file, with its certificate on disk. */
export function createTestCa(): TestCa {
  const authority = createCertificateAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-ca-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  return {
    caPem: authority.caPem,
    caFile,
    certFor: (host, validity) => authority.certFor(typeof host === 'string' ? [host] : host, validity),
  };
}
