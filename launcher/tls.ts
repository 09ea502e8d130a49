import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A throw-away certificate authority for the demo and the tests, which speak real HTTPS to receivers on this machine.
 * Node's crypto makes keys and signatures but no certificates, so their DER is written here (RFC 5280, ECDSA P-256);
 * that is less code than the packages for it, and needs no openssl binary.
 */

export interface ServerCertificate {
  certPem: string;
  keyPem: string;
}

export interface CertificateAuthority {
  caPem: string;
  /** A server certificate for these host names and IP addresses, signed by this authority. */
  certFor(hosts: readonly string[], validity?: Validity): ServerCertificate;
}

export interface Validity {
  notBefore: Date;
  notAfter: Date;
}

const DAY_MS = 86_400_000;

const OID = {
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/** Creates an authority that is valid from yesterday for ten days. */
export function createCertificateAuthority(name = 'Touchstone test CA'): CertificateAuthority {
  const ca = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 10 * DAY_MS) };
  const caPem = certificate({
    subject: name,
    publicKey: ca.publicKey,
    issuer: name,
    signWith: ca.privateKey,
    validity,
    extensions: [
      extension(OID.basicConstraints, true, sequence(tagged(0x01, Buffer.from([0xff])))),
      // keyCertSign and cRLSign: bits 5 and 6, one unused bit.
      extension(OID.keyUsage, true, tagged(0x03, Buffer.from([1, 0x06]))),
      extension(OID.subjectKeyIdentifier, false, tagged(0x04, keyIdentifier(ca.publicKey))),
    ],
  });
  return {
    caPem,
    certFor(hosts, serverValidity = validity) {
      const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const certPem = certificate({
        subject: hosts[0] ?? 'localhost',
        publicKey: server.publicKey,
        issuer: name,
        signWith: ca.privateKey,
        validity: serverValidity,
        extensions: [
          extension(OID.basicConstraints, true, sequence()),
          // digitalSignature: bit 0, seven unused bits.
          extension(OID.keyUsage, true, tagged(0x03, Buffer.from([7, 0x80]))),
          extension(OID.extendedKeyUsage, false, sequence(oid(OID.serverAuth))),
          extension(OID.subjectAltName, false, sequence(...hosts.map(generalName))),
          extension(OID.authorityKeyIdentifier, false, sequence(tagged(0x80, keyIdentifier(ca.publicKey)))),
          extension(OID.subjectKeyIdentifier, false, tagged(0x04, keyIdentifier(server.publicKey))),
        ],
      });
      return { certPem, keyPem: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

function certificate(parts: {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  signWith: KeyObject;
  validity: Validity;
  extensions: Buffer[];
}): string {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  // A positive serial number of 16 bytes.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    algorithm,
    distinguishedName(parts.issuer),
    sequence(time(parts.validity.notBefore), time(parts.validity.notAfter)),
    distinguishedName(parts.subject),
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...parts.extensions)),
  );
  const signature = createSign('sha256').update(signed).sign(parts.signWith);
  const der = sequence(signed, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [tagged(0x01, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...flag, tagged(0x04, value));
}

function generalName(host: string): Buffer {
  return isIP(host) === 0
    ? tagged(0x82, Buffer.from(host, 'ascii'))
    : tagged(0x87, Buffer.from(ipaddr.parse(host).toByteArray()));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(OID.commonName), tagged(0x0c, Buffer.from(commonName, 'utf8')))));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** UTCTime, which RFC 5280 wants for years before 2050. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(digits.slice(2), 'ascii'));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}

function sequence(...items: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(items));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
