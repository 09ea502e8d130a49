import { expect } from 'chai';
import { cookieOf, PASSWORD, tokenIn, type Person } from '../../support/people-api.ts';
import {
  createSingleSignOnStand,
  REDIRECT_URL,
  TICKET,
  type SingleSignOnStand,
} from '../../support/single-sign-on-stand.ts';

describe('signing in by the organization’s provider', () => {
  let stand: SingleSignOnStand;

  before(async () => {
    stand = await createSingleSignOnStand();
  });
  after(() => stand.close());

  const auditOf = async (owner: Person, action: string) =>
    (await owner.get(`/audit-log?action=${action}`).expect(200)).body.data as Record<string, any>[];

  it('signs a member in whose address the provider names, from the address typed to a session that is renewed', async () => {
    const { owner, domain } = await stand.organization();
    const bea = await stand.api.person('analyst', owner.orgUuid);
    stand.account('bea', bea.email.toUpperCase(), { email_verified: true });

    const left = await stand.api
      .http()
      .post('/api/v1/auth/single-sign-on')
      .send({ email: `Somebody@${domain.toUpperCase()}` })
      .expect(200);
    const url = new URL(left.body.url);
    expect(url.origin).to.equal(stand.idp.issuer);
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

    const back = await stand.comeBack(await stand.idp.visit(url.href, 'bea'), ticket);
    expect(back.headers).to.include({ location: '/app/single-sign-on', 'cache-control': 'no-store' });
    expect((await stand.finish(ticket).expect(200)).body).to.deep.equal({
      status: 'pending',
      reason: null,
      token: null,
    });
    await stand.work();
    const done = await stand.finish(ticket).expect(200);
    expect(done.body.status).to.equal('signedIn');
    const { body } = await stand.me(done.body.token.accessToken).expect(200);
    expect(body).to.include({ email: bea.email, role: 'analyst' });
    expect(cookieOf(done, TICKET)).to.equal(`${TICKET}=`);
    await stand.api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(done)!).expect(200);

    const [entry] = await auditOf(owner, 'signIn');
    expect(entry).to.deep.include({ after: { method: 'singleSignOn' } });
    expect(entry!['actor']).to.include({ name: bea.email });
    expect(await auditOf(owner, 'linkIdentity')).to.have.length(1);
  });

  it('knows a person by the account at the provider, whatever their address there becomes', async () => {
    const { owner } = await stand.organization();
    const bea = await stand.api.person('viewer', owner.orgUuid);
    stand.account('bea-2', bea.email);
    await stand.signIn(owner, 'bea-2');
    stand.account('bea-2', 'bea.married@elsewhere.example');
    const { body } = await stand.signIn(owner, 'bea-2');
    expect((await stand.me(body.token.accessToken).expect(200)).body.email).to.equal(bea.email);

    // Her address was given to somebody new.
    stand.account('new-bea', bea.email);
    expect(await stand.reasonOf(owner, 'new-bea')).to.equal('OTHER_IDENTITY');
    const viewer = await stand.api.person('viewer', owner.orgUuid);
    stand.account('viewer', viewer.email);
    const others = await stand.signIn(owner, 'viewer');
    await viewer.post(`/users/${bea.userId}/forget-identity`).expect(403);
    const stranger = await stand.api.person('owner');
    await stranger.post(`/users/${bea.userId}/forget-identity`).expect(404);
    const administrator = await stand.api.person('administrator', owner.orgUuid);
    await administrator.post(`/users/${owner.userId}/forget-identity`).expect(403);
    const former = await stand.signIn(owner, 'bea-2');
    const fetched = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(fetched.url, 'bea-2'), fetched.ticket);
    await stand.work();
    await administrator.post(`/users/${bea.userId}/forget-identity`).expect(204);
    // Whoever was known so far is out, and in no other way.
    await stand.me(former.body.token.accessToken).expect(401);
    expect((await stand.finish(fetched.ticket).expect(200)).body.reason).to.equal('EXPIRED');
    await bea.get('/auth/me').expect(200);
    await stand.me(others.body.token.accessToken).expect(200);
    expect((await stand.signIn(owner, 'new-bea')).body.status).to.equal('signedIn');
    expect(await stand.reasonOf(owner, 'bea-2')).to.equal('NOT_A_MEMBER');
  });

  it('refuses whom the provider does not name, does not vouch for, or nobody knows', async () => {
    const { owner, domain } = await stand.organization();
    const elsewhere = await stand.api.person('viewer');
    const disabled = await stand.api.person('viewer', owner.orgUuid);
    await owner.patch(`/users/${disabled.userId}`, { disabled: true }).expect(200);
    stand.account('silent', null);
    stand.account('unsure', owner.email, { email_verified: false });
    stand.account('stranger', `nobody@${domain}`);
    stand.account('elsewhere', elsewhere.email);
    stand.account('disabled', disabled.email);
    // Longer than the specification allows.
    stand.account('x'.repeat(256), owner.email);
    expect(await stand.reasonOf(owner, 'x'.repeat(256))).to.equal('PROVIDER_FAILED');
    expect(await stand.reasonOf(owner, null)).to.equal('CANCELLED');
    expect(await stand.reasonOf(owner, 'silent')).to.equal('NO_EMAIL');
    expect(await stand.reasonOf(owner, 'unsure')).to.equal('EMAIL_NOT_VERIFIED');
    expect(await stand.reasonOf(owner, 'stranger')).to.equal('NOT_A_MEMBER');
    expect(await stand.reasonOf(owner, 'elsewhere')).to.equal('NOT_A_MEMBER');
    expect(await stand.reasonOf(owner, 'disabled')).to.equal('DISABLED');
  });

  it('lets newcomers in whose address is of the confirmed domain, as what the organization says', async () => {
    const { owner, domain } = await stand.organization({ newcomerRole: 'viewer' });
    stand.account('ines', `ines@${domain}`, { name: 'Inês Souto' });
    const { body } = await stand.signIn(owner, 'ines');
    const ines = await stand.me(body.token.accessToken).expect(200);
    expect(ines.body).to.include({ email: `ines@${domain}`, name: 'Inês Souto', role: 'viewer' });
    expect(ines.body.organization.id).to.equal(owner.orgId);
    const [joined] = await auditOf(owner, 'joinBySingleSignOn');
    expect(joined).to.deep.include({ resource: ines.body.id, after: { role: 'viewer' } });
    // She never chose a password, and none is right.
    for (const password of [PASSWORD, ' ']) await stand.api.signIn(`ines@${domain}`, password).expect(401);

    stand.account('sub', `ines@mail.${domain}`);
    stand.account('foreign', 'ines@elsewhere.example');
    expect(await stand.reasonOf(owner, 'sub')).to.equal('NOT_A_MEMBER');
    expect(await stand.reasonOf(owner, 'foreign')).to.equal('NOT_A_MEMBER');
    // Of another organization, whose address it stays.
    const rival = await stand.api.person('owner');
    await stand.api.database.pool.query('update users set email = $2 where id = $1', [
      rival.userUuid,
      `r@${domain}`,
    ]);
    stand.account('rival', `r@${domain}`);
    expect(await stand.reasonOf(owner, 'rival')).to.equal('NOT_A_MEMBER');
    // The domain lapsed.
    await stand.api.database.pool.query(
      'update organization_domains set confirmed_at = null, confirmed_by = null where org_id = $1',
      [owner.orgUuid],
    );
    stand.account('late', `late@${domain}`);
    expect(await stand.reasonOf(owner, 'late')).to.equal('NOT_A_MEMBER');
  });

  it('lets an invited person in with the role of the invitation, which is used up', async () => {
    const { owner, domain } = await stand.organization();
    const email = `rui@${domain}`;
    await owner.post('/invitations', { email, role: 'administrator' }).expect(201);
    const [mail] = await stand.api.mails();
    stand.account('rui', email);
    const { body } = await stand.signIn(owner, 'rui');
    expect((await stand.me(body.token.accessToken).expect(200)).body.role).to.equal('administrator');
    await stand.api.accept(tokenIn(mail)).expect(422);
  });

  it('ends a session after twelve hours, with the person’s disablement, and with the provider', async () => {
    const { owner } = await stand.organization();
    const [bea, rui, eva] = [
      await stand.api.person('viewer', owner.orgUuid),
      await stand.api.person('viewer', owner.orgUuid),
      await stand.api.person('viewer', owner.orgUuid),
    ];
    for (const [subject, { email }] of [
      ['b', bea],
      ['r', rui],
      ['e', eva],
    ] as const)
      stand.account(subject, email);
    const refresh = (response: Awaited<ReturnType<SingleSignOnStand['signIn']>>) =>
      stand.api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(response)!);
    const [first, second, third] = [
      await stand.signIn(owner, 'b'),
      await stand.signIn(owner, 'r'),
      await stand.signIn(owner, 'e'),
    ];
    await owner.patch(`/users/${rui.userId}`, { disabled: true }).expect(200);
    await refresh(second).expect(401);
    await owner.delete('/organization/single-sign-on').expect(204);
    await refresh(third).expect(401);
    // Those of a password go on.
    await stand.api.http().post('/api/v1/auth/refresh').set('Cookie', eva.cookie).expect(200);
    await stand.beginAt(owner).expect(404);
    await stand.configure(owner);
    expect((await stand.finish(cookieOf(first, TICKET)!).expect(200)).body.reason).to.equal('EXPIRED');
    const again = await stand.signIn(owner, 'b');
    stand.api.clock.advance(12 * 3600 - 1);
    const kept = await refresh(again).expect(200);
    stand.api.clock.advance(2);
    await stand.api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(kept)!).expect(401);
  });

  it('has all but owners sign in that way where it is required', async () => {
    const { owner } = await stand.organization();
    const bea = await stand.api.person('administrator', owner.orgUuid);
    stand.account('bea-3', bea.email);
    const bySso = await stand.signIn(owner, 'bea-3');
    await stand.configure(owner, { required: true });
    // Of a password, by then.
    await bea.get('/auth/me').expect(401);
    await stand.me(bySso.body.token.accessToken).expect(200);
    const { body } = await stand.api.signIn(bea.email).expect(403);
    expect(body).to.include({ code: 'SINGLE_SIGN_ON_REQUIRED', organizationId: owner.orgId });
    // Only whoever knows the password is told.
    await stand.api.signIn(bea.email, 'not the password').expect(401);
    expect((await stand.signIn(owner, 'bea-3')).body.status).to.equal('signedIn');
    const { body: session } = await stand.api.signIn(owner.email).expect(200);
    await stand.me(session.accessToken).expect(200);
  });

  it('locks nobody out by a provider by which nobody ever came', async () => {
    const owner = await stand.api.person('owner');
    const bea = await stand.api.person('analyst', owner.orgUuid);
    await stand.configure(owner, { required: true, issuer: `${stand.idp.issuer}/mistyped` });
    await bea.get('/auth/me').expect(200);
    await stand.api.signIn(bea.email).expect(200);
    stand.account('bea-4', bea.email);
    // Reached, and the secret is wrong.
    await stand.configure(owner, { required: true, clientSecret: 'mistyped' });
    expect(await stand.reasonOf(owner, 'bea-4')).to.equal('PROVIDER_FAILED');
    await stand.api.signIn(bea.email).expect(200);
    await stand.configure(owner, { required: true });
    const proven = async () =>
      (await owner.get('/organization/single-sign-on').expect(200)).body.provider.provenAt;
    expect(await proven()).to.equal(null);
    await stand.signIn(owner, 'bea-4');
    expect(await proven()).to.equal(stand.api.clock.now().toISOString());
    await bea.get('/auth/me').expect(401);
    await stand.api.signIn(bea.email).expect(403);
    // Ended, not held: it does not come back with passwords.
    await stand.configure(owner);
    await bea.get('/auth/me').expect(401);
    // The same once more proves nothing anew; another secret has to.
    await stand.configure(owner, { required: true });
    await stand.api.signIn(bea.email).expect(403);
    await stand.configure(owner, { required: true, clientSecret: 'mistyped again' });
    expect(await proven()).to.equal(null);
    await stand.api.signIn(bea.email).expect(200);
  });

  it('counts no right password as a guess where it serves no more, so that an office can still get in', async () => {
    const { owner } = await stand.organization();
    const bea = await stand.api.person('viewer', owner.orgUuid);
    stand.account('bea-5', bea.email);
    await stand.signIn(owner, 'bea-5');
    await stand.configure(owner, { required: true });
    for (let times = 0; times < 60; times += 1)
      await stand.api.signIn(bea.email, PASSWORD, {}, '192.0.2.91').expect(403);
    await stand.api.signIn(owner.email, PASSWORD, {}, '192.0.2.91').expect(200);
  });

  it('has no password serve an owner any more who is made somebody else where it is required', async () => {
    const { owner } = await stand.organization({ required: true });
    const second = await stand.api.person('owner', owner.orgUuid);
    stand.account('first', owner.email);
    await stand.signIn(owner, 'first');
    const refresh = () => stand.api.http().post('/api/v1/auth/refresh').set('Cookie', second.cookie);
    await second.get('/auth/me').expect(200);
    await owner.patch(`/users/${second.userId}`, { role: 'administrator' }).expect(200);
    await second.get('/auth/me').expect(401);
    await refresh().expect(401);
    stand.account('second', second.email);
    expect((await stand.signIn(owner, 'second')).body.status).to.equal('signedIn');
    // Ended, not held: it comes back neither with passwords nor with the role.
    await owner.patch(`/users/${second.userId}`, { role: 'owner' }).expect(200);
    await second.get('/auth/me').expect(401);
    await stand.configure(owner);
    await refresh().expect(401);
  });
});
