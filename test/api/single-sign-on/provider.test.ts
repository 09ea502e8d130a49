import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { resealStale } from '../../../shared/reseal.ts';
import { createSecretBox } from '../../../shared/secret-box.ts';
import {
  authorizationUrl,
  createProviderCalls,
  identityOf,
  metadataOf,
  type ProviderCalls,
} from '../../../shared/single-sign-on/provider.ts';
import { serveSingleSignOn, type IdentifyDeps } from '../../../shared/single-sign-on/identify.ts';
import { clientOf, findProvider, PROVIDER_SECRETS } from '../../../shared/single-sign-on/service.ts';
import { startIdentityProvider, type IdentityProvider } from '../../support/identity-provider.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';
import { createTestCa } from '../../support/tls.ts';

const PATH = '/organization/single-sign-on';
const REDIRECT_URL = 'https://verify.example.com/sso/callback';

describe('the provider of an organization’s single sign-on', () => {
  let api: PeopleApi;
  let idp: IdentityProvider;
  let calls: ProviderCalls;
  let deps: IdentifyDeps;

  before(async () => {
    api = await createPeopleApi({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
    idp = await startIdentityProvider({ redirectUrl: REDIRECT_URL });
    calls = createProviderCalls({ allowedCidrs: ['127.0.0.0/8'], caFile: idp.ca.caFile });
    deps = { ...api.deps, providers: calls, leaseSeconds: 60, stopping: new AbortController().signal };
  });
  // No look at what another test left.
  afterEach(() => api.database.pool.query('delete from sign_in_providers'));
  after(async () => {
    await calls.close();
    await idp.close();
    await api.close();
  });

  const work = (given = deps) => serveSingleSignOn(given);
  const put = (person: Person, more: object = {}) =>
    person.put(PATH, { issuer: idp.issuer, ...idp.client, ...more });
  const begin = ({ orgId: organizationId }: Person) =>
    api.http().post('/api/v1/auth/single-sign-on').send({ organizationId });
  const read = async (person: Person) => (await person.get(PATH).expect(200)).body;

  it('is looked at by a worker, and says what it has to be told', async () => {
    const owner = await api.person('owner');
    const links = { redirectUrl: REDIRECT_URL, signInUrl: `https://verify.example.com/sso/${owner.orgId}` };
    expect(await read(owner)).to.deep.equal({ provider: null, ...links });
    const { body } = await put(owner).expect(200);
    const now = api.clock.now().toISOString();
    expect(body).to.deep.equal({
      provider: {
        issuer: idp.issuer,
        clientId: 'touchstone',
        required: false,
        newcomerRole: null,
        status: 'pending',
        problem: null,
        provenAt: null,
        lastCheckedAt: null,
        isChecking: true,
        createdAt: now,
        updatedAt: now,
      },
      ...links,
    });
    // Nobody is led to what was never read.
    await begin(owner).expect(404);
    await work();
    expect((await read(owner)).provider).to.include({
      status: 'ready',
      lastCheckedAt: now,
      isChecking: false,
    });
    await begin(owner).expect(200);
    const entries = (await owner.get('/audit-log?action=setSingleSignOn').expect(200)).body.data;
    expect(entries).to.have.length(1);
    const rows = await api.database.pool.query('select * from sign_in_providers');
    for (const where of [JSON.stringify(entries), JSON.stringify(rows.rows), api.logs.join('\n')])
      expect(where).not.to.contain(idp.client.clientSecret);
  });

  it('is read again after a day, keeps what it was while it does not answer, and says so', async () => {
    const owner = await api.person('owner');
    await put(owner).expect(200);
    await work();
    const away = createProviderCalls({ allowedCidrs: [] });
    const asAway = { ...deps, providers: away };
    api.clock.advance(24 * 3600 - 1);
    expect(await work(asAway)).to.equal(0);
    api.clock.advance(1);
    expect(await work(asAway)).to.equal(1);
    // Sessions do not last so long.
    const later = async () => {
      const { body: session } = await api.signIn(owner.email).expect(200);
      const asked = api.http().get(`/api/v1${PATH}`).set('Authorization', `Bearer ${session.accessToken}`);
      return (await asked.expect(200)).body.provider;
    };
    expect(await later()).to.include({ status: 'ready', problem: 'UNREACHABLE' });
    await begin(owner).expect(200);
    api.clock.advance(590);
    expect(await work()).to.equal(0);
    api.clock.advance(10);
    expect(await work()).to.equal(1);
    expect(await later()).to.include({ status: 'ready', problem: null });
    await away.close();
  });

  it('tells what is no provider, and looks again when asked', async () => {
    const owner = await api.person('owner');
    await put(owner, { issuer: `${idp.issuer}/nothing-here` }).expect(200);
    await work();
    expect((await read(owner)).provider).to.include({ status: 'failed', problem: 'NO_PROVIDER' });
    const asked = await owner.post(`${PATH}/check`).expect(202);
    expect(asked.body.provider.isChecking).to.equal(true);
    expect(await work()).to.equal(1);
    const unsupported: ProviderCalls = { ...calls, discover: async () => ({ problem: 'UNSUPPORTED' }) };
    await owner.post(`${PATH}/check`).expect(202);
    await work({ ...deps, providers: unsupported });
    expect((await read(owner)).provider.problem).to.equal('UNSUPPORTED');
    // The address of the document, as one finds it at a provider.
    await put(owner, { issuer: ` ${idp.issuer}/.well-known/openid-configuration ` }).expect(200);
    await work();
    expect((await read(owner)).provider).to.include({ issuer: idp.issuer, status: 'ready' });
  });

  it('leaves a look alone whose provider was changed meanwhile', async () => {
    const owner = await api.person('owner');
    await put(owner).expect(200);
    const stopping = new AbortController();
    const racing: ProviderCalls = {
      ...calls,
      async discover(issuer) {
        stopping.abort();
        if (issuer === idp.issuer) await put(owner, { issuer: `${idp.issuer}/other` }).expect(200);
        return calls.discover(issuer);
      },
    };
    await serveSingleSignOn({ ...deps, providers: racing, stopping: stopping.signal });
    expect((await read(owner)).provider).to.include({
      issuer: `${idp.issuer}/other`,
      status: 'pending',
      isChecking: true,
    });
    await work();
    expect((await read(owner)).provider.status).to.equal('failed');
  });

  it('keeps the secret that is left out, for the same client alone', async () => {
    const owner = await api.person('owner');
    const refused = await owner.put(PATH, { issuer: idp.issuer, clientId: 'touchstone' }).expect(422);
    expect(refused.body.errors).to.deep.include({
      path: 'clientSecret',
      code: 'REQUIRED',
      message: 'is required for another issuer or client',
    });
    expect((await read(owner)).provider).to.equal(null);
    await put(owner).expect(200);
    await work();
    await owner.put(PATH, { issuer: idp.issuer, clientId: 'touchstone', newcomerRole: 'viewer' }).expect(200);
    await work();
    expect((await read(owner)).provider).to.include({ newcomerRole: 'viewer', status: 'ready' });
    await owner.put(PATH, { issuer: idp.issuer, clientId: 'another' }).expect(422);
  });

  it('takes a change on condition that nobody else made one', async () => {
    const owner = await api.person('owner');
    const { body } = await put(owner, { expectedUpdatedAt: null }).expect(200);
    await put(owner, { expectedUpdatedAt: null, required: true }).expect(409);
    api.clock.advance(1);
    const { updatedAt } = body.provider;
    await put(owner, { expectedUpdatedAt: updatedAt, required: true }).expect(200);
    const { body: refused } = await put(owner, { expectedUpdatedAt: updatedAt, required: false }).expect(409);
    expect(refused.code).to.equal('CONFLICT');
    expect((await read(owner)).provider.required).to.equal(true);
  });

  it('is an owner’s to decide about, and each organization’s own', async () => {
    const owner = await api.person('owner');
    await put(owner).expect(200);
    for (const role of ['administrator', 'analyst', 'viewer'] as const) {
      const person = await api.person(role, owner.orgUuid);
      await put(person).expect(403);
      await person.post(`${PATH}/check`).expect(403);
      await person.delete(PATH).expect(403);
      await person.get(PATH).expect(role === 'administrator' ? 200 : 403);
    }
    const other = await api.person('owner');
    expect((await read(other)).provider).to.equal(null);
    await other.delete(PATH).expect(404);
    await other.post(`${PATH}/check`).expect(404);
    expect((await read(owner)).provider).not.to.equal(null);
  });

  it('refuses addresses that lead inside, and changes nothing', async () => {
    const owner = await api.person('owner');
    const codes: Record<string, string> = {
      'http://login.example.com': 'URL_NOT_HTTPS',
      'https://169.254.169.254/': 'URL_PRIVATE_ADDRESS',
      'https://10.0.0.7': 'URL_PRIVATE_ADDRESS',
      'https://a:b@login.example.com': 'URL_CREDENTIALS',
      'https://login.example.com/#x': 'URL_FRAGMENT',
      'https://login.example.com:22': 'URL_PORT',
      'https://login.example.com/.well-known/openid-configuration?of=x': 'INVALID',
    };
    for (const [issuer, code] of Object.entries(codes)) {
      const { body } = await put(owner, { issuer }).expect(422);
      expect(body.errors[0], issuer).to.include({ path: 'issuer', code });
    }
    await put(owner, { newcomerRole: 'owner' }).expect(422);
    expect((await read(owner)).provider).to.equal(null);
    // A name that leads inside is found where it is connected to.
    const outside = createProviderCalls({ allowedCidrs: [], caFile: idp.ca.caFile });
    const before = idp.asked.length;
    expect(await outside.discover(idp.issuer)).to.deep.equal({ problem: 'UNREACHABLE' });
    expect(idp.asked).to.have.length(before);
    await outside.close();
  });

  it('seals its secret for the organization, again where the key was changed', async () => {
    const owner = await api.person('owner');
    await put(owner).expect(200);
    const [old] = api.deps.config.SECRET_BOX_KEYS;
    const newer = { id: 's2', bytes: Buffer.alloc(32, 9) };
    const both = createSecretBox([newer, old]);
    expect(await resealStale({ db: api.deps.db, secretBox: both }, [PROVIDER_SECRETS])).to.deep.equal({
      resealed: 1,
      unreadable: 0,
    });
    const row = (await findProvider(api.deps.db, owner.orgUuid))!;
    const alone = createSecretBox([newer]);
    expect(clientOf(alone, row).clientSecret).to.equal(idp.client.clientSecret);
    expect(() => clientOf(alone, { ...row, org_id: row.id })).to.throw();
  });
});

describe('what providers may be like', () => {
  const identifyAt = async (options: Omit<Parameters<typeof startIdentityProvider>[0], 'redirectUrl'>) => {
    const idp = await startIdentityProvider({ redirectUrl: REDIRECT_URL, ...options });
    const calls = createProviderCalls({ allowedCidrs: ['127.0.0.0/8'], caFile: idp.ca.caFile });
    try {
      idp.accounts.set('ana', { email: 'Ana@Example.com', email_verified: true, name: 'Ana' });
      const found = await calls.discover(idp.issuer);
      if ('problem' in found) throw new Error(found.problem);
      const client = { metadata: found.metadata, ...idp.client };
      const secrets = { state: 'state-of-a-test', nonce: 'nonce-of-a-test', codeVerifier: 'v'.repeat(43) };
      const url = await authorizationUrl(client, REDIRECT_URL, secrets, null);
      const back = await idp.visit(url.href, 'ana');
      return { identity: await calls.identify(client, back, secrets), asked: idp.asked };
    } finally {
      await calls.close();
      await idp.close();
    }
  };
  const ana = { subject: 'ana', email: 'ana@example.com', isEmailVerified: true, name: 'Ana' };

  it('takes a secret in the body where the client is set to that', async () => {
    const { identity, asked } = await identifyAt({ authMethod: 'client_secret_post' });
    expect(identity).to.deep.equal(ana);
    expect(asked.filter((each) => each === 'POST /token')).to.have.length(2);
  });

  it('asks for the address at the userinfo endpoint where the ID token has none', async () => {
    const { identity, asked } = await identifyAt({ claimsInIdToken: false });
    expect(identity).to.include({ subject: 'ana', email: 'ana@example.com' });
    expect(asked).to.include('GET /me');
  });

  it('believes Google about addresses of a company’s own accounts alone', () => {
    const at = (issuer: string, claims: object) =>
      identityOf(issuer, { sub: '1', email: 'ana@brand.example', email_verified: true, ...claims })
        .isEmailVerified;
    const google = 'https://accounts.google.com';
    expect(at(google, { hd: 'Brand.example' })).to.equal(true);
    // Of a company with several domains the first.
    expect(at(google, { hd: 'brand.com' })).to.equal(true);
    // An account that somebody made with the address, and kept when they left.
    expect(at(google, {})).to.equal(false);
    expect(at(google, { hd: '' })).to.equal(false);
    expect(at('https://login.brand.example', {})).to.equal(true);
    expect(at('https://login.brand.example', { email_verified: 'false' })).to.equal(false);
  });

  it('takes signatures of elliptic curves', async () => {
    expect((await identifyAt({ algorithm: 'ES256' })).identity).to.deep.equal(ana);
  });

  it('keeps of what a provider says what is asked about, where that is of its form', () => {
    const issuer = 'https://login.brand.example';
    const plain = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    };
    expect(metadataOf({ ...plain, token_endpoint_auth_methods_supported: null })).to.include(plain);
    const more = { note: 'a\u0000b', id_token_signing_alg_values_supported: ['none', 'HS256', 'ES256'] };
    const kept = metadataOf({ ...plain, ...more });
    expect(kept).not.to.have.property('note');
    expect(kept?.id_token_signing_alg_values_supported).to.deep.equal(['ES256']);
    for (const odd of [
      { jwks_uri: undefined },
      { token_endpoint: 'http://login.brand.example/token' },
      { authorization_endpoint: `${issuer}/\u0000` },
      { userinfo_endpoint: `${issuer}/\ud800` },
      { token_endpoint_auth_methods_supported: ['constructor', '__proto__', 'private_key_jwt'] },
      { token_endpoint_auth_methods_supported: 'client_secret_basic' },
      { id_token_signing_alg_values_supported: 7 },
      { id_token_signing_alg_values_supported: ['none', 'HS256'] },
      // Of Microsoft, for whoever has an account or a tenant there.
      { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
      { issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0' },
    ])
      expect(metadataOf({ ...plain, ...odd }), JSON.stringify(odd)).to.equal(null);
  });

  it('takes addresses and names in forms that people have here alone', () => {
    const at = (claims: object) => identityOf('https://login.brand.example', { sub: '1', ...claims });
    expect(at({ email: ' Ana@Brand.example ', name: ' Ana\u0000\nReis ' })).to.include({
      email: 'ana@brand.example',
      name: 'Ana Reis',
    });
    for (const email of [
      'ana@brand.example\u0000@brand.example',
      // Mail would go to two.
      'victim@elsewhere.example, ana@brand.example',
      '"ana" <victim@elsewhere.example>@brand.example',
      // The sign of Kelvin, of which a small letter is `k`.
      'erik@brand.example'.replace('k', '\u212a'),
      `${'a'.repeat(250)}@brand.example`,
      7,
    ])
      expect(at({ email }).email, String(email)).to.equal(null);
  });

  it('gives up on an answer that is unpacked to be too large', async () => {
    const ca = createTestCa();
    const { keyPem, certPem } = ca.certFor('localhost');
    let issuer = '';
    const server = createServer({ key: keyPem, cert: certPem }, (_req, res) => {
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        padding: ' '.repeat(20_000_000),
      };
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      res.end(gzipSync(JSON.stringify(metadata)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
    const calls = createProviderCalls({ allowedCidrs: ['127.0.0.0/8'], caFile: ca.caFile });
    try {
      expect(await calls.discover(issuer)).to.deep.equal({ problem: 'NO_PROVIDER' });
    } finally {
      await calls.close();
      server.close();
      server.closeAllConnections();
    }
  });
});
