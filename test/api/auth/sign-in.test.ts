import { expect } from 'chai';
import { hashesDuring } from '../../support/hashes.ts';
import { cookieOf, createPeopleApi, PASSWORD, type PeopleApi } from '../../support/people-api.ts';

describe('Signing in', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_SIGN_IN_PER_ACCOUNT: '3', RATE_LIMIT_SIGN_IN_PER_ADDRESS: '8' });
  });
  after(() => api.close());

  it('answers an access token that works for ten minutes, and no longer', async () => {
    const person = await api.person('viewer');
    const me = await person.get('/auth/me').expect(200);
    expect(me.body).to.include({ id: person.userId, email: person.email, role: 'viewer' });
    api.clock.advance(599);
    await person.get('/auth/me').expect(200);
    api.clock.advance(2);
    await person.get('/auth/me').expect(401);
  });

  it('keeps the refresh token in a __Host- cookie that scripts and other sites do not get', async () => {
    const { email } = await api.person();
    const response = await api.signIn(email).expect(200);
    const line = (response.get('Set-Cookie') as string[]).find((each) =>
      each.startsWith('__Host-touchstone-refresh='),
    );
    expect(line).to.match(/; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(line).not.to.include('Domain');
    expect(JSON.stringify(response.body)).not.to.include(cookieOf(response)!.split('=')[1]!);
  });

  it('gives the same answer for an unknown address, a wrong password and a disabled person', async () => {
    const person = await api.person();
    const disabled = await api.person();
    await api.deps.db.query('update users set disabled_at = now() where id = $1', [disabled.userUuid]);
    const answers = [
      await api.signIn('nobody@example.com', PASSWORD, {}, '198.51.100.20'),
      await api.signIn(person.email, 'not the password', {}, '198.51.100.20'),
      await api.signIn(disabled.email, PASSWORD, {}, '198.51.100.20'),
    ];
    const bodies = answers.map(({ status, body }) => ({ status, ...body, requestId: null }));
    expect(bodies[0]).to.include({ status: 401, code: 'UNAUTHENTICATED' });
    expect(bodies[1]).to.deep.equal(bodies[0]);
    expect(bodies[2]).to.deep.equal(bodies[0]);
    expect(answers.map((each) => each.get('Set-Cookie'))).to.deep.equal([undefined, undefined, undefined]);
  });

  it('knows nobody by the address that stands for who was removed', async () => {
    const owner = await api.person('owner');
    const person = await api.person('viewer', owner.orgUuid);
    await owner.delete(`/users/${person.userId}`).expect(204);
    const email = `removed-${person.userUuid}@removed.invalid`;
    const work = await hashesDuring(() => api.signIn(email, PASSWORD, {}, '198.51.102.1').expect(401));
    expect(work).to.equal(1);
  });

  it('does the same work for an unknown address and a disabled person as for a wrong password, so that time does not tell', async () => {
    const [person, disabled] = [await api.person(), await api.person()];
    await api.deps.db.query('update users set disabled_at = now() where id = $1', [disabled.userUuid]);
    const work = await hashesDuring(() =>
      api.signIn(person.email, 'not the password', {}, '198.51.101.1').expect(401),
    );
    expect(work).to.equal(1);
    for (const email of ['nobody@example.com', disabled.email])
      expect(
        await hashesDuring(() => api.signIn(email, 'not the password', {}, '198.51.101.2').expect(401)),
      ).to.equal(work);
  });

  it('limits guesses at one account, from however many addresses', async () => {
    const { email } = await api.person();
    for (let i = 0; i < 3; i++) await api.signIn(email, 'a wrong password', {}, `203.0.113.${i}`).expect(401);
    const refused = await api.signIn(email, PASSWORD, {}, '203.0.113.99').expect(429);
    expect(refused.body.code).to.equal('RATE_LIMITED');
    expect(Number(refused.get('Retry-After'))).to.be.within(1, 900);
  });

  it('does not lock out a browser that has signed in before', async () => {
    const { email } = await api.person();
    const device = cookieOf(await api.signIn(email).expect(200), '__Host-touchstone-device')!;
    for (let i = 0; i < 4; i++) await api.signIn(email, 'a wrong password', {}, `203.0.114.${i}`);
    await api.signIn(email, PASSWORD, {}, '203.0.114.50').expect(429);
    await api.signIn(email, PASSWORD, {}, '203.0.114.51').set('Cookie', device).expect(200);
  });

  it('limits guesses also from a browser that has signed in before, by a count of its own', async () => {
    const { email } = await api.person();
    const device = cookieOf(await api.signIn(email).expect(200), '__Host-touchstone-device')!;
    for (let i = 0; i < 3; i++)
      await api.signIn(email, 'a wrong password', {}, `203.0.117.${i}`).set('Cookie', device).expect(401);
    await api.signIn(email, PASSWORD, {}, '203.0.117.50').set('Cookie', device).expect(429);
    await api.signIn(email, PASSWORD, {}, '203.0.117.51').expect(200);
  });

  it('takes a device token for its own account alone', async () => {
    const [mine, victim] = [await api.person(), await api.person()];
    const device = cookieOf(await api.signIn(mine.email).expect(200), '__Host-touchstone-device')!;
    for (let i = 0; i < 3; i++)
      await api.signIn(victim.email, 'a wrong password', {}, `203.0.115.${i}`).expect(401);
    const forged = `${device.split('.')[0]!}.${'A'.repeat(43)}`;
    for (const cookie of [device, forged, '__Host-touchstone-device=', '__Host-touchstone-device=x.'])
      await api.signIn(victim.email, PASSWORD, {}, '203.0.115.9').set('Cookie', cookie).expect(429);
  });

  it('limits spraying of many accounts from one address, and from one IPv6 network', async () => {
    for (const addresses of [() => '192.0.2.77', (i: number) => `2001:db8:0:${i.toString(16)}::1`]) {
      for (let i = 0; i < 8; i++)
        await api.signIn(`sprayed${i}${addresses(0)[0]}@example.com`, PASSWORD, {}, addresses(i)).expect(401);
      await api.signIn('one.more@example.com', PASSWORD, {}, addresses(9)).expect(429);
    }
  });

  it('does not count against an account what was refused for its address', async () => {
    const { email } = await api.person();
    for (let i = 0; i < 8; i++)
      await api.signIn(`guessed${i}@example.com`, PASSWORD, {}, '192.0.2.79').expect(401);
    for (let i = 0; i < 4; i++) await api.signIn(email, 'a wrong password', {}, '192.0.2.79').expect(429);
    await api.signIn(email, PASSWORD, {}, '192.0.2.80').expect(200);
  });

  it('does not count sign-ins that succeed', async () => {
    const { email } = await api.person();
    for (let i = 0; i < 12; i++) await api.signIn(email, PASSWORD, {}, '192.0.2.78').expect(200);
  });

  it('counts guesses that come all at once', async () => {
    const { email } = await api.person();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => api.signIn(email, `wrong password ${i}`, {}, `203.0.116.${i}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).to.have.length.at.most(3);
  });

  it('refuses what another site sends', async () => {
    const { email } = await api.person();
    for (const origin of ['https://evil.example', 'null', 'https://verify.example.com.evil.example'])
      await api.signIn(email).set('Origin', origin).expect(403);
    // Whoever has another host of the domain, too.
    for (const site of ['cross-site', 'same-site'])
      await api.signIn(email).set('Sec-Fetch-Site', site).expect(403);
    await api.signIn(email).set('Origin', 'https://verify.example.com').expect(200);
  });

  it('never allows another origin to read an answer with credentials', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://verify.example.com']) {
      const response = await api.http().options('/api/v1/auth/refresh').set('Origin', origin);
      expect(response.headers).not.to.have.property('access-control-allow-origin');
      expect(response.headers).not.to.have.property('access-control-allow-credentials');
    }
  });

  it('records where and when, without the password', async () => {
    const person = await api.person();
    const { body } = await person.get('/audit-log?action=signIn').expect(200);
    expect(body.data[0]).to.include({ action: 'signIn', ip: '198.51.100.7' });
    expect(body.data[0].actor).to.deep.equal({ kind: 'user', id: person.userId, name: person.email });
    expect(api.logs.join('')).not.to.include(PASSWORD).and.not.to.include(person.token);
  });
});
