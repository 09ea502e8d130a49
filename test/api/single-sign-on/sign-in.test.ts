import { expect } from 'chai';
import { createProviderCalls, type ProviderCalls } from '../../../shared/single-sign-on/provider.ts';
import { serveSingleSignOn, type IdentifyDeps } from '../../../shared/single-sign-on/identify.ts';
import { startIdentityProvider, type IdentityProvider } from '../../support/identity-provider.ts';
import {
  cookieOf,
  createPeopleApi,
  PASSWORD,
  tokenIn,
  type PeopleApi,
  type Person,
} from '../../support/people-api.ts';

const REDIRECT_URL = 'https://verify.example.com/sso/callback';
const TICKET = '__Host-touchstone-sso';

describe('signing in by the organization’s provider', () => {
  let api: PeopleApi;
  let idp: IdentityProvider;
  let calls: ProviderCalls;
  let deps: IdentifyDeps;
  let domains = 0;

  before(async () => {
    api = await createPeopleApi({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
    idp = await startIdentityProvider({ redirectUrl: REDIRECT_URL });
    calls = createProviderCalls({ allowedCidrs: ['127.0.0.0/8'], caFile: idp.ca.caFile });
    deps = { ...api.deps, providers: calls, leaseSeconds: 60 };
  });
  after(async () => {
    await calls.close();
    await idp.close();
    await api.close();
  });

  /** What is due, as the worker does it. */
  const work = async (given = deps) => {
    while ((await serveSingleSignOn(given)) > 0);
  };
  const confirmDomain = async (owner: Person, name = `brand-${++domains}.example`) => {
    await api.database.pool.query(
      `insert into organization_domains (org_id, name, record, confirmed_at, confirmed_by, requested_at, created_at)
       values ($1, $2, 'touchstone=', now(), 'operator', now(), now())`,
      [owner.orgUuid, name],
    );
    return name;
  };
  const configure = async (owner: Person, more: object = {}) => {
    await owner
      .put('/organization/single-sign-on', { issuer: idp.issuer, ...idp.client, ...more })
      .expect(200);
    await work();
  };
  /** @returns an organization with the provider and a domain. */
  const organization = async (more: object = {}) => {
    const owner = await api.person('owner');
    const domain = await confirmDomain(owner);
    await configure(owner, more);
    return { owner, domain };
  };
  const account = (subject: string, email: string | null, more: object = {}) =>
    idp.accounts.set(subject, { ...(email === null ? {} : { email }), ...more });
  const begin = async (owner: Person) => {
    const left = await api.http().get(`/sso/${owner.orgId}`).expect(303);
    return { url: left.headers['location'] as string, ticket: cookieOf(left, TICKET)! };
  };
  const comeBack = (back: URL, ticket: string) =>
    api
      .http()
      .get(back.pathname + back.search)
      .set('Cookie', ticket)
      .expect(303);
  const finish = (ticket: string) =>
    api.http().post('/api/v1/auth/single-sign-on/finish').set('Cookie', ticket);
  /** From the organization's link to what came of it. */
  const signIn = async (owner: Person, subject: string | null) => {
    const { url, ticket } = await begin(owner);
    await comeBack(await idp.visit(url, subject), ticket);
    await work();
    return finish(ticket).expect(200);
  };
  const reasonOf = async (owner: Person, subject: string | null) => {
    const { body, headers } = await signIn(owner, subject);
    expect(body).to.include({ status: 'refused', token: null });
    expect(String(headers['set-cookie'])).not.to.contain('refresh');
    return body.reason as string;
  };
  const me = (token: string) => api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);
  const auditOf = async (owner: Person, action: string) =>
    (await owner.get(`/audit-log?action=${action}`).expect(200)).body.data as Record<string, any>[];

  it('signs a member in whose address the provider names, from the address typed to a session that is renewed', async () => {
    const { owner, domain } = await organization();
    const bea = await api.person('analyst', owner.orgUuid);
    account('bea', bea.email.toUpperCase(), { email_verified: true });

    const left = await api
      .http()
      .post('/api/v1/auth/single-sign-on')
      .send({ email: `Somebody@${domain.toUpperCase()}` })
      .expect(200);
    const url = new URL(left.body.url);
    expect(url.origin).to.equal(idp.issuer);
    expect(Object.fromEntries(url.searchParams)).to.include({
      client_id: 'touchstone',
      redirect_uri: REDIRECT_URL,
      response_type: 'code',
      code_challenge_method: 'S256',
      login_hint: `somebody@${domain}`,
    });
    const set = String(left.headers['set-cookie']);
    expect(set).to.match(/HttpOnly; Secure; SameSite=Lax/);
    expect(left.headers['cache-control']).to.equal('no-store');
    const ticket = cookieOf(left, TICKET)!;
    for (const secret of ['state', 'nonce', 'code_challenge'])
      expect(ticket).not.to.contain(url.searchParams.get(secret));

    const back = await comeBack(await idp.visit(url.href, 'bea'), ticket);
    expect(back.headers).to.include({ location: '/app/single-sign-on', 'cache-control': 'no-store' });
    expect((await finish(ticket).expect(200)).body).to.deep.equal({
      status: 'pending',
      reason: null,
      token: null,
    });
    await work();
    const done = await finish(ticket).expect(200);
    expect(done.body.status).to.equal('signedIn');
    const { body } = await me(done.body.token.accessToken).expect(200);
    expect(body).to.include({ email: bea.email, role: 'analyst' });
    expect(cookieOf(done, TICKET)).to.equal(`${TICKET}=`);
    await api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(done)!).expect(200);

    const [entry] = await auditOf(owner, 'signIn');
    expect(entry).to.deep.include({ after: { method: 'singleSignOn' } });
    expect(entry!['actor']).to.include({ name: bea.email });
    expect(await auditOf(owner, 'linkIdentity')).to.have.length(1);
  });

  it('tells what came of it once, to that browser alone', async () => {
    const { owner } = await organization();
    account('owner-1', owner.email);
    const { url, ticket } = await begin(owner);
    const other = await begin(owner);
    const back = await idp.visit(url, 'owner-1');
    // A page that somebody was made to open: another browser's ticket, or none.
    await comeBack(back, other.ticket);
    await comeBack(back, 'nothing=here');
    await work();
    expect((await finish(other.ticket).expect(200)).body).to.include({ reason: 'EXPIRED' });
    // Back twice is asked once, as a code works once.
    await comeBack(back, ticket);
    await comeBack(back, ticket);
    await work();
    const at = await Promise.all([finish(ticket), finish(ticket)]);
    expect(at.map(({ body }) => body.status)).to.have.members(['refused', 'signedIn']);
    expect((await finish(ticket).expect(200)).body.reason).to.equal('EXPIRED');
    await api
      .http()
      .post('/api/v1/auth/single-sign-on/finish')
      .set('Origin', 'https://evil.example')
      .expect(403);
  });

  it('knows a person by the account at the provider, whatever their address there becomes', async () => {
    const { owner } = await organization();
    const bea = await api.person('viewer', owner.orgUuid);
    account('bea-2', bea.email);
    await signIn(owner, 'bea-2');
    account('bea-2', 'bea.married@elsewhere.example');
    const { body } = await signIn(owner, 'bea-2');
    expect((await me(body.token.accessToken).expect(200)).body.email).to.equal(bea.email);

    // Her address was given to somebody new.
    account('new-bea', bea.email);
    expect(await reasonOf(owner, 'new-bea')).to.equal('OTHER_IDENTITY');
    const viewer = await api.person('viewer', owner.orgUuid);
    await viewer.post(`/users/${bea.userId}/forget-identity`).expect(403);
    const stranger = await api.person('owner');
    await stranger.post(`/users/${bea.userId}/forget-identity`).expect(404);
    const administrator = await api.person('administrator', owner.orgUuid);
    await administrator.post(`/users/${owner.userId}/forget-identity`).expect(403);
    await administrator.post(`/users/${bea.userId}/forget-identity`).expect(204);
    expect((await signIn(owner, 'new-bea')).body.status).to.equal('signedIn');
    expect(await reasonOf(owner, 'bea-2')).to.equal('NOT_A_MEMBER');
  });

  it('refuses whom the provider does not name, does not vouch for, or nobody knows', async () => {
    const { owner, domain } = await organization();
    const elsewhere = await api.person('viewer');
    const disabled = await api.person('viewer', owner.orgUuid);
    await owner.patch(`/users/${disabled.userId}`, { disabled: true }).expect(200);
    account('silent', null);
    account('unsure', owner.email, { email_verified: false });
    account('stranger', `nobody@${domain}`);
    account('elsewhere', elsewhere.email);
    account('disabled', disabled.email);
    expect(await reasonOf(owner, null)).to.equal('CANCELLED');
    expect(await reasonOf(owner, 'silent')).to.equal('NO_EMAIL');
    expect(await reasonOf(owner, 'unsure')).to.equal('EMAIL_NOT_VERIFIED');
    expect(await reasonOf(owner, 'stranger')).to.equal('NOT_A_MEMBER');
    expect(await reasonOf(owner, 'elsewhere')).to.equal('NOT_A_MEMBER');
    expect(await reasonOf(owner, 'disabled')).to.equal('DISABLED');
  });

  it('lets newcomers in whose address is of the confirmed domain, as what the organization says', async () => {
    const { owner, domain } = await organization({ newcomerRole: 'viewer' });
    account('ines', `ines@${domain}`, { name: 'Inês Souto' });
    const { body } = await signIn(owner, 'ines');
    const ines = await me(body.token.accessToken).expect(200);
    expect(ines.body).to.include({ email: `ines@${domain}`, name: 'Inês Souto', role: 'viewer' });
    expect(ines.body.organization.id).to.equal(owner.orgId);
    const [joined] = await auditOf(owner, 'joinBySingleSignOn');
    expect(joined).to.deep.include({ resource: ines.body.id, after: { role: 'viewer' } });
    // She never chose a password, and none is right.
    for (const password of [PASSWORD, ' ']) await api.signIn(`ines@${domain}`, password).expect(401);

    account('sub', `ines@mail.${domain}`);
    account('foreign', 'ines@elsewhere.example');
    expect(await reasonOf(owner, 'sub')).to.equal('NOT_A_MEMBER');
    expect(await reasonOf(owner, 'foreign')).to.equal('NOT_A_MEMBER');
    // Of another organization, whose address it stays.
    const rival = await api.person('owner');
    await api.database.pool.query('update users set email = $2 where id = $1', [
      rival.userUuid,
      `r@${domain}`,
    ]);
    account('rival', `r@${domain}`);
    expect(await reasonOf(owner, 'rival')).to.equal('NOT_A_MEMBER');
    // The domain lapsed.
    await api.database.pool.query(
      'update organization_domains set confirmed_at = null, confirmed_by = null where org_id = $1',
      [owner.orgUuid],
    );
    account('late', `late@${domain}`);
    expect(await reasonOf(owner, 'late')).to.equal('NOT_A_MEMBER');
  });

  it('lets an invited person in with the role of the invitation, which is used up', async () => {
    const { owner, domain } = await organization();
    const email = `rui@${domain}`;
    await owner.post('/invitations', { email, role: 'administrator' }).expect(201);
    const [mail] = await api.mails();
    account('rui', email);
    const { body } = await signIn(owner, 'rui');
    expect((await me(body.token.accessToken).expect(200)).body.role).to.equal('administrator');
    await api.accept(tokenIn(mail)).expect(422);
  });

  it('ends a session after twelve hours, with the person’s disablement, and with the provider', async () => {
    const { owner } = await organization();
    const [bea, rui, eva] = [
      await api.person('viewer', owner.orgUuid),
      await api.person('viewer', owner.orgUuid),
      await api.person('viewer', owner.orgUuid),
    ];
    for (const [subject, { email }] of [
      ['b', bea],
      ['r', rui],
      ['e', eva],
    ] as const)
      account(subject, email);
    const refresh = (response: Awaited<ReturnType<typeof signIn>>) =>
      api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(response)!);
    const [first, second, third] = [
      await signIn(owner, 'b'),
      await signIn(owner, 'r'),
      await signIn(owner, 'e'),
    ];
    await owner.patch(`/users/${rui.userId}`, { disabled: true }).expect(200);
    await refresh(second).expect(401);
    await owner.delete('/organization/single-sign-on').expect(204);
    await refresh(third).expect(401);
    // Those of a password go on.
    await api.http().post('/api/v1/auth/refresh').set('Cookie', eva.cookie).expect(200);
    await api.http().get(`/sso/${owner.orgId}`).expect(404);
    await configure(owner);
    expect((await finish(cookieOf(first, TICKET)!).expect(200)).body.reason).to.equal('EXPIRED');
    const again = await signIn(owner, 'b');
    api.clock.advance(12 * 3600 - 1);
    const kept = await refresh(again).expect(200);
    api.clock.advance(2);
    await api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(kept)!).expect(401);
  });

  it('has all but owners sign in that way where it is required', async () => {
    const { owner } = await organization();
    const bea = await api.person('administrator', owner.orgUuid);
    account('bea-3', bea.email);
    const bySso = await signIn(owner, 'bea-3');
    await configure(owner, { required: true });
    // Of a password, by then.
    await bea.get('/auth/me').expect(401);
    await me(bySso.body.token.accessToken).expect(200);
    const { body } = await api.signIn(bea.email).expect(403);
    expect(body.code).to.equal('SINGLE_SIGN_ON_REQUIRED');
    // Only whoever knows the password is told.
    await api.signIn(bea.email, 'not the password').expect(401);
    expect((await signIn(owner, 'bea-3')).body.status).to.equal('signedIn');
    const { body: session } = await api.signIn(owner.email).expect(200);
    await me(session.accessToken).expect(200);
  });

  it('answers nothing new for a browser that comes back too late, or to a provider that is another by now', async () => {
    const { owner } = await organization();
    account('owner-4', owner.email);
    const slow = await begin(owner);
    await comeBack(await idp.visit(slow.url, 'owner-4'), slow.ticket);
    api.clock.advance(301);
    const { body: session } = await api.signIn(owner.email).expect(200);
    await work();
    expect((await finish(slow.ticket).expect(200)).body.reason).to.equal('EXPIRED');

    const crossed = await begin(owner);
    await comeBack(await idp.visit(crossed.url, 'owner-4'), crossed.ticket);
    const put = (body: object) =>
      api
        .http()
        .put('/api/v1/organization/single-sign-on')
        .set('Authorization', `Bearer ${session.accessToken}`)
        .send(body)
        .expect(200);
    // While the provider was asked.
    const racing: ProviderCalls = {
      ...calls,
      async identify(...given) {
        const identity = await calls.identify(...given);
        await put({ issuer: idp.issuer, ...idp.client, clientId: 'another' });
        return identity;
      },
    };
    await serveSingleSignOn({ ...deps, providers: racing });
    expect((await finish(crossed.ticket).expect(200)).body.reason).to.equal('EXPIRED');
  });

  it('says which way it failed at the provider', async () => {
    const { owner } = await organization();
    account('owner-5', owner.email);
    await configure(owner, { clientSecret: 'not the secret' });
    expect(await reasonOf(owner, 'owner-5')).to.equal('PROVIDER_FAILED');
    await configure(owner);
    const { url, ticket } = await begin(owner);
    const back = await idp.visit(url, 'owner-5');
    back.searchParams.set('code', 'made-up');
    await comeBack(back, ticket);
    await work();
    expect((await finish(ticket).expect(200)).body.reason).to.equal('PROVIDER_FAILED');
    const away = createProviderCalls({ allowedCidrs: [] });
    const again = await begin(owner);
    await comeBack(await idp.visit(again.url, 'owner-5'), again.ticket);
    await work({ ...deps, providers: away });
    expect((await finish(again.ticket).expect(200)).body.reason).to.equal('PROVIDER_UNREACHABLE');
    await away.close();
    const log = api.logs.join('\n');
    for (const secret of [idp.client.clientSecret, 'not the secret', ticket.split('.')[1]!])
      expect(log).not.to.contain(secret);
  });

  it('begins nothing for a blocked organization, an unknown domain, or what is no organization', async () => {
    const { owner, domain } = await organization();
    account('owner-6', owner.email);
    const { url, ticket } = await begin(owner);
    await comeBack(await idp.visit(url, 'owner-6'), ticket);
    await work();
    await api.database.pool.query(
      `update organizations set blocked_at = now(), block_reason = 'a name of others' where id = $1`,
      [owner.orgUuid],
    );
    expect((await finish(ticket).expect(200)).body.reason).to.equal('BLOCKED');
    await api.http().get(`/sso/${owner.orgId}`).expect(404);
    const byMail = (email: string) => api.http().post('/api/v1/auth/single-sign-on').send({ email });
    await byMail(`a@${domain}`).expect(404);
    await byMail('a@unknown.example').expect(404);
    await byMail('no address').expect(422);
    await api.http().get('/sso/org_zzz').expect(404);
    await api.http().get('/sso/callback').expect(303);
  });
});
