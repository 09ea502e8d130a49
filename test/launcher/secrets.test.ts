import { expect } from 'chai';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadSecrets } from '../../launcher/secrets.ts';
import { makeScratch } from '../support/scratch.ts';

describe('loadSecrets', () => {
  const scratch = makeScratch();
  const file = path.join(scratch.folder, 'data', 'secrets.json');
  const load = (makers?: Record<string, () => string>) => loadSecrets(path.dirname(file), makers);
  after(() => scratch.remove());

  it('makes each secret in the shape that the configuration expects, readable by its owner only', () => {
    const secrets = load();
    for (const name of ['TOKEN_KEYS', 'SECRET_BOX_KEYS', 'JWT_KEYS']) {
      expect(secrets[name], name).to.match(/^k1:[A-Za-z0-9+/]{43}=$/);
    }
    expect(Buffer.from(secrets['API_KEY_PEPPER']!, 'base64')).to.have.length(32);
    expect(secrets['OPERATOR_PASSWORD']).to.match(/^[A-Za-z0-9_-]{24}$/);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it('never replaces a secret, and adds one that a newer version needs', () => {
    const before = load();
    expect(load({ TOKEN_KEYS: () => 'other', NEW_SECRET: () => 'new' })).to.deep.equal({
      ...before,
      NEW_SECRET: 'new',
    });
    expect(load()).to.deep.equal({ ...before, NEW_SECRET: 'new' });
  });

  it('refuses a damaged file instead of making new keys over it', () => {
    writeFileSync(file, '{"TOKEN_KEYS": "k1:');
    expect(() => load()).to.throw(/secrets\.json cannot be read/);
    expect(readFileSync(file, 'utf8')).to.equal('{"TOKEN_KEYS": "k1:');
  });
});
