import { expect } from 'chai';
import type { Response } from 'supertest';
import { whileHeld } from '../../support/held-row.ts';
import { cookieOf, createPeopleApi, type PeopleApi } from '../../support/people-api.ts';

describe('Refreshing a session', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  const refresh = (cookie: string) => api.http().post('/api/v1/auth/refresh').set('Cookie', cookie);
  const me = (token: string) => api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`);

  it('exchanges the cookie for its successor and a new access token', async () => {
    const person = await api.person();
    const first = await refresh(person.cookie).expect(200);
    expect(cookieOf(first)).to.be.a('string').and.not.equal(person.cookie);
    await me(first.body.accessToken as string).expect(200);
    await refresh(cookieOf(first)!).expect(200);
  });

  it('ends the session when a token comes back after its successor was used', async () => {
    const person = await api.person();
    const second = cookieOf(await refresh(person.cookie).expect(200))!;
    const third = await refresh(second).expect(200);
    const replay = await refresh(person.cookie).expect(401);
    expect(cookieOf(replay)).to.equal('__Host-touchstone-refresh=');
    await refresh(cookieOf(third)!).expect(401);
    await me(third.body.accessToken as string).expect(401);
    await person.get('/auth/me').expect(401);
    const told = (await api.mails()).map(({ to, subject }) => [to, subject]);
    expect(told).to.deep.equal([[person.email, 'A session was ended for safety']]);
  });

  it('ends the session when a token comes back later than a lost answer would', async () => {
    const person = await api.person();
    const second = cookieOf(await refresh(person.cookie).expect(200))!;
    api.clock.advance(61);
    await refresh(person.cookie).expect(401);
    await refresh(second).expect(401);
  });

  it('gives two tabs at once the same successor', async () => {
    const person = await api.person();
    const asked: Promise<Response>[] = [];
    const session = {
      text: 'select 1 from sessions where user_id = $1 for update',
      values: [person.userUuid],
    };
    await whileHeld(api.database.pool, session, async ({ waiting, release }) => {
      for (let tab = 0; tab < 5; tab += 1) asked.push(refresh(person.cookie).then((answer) => answer));
      await waiting(asked.length);
      await release();
    });
    const tabs = await Promise.all(asked);
    expect(tabs.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    expect(new Set(tabs.map((tab) => cookieOf(tab))).size).to.equal(1);
    await refresh(cookieOf(tabs[0]!)!).expect(200);
  });

  it('forgives a lost answer: the repeat gets the same successor, and the session goes on', async () => {
    const person = await api.person();
    const lost = cookieOf(await refresh(person.cookie).expect(200));
    api.clock.advance(60);
    const repeated = await refresh(person.cookie).expect(200);
    expect(cookieOf(repeated)).to.equal(lost);
    await refresh(cookieOf(repeated)!).expect(200);
  });

  it('leaves a thief and the owner one chain, so that the second of them to go on is found out', async () => {
    const person = await api.person();
    const thief = cookieOf(await refresh(person.cookie).expect(200))!;
    const owner = cookieOf(await refresh(person.cookie).expect(200))!;
    const next = cookieOf(await refresh(thief).expect(200))!;
    api.clock.advance(61);
    await refresh(owner).expect(401);
    await refresh(next).expect(401);
  });

  it('refuses a made-up token, an access token and none at all', async () => {
    const person = await api.person();
    for (const value of ['x'.repeat(43), person.token, '', 'a;b'])
      await refresh(`__Host-touchstone-refresh=${value}`).expect(401);
    await api.http().post('/api/v1/auth/refresh').expect(401);
  });

  it('refuses the token outside its cookie', async () => {
    const person = await api.person();
    const token = person.cookie.split('=')[1]!;
    await api.http().post('/api/v1/auth/refresh').set('Authorization', `Bearer ${token}`).expect(401);
    await api.http().post('/api/v1/auth/refresh').send({ refreshToken: token }).expect(422);
  });

  it('refuses another site, without harm to the session', async () => {
    const person = await api.person();
    for (const origin of ['https://evil.example', 'null'])
      await refresh(person.cookie).set('Origin', origin).expect(403);
    await refresh(person.cookie).set('Sec-Fetch-Site', 'cross-site').expect(403);
    await api
      .http()
      .post('/api/v1/auth/sign-out')
      .set('Cookie', person.cookie)
      .set('Origin', 'null')
      .expect(403);
    await refresh(person.cookie).set('Origin', 'https://verify.example.com').expect(200);
  });

  it('stores no token that could be used', async () => {
    const person = await api.person();
    const second = cookieOf(await refresh(person.cookie).expect(200))!;
    const { rows } = await api.database.pool.query<{ dump: string }>(
      'select string_agg(t::text, chr(10)) as dump from refresh_tokens t',
    );
    for (const cookie of [person.cookie, second]) {
      const token = cookie.split('=')[1]!;
      expect(rows[0]!.dump).not.to.include(token);
      expect(rows[0]!.dump).not.to.include(Buffer.from(token, 'base64url').toString('hex'));
    }
  });

  it('ends 30 days after the sign-in, however much it is used', async () => {
    const person = await api.person();
    let { cookie } = person;
    for (let day = 0; day < 29; day++) {
      api.clock.advance(24 * 3600);
      cookie = cookieOf(await refresh(cookie).expect(200))!;
    }
    api.clock.advance(24 * 3600 - 300);
    const last = await refresh(cookie).expect(200);
    expect((last.get('Set-Cookie') as string[])[0]).to.include('; Max-Age=300;');
    await me(last.body.accessToken as string).expect(200);
    api.clock.advance(300);
    // An access token lasts for ten minutes, but not for longer than its session.
    await me(last.body.accessToken as string).expect(401);
    await refresh(cookieOf(last)!).expect(401);
  });
});

describe('Ending sessions', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  const refresh = (cookie: string) => api.http().post('/api/v1/auth/refresh').set('Cookie', cookie);

  it('ends this one by signing out, at once', async () => {
    const person = await api.person();
    const out = await api.http().post('/api/v1/auth/sign-out').set('Cookie', person.cookie).expect(204);
    expect(cookieOf(out)).to.equal('__Host-touchstone-refresh=');
    await person.get('/auth/me').expect(401);
    await refresh(person.cookie).expect(401);
    await api.http().post('/api/v1/auth/sign-out').set('Cookie', person.cookie).expect(204);
  });

  it('ends all of them by signing out everywhere', async () => {
    const person = await api.person();
    const other = await api.signIn(person.email).expect(200);
    await person.post('/auth/sign-out-everywhere').expect(204);
    await person.get('/auth/me').expect(401);
    await refresh(cookieOf(other)!).expect(401);
  });

  it('lists one’s own and ends one of them; those of others are not there', async () => {
    const person = await api.person();
    const stranger = await api.person();
    const other = await api.signIn(person.email).set('User-Agent', 'other browser').expect(200);
    const { body } = await person.get('/auth/sessions').expect(200);
    expect(body.data).to.have.length(2);
    const [newest, current] = body.data;
    expect(newest).to.include({ isCurrent: false, userAgent: 'other browser', ip: '198.51.100.7' });
    expect(current).to.include({ isCurrent: true });
    await stranger.delete(`/auth/sessions/${newest.id}`).expect(404);
    await person.delete(`/auth/sessions/${newest.id}`).expect(204);
    await refresh(cookieOf(other)!).expect(401);
    // The answer may have been lost.
    await person.delete(`/auth/sessions/${newest.id}`).expect(204);
    await stranger.delete(`/auth/sessions/${newest.id}`).expect(404);
    await person.get('/auth/me').expect(200);
  });

  it('leaves the list to those that are open, with the last use of each', async () => {
    const person = await api.person();
    const signedInAt = api.clock.now().toISOString();
    api.clock.advance(24 * 3600);
    const [kept, ended] = [
      await api.signIn(person.email).expect(200),
      await api.signIn(person.email).expect(200),
    ];
    const list = async (response: { body: { accessToken: string } }) => {
      const { body } = await api
        .http()
        .get('/api/v1/auth/sessions')
        .set('Authorization', `Bearer ${response.body.accessToken}`)
        .expect(200);
      return body.data as { id: string; isCurrent: boolean; createdAt: string; lastUsedAt: string }[];
    };
    await api.http().post('/api/v1/auth/sign-out').set('Cookie', cookieOf(ended)!).expect(204);
    const [newest, oldest, ...more] = await list(kept);
    expect(more).to.deep.equal([]);
    expect(newest).to.include({ isCurrent: true });
    expect(oldest).to.include({ isCurrent: false, createdAt: signedInAt, lastUsedAt: signedInAt });

    // The first one has expired by then.
    api.clock.advance(29 * 24 * 3600);
    const refreshed = await refresh(cookieOf(kept)!).expect(200);
    const [only, ...others] = await list(refreshed);
    expect(others).to.deep.equal([]);
    expect(only).to.include({ id: newest!.id, createdAt: newest!.createdAt });
    expect(only!.lastUsedAt).to.equal(api.clock.now().toISOString());
  });

  it('keeps when and why each ended first', async () => {
    const person = await api.person();
    const other = await api.signIn(person.email).expect(200);
    const [{ id }] = (await person.get('/auth/sessions').expect(200)).body.data;
    const endedAt = api.clock.now();
    await person.delete(`/auth/sessions/${id}`).expect(204);
    api.clock.advance(60);
    await api.http().post('/api/v1/auth/sign-out').set('Cookie', cookieOf(other)!).expect(204);
    await person.post('/auth/sign-out-everywhere').expect(204);
    const { rows } = await api.database.pool.query(
      'select ended_because, ended_at from sessions where user_id = $1 order by id desc',
      [person.userUuid],
    );
    expect(rows).to.deep.equal([
      { ended_because: 'ended-elsewhere', ended_at: endedAt },
      { ended_because: 'signed-out-everywhere', ended_at: api.clock.now() },
    ]);
  });
});
