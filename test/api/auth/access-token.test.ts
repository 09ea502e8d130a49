import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'chai';
import { createAccessTokens } from '../../../shared/accounts/access-token.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token signed by hand with HS256. */
function forge(header: object, payload: object, key: Buffer | string): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

describe('Access tokens', () => {
  const ours = Buffer.alloc(32, 3);
  let api: PeopleApi;
  let person: Person;
  let payload: Record<string, unknown>;
  let header: Record<string, unknown>;
  before(async () => {
    api = await createPeopleApi();
    person = await api.person();
    const [head, body] = person.token.split('.') as [string, string];
    header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
    payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  });
  after(() => api.close());

  const tryToken = (token: string) =>
    api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);

  it('carry issuer, audience, type and key id, and no role', () => {
    expect(header).to.deep.equal({ alg: 'HS256', typ: 'at+jwt', kid: 'j1' });
    expect(payload).to.have.all.keys('iss', 'aud', 'sub', 'sid', 'iat', 'exp');
    expect(payload).to.include({
      iss: 'https://verify.example.com',
      aud: 'https://verify.example.com/api/v1',
      sub: person.userId,
    });
  });

  it('are accepted when forged with the real key, so that the refusals below are for their own reason', async () => {
    await tryToken(forge(header, payload, ours)).expect(200);
  });

  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const jwk = { kty: 'oct', k: Buffer.alloc(32, 9).toString('base64url') };
  const stranger = Buffer.alloc(32, 9);
  const attacks: Record<string, () => string> = {
    'no signature, alg none': () => `${encode({ ...header, alg: 'none' })}.${encode(payload)}.`,
    'alg none in mixed case': () => `${encode({ ...header, alg: 'nOnE' })}.${encode(payload)}.`,
    'alg none with a signature': () => forge({ ...header, alg: 'None' }, payload, ours),
    'no alg': () => forge({ typ: 'at+jwt', kid: 'j1' }, payload, ours),
    'another algorithm of the same key': () => {
      const signed = `${encode({ ...header, alg: 'HS512' })}.${encode(payload)}`;
      return `${signed}.${createHmac('sha512', ours).update(signed).digest('base64url')}`;
    },
    'RS256 with a key of their own': () => {
      const signed = `${encode({ ...header, alg: 'RS256' })}.${encode(payload)}`;
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
    },
    'HS256 with a public key as the secret': () => forge(header, payload, pem),
    'an empty key': () => forge(header, payload, ''),
    'an unknown key id': () => forge({ ...header, kid: 'j9' }, payload, ours),
    'no key id': () => forge({ alg: 'HS256', typ: 'at+jwt' }, payload, ours),
    'a key id that is a path': () => forge({ ...header, kid: '../../../../dev/null' }, payload, ''),
    'a key id of the prototype': () => forge({ ...header, kid: '__proto__' }, payload, ''),
    'its own key in jwk': () => forge({ ...header, jwk }, payload, stranger),
    'its own key at jku': () => forge({ ...header, jku: 'http://127.0.0.1:1/jwks.json' }, payload, stranger),
    'its own certificate at x5u': () => forge({ ...header, x5u: 'http://127.0.0.1:1/x' }, payload, stranger),
    'a critical extension': () => forge({ ...header, crit: ['exp2'], exp2: 1 }, payload, ours),
    'another audience': () => forge(header, { ...payload, aud: 'https://other.example' }, ours),
    'no audience': () => forge(header, { ...payload, aud: undefined }, ours),
    'another issuer': () => forge(header, { ...payload, iss: 'https://other.example' }, ours),
    'another type': () => forge({ ...header, typ: 'JWT' }, payload, ours),
    'no type': () => forge({ ...header, typ: undefined }, payload, ours),
    'an end in the past': () =>
      forge(header, { ...payload, iat: Number(payload.iat) - 700, exp: Number(payload.iat) - 100 }, ours),
    'no end': () => forge(header, { ...payload, exp: undefined }, ours),
    'an end far away': () => forge(header, { ...payload, iat: Number(payload.iat) - 3600, exp: 9e9 }, ours),
    'another session': () => forge(header, { ...payload, sid: 'sess_01h455vb4pex5vsknk084sn02q' }, ours),
    'a session of somebody else': () => forge(header, { ...payload, sub: person.orgId }, ours),
    'a changed payload': () => {
      const [head, , tail] = person.token.split('.') as [string, string, string];
      return `${head}.${encode({ ...payload, exp: Number(payload.exp) + 1 })}.${tail}`;
    },
    'a refresh token': () => person.cookie.split('=')[1]!,
    'a refresh token in three parts': () => `${person.cookie.split('=')[1]!}.a.b`,
  };
  for (const [name, make] of Object.entries(attacks)) {
    it(`are refused with ${name}`, async () => {
      const { body, headers } = await tryToken(make()).expect(401);
      expect(body.code).to.equal('UNAUTHENTICATED');
      expect(headers['www-authenticate']).to.be.a('string');
    });
  }

  it('are no API key', async () => {
    await api.http().get('/api/v1/products').set('X-Api-Key', person.token).expect(401);
  });

  it('are refused in the query string', async () => {
    await api.http().get(`/api/v1/auth/me?access_token=${person.token}`).expect(401);
    expect(api.logs.join('')).not.to.include(person.token);
  });

  it('of the previous key work on after a rotation of the keys, and new ones have the new key', async () => {
    const config = { issuer: 'https://verify.example.com', old: { id: 'j1', bytes: ours } };
    const rotated = createAccessTokens(
      api.clock,
      [{ id: 'j2', bytes: Buffer.alloc(32, 8) }, config.old],
      config.issuer,
    );
    expect(await rotated.verify(person.token)).to.have.property('userId', person.userUuid);
    const fresh = await rotated.issue({ userId: person.userUuid, sessionId: person.userUuid });
    expect(JSON.parse(Buffer.from(fresh.split('.')[0]!, 'base64url').toString())).to.include({ kid: 'j2' });
    const withoutOld = createAccessTokens(
      api.clock,
      [{ id: 'j2', bytes: Buffer.alloc(32, 8) }],
      config.issuer,
    );
    expect(await withoutOld.verify(person.token)).to.equal(null);
  });
});
