import { expect } from 'chai';
import { parseKeyring } from '../../shared/keyring.ts';
import { createSecretBox, SecretBoxError } from '../../shared/secret-box.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const older = createSecretBox(parseKeyring(`k1:${key(1)}`));
const rotated = createSecretBox(parseKeyring(`k2:${key(2)},k1:${key(1)}`));
const owner = { organizationId: 'org-1', resource: 'endpoint-1' };
const secret = 'whsec_AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o=';

describe('the box for secrets at rest', () => {
  it('gives back what was sealed, and shows nothing of it', () => {
    const sealed = rotated.seal(secret, owner);
    expect(sealed).to.match(/^v1\.k2\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split('.')[2]!, 'base64url').includes('whsec_')).to.equal(false);
    expect(rotated.open(sealed, owner)).to.equal(secret);
    expect(rotated.open(rotated.seal('', owner), owner)).to.equal('');
  });

  it('never seals with the same nonce twice', () => {
    const sealed = new Set(Array.from({ length: 1000 }, () => rotated.seal(secret, owner)));
    const nonces = new Set([...sealed].map((text) => text.split('.')[2]!.slice(0, 16)));
    expect(nonces.size).to.equal(1000);
  });

  it('opens for its own organization and endpoint only', () => {
    const sealed = rotated.seal(secret, owner);
    for (const other of [
      { organizationId: 'org-2', resource: 'endpoint-1' },
      { organizationId: 'org-1', resource: 'endpoint-2' },
      { organizationId: 'org-1","endpoint', resource: '-1' },
    ]) {
      expect(() => rotated.open(sealed, other)).to.throw(SecretBoxError, 'another owner');
    }
  });

  it('opens what the previous key sealed, and says that it should be sealed again', () => {
    const sealed = older.seal(secret, owner);
    expect(rotated.open(sealed, owner)).to.equal(secret);
    expect(sealed.startsWith(rotated.currentPrefix)).to.equal(false);
    expect(rotated.seal(secret, owner).startsWith(rotated.currentPrefix)).to.equal(true);
  });

  it('does not open without the key, nor under another key’s name', () => {
    const sealed = rotated.seal(secret, owner);
    expect(() => older.open(sealed, owner)).to.throw(SecretBoxError, '"k2"');
    expect(() => rotated.open(sealed.replace('v1.k2.', 'v1.k1.'), owner)).to.throw(SecretBoxError);
  });

  it('notices a change of any single byte', () => {
    const [version, keyId, text] = rotated.seal(secret, owner).split('.');
    const bytes = Buffer.from(text!, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => rotated.open(`${version}.${keyId}.${changed.toString('base64url')}`, owner)).to.throw(
        SecretBoxError,
      );
    }
  });

  it('refuses what is no sealed secret, and never repeats it', () => {
    for (const text of [
      '',
      secret,
      'v1.k2.',
      'v1.k2.AAAA',
      'v2.k2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ]) {
      expect(() => rotated.open(text, owner))
        .to.throw(SecretBoxError)
        .with.property('message')
        .that.does.not.include('whsec_');
    }
  });
});
