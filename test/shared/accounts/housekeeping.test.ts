import { expect } from 'chai';
import type request from 'supertest';
import { forgetOldAccountData } from '../../../shared/accounts/housekeeping.ts';
import { createOrganization } from '../../../shared/organizations/service.ts';
import { cookieOf, createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';

describe('Housekeeping of accounts', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('throws away what ended a month ago, and nothing that is needed', async () => {
    const person = await api.person();
    const { body } = await person.post('/api-keys', { name: 'x', scopes: ['products.read'] }).expect(201);
    await person.post(`/api-keys/${body.id}/rotate`, { graceSeconds: 0 }).expect(200);
    await api.http().post('/api/v1/auth/forgot-password').send({ email: person.email }).expect(202);
    await api.mails();
    expect(await forgetOldAccountData(api.deps, api.deps.db)).to.deep.equal({
      sessions: 0,
      invitations: 0,
      mails: 0,
      keySecrets: 0,
    });
    const open = await api.database.pool.query('select 1 from password_resets');
    expect(open.rowCount).to.equal(1);
    api.clock.advance(61 * 24 * 3600);
    expect(await forgetOldAccountData(api.deps, api.deps.db)).to.deep.equal({
      sessions: 1,
      invitations: 0,
      mails: 1,
      keySecrets: 1,
    });
    const { rows } = await api.database.pool.query(
      'select (select count(*)::int from password_resets) as resets, (select count(*)::int from api_key_secrets) as secrets',
    );
    expect(rows).to.deep.equal([{ resets: 0, secrets: 1 }]);
  });

  it('forgets a session a month after it ended, though it would have gone on for longer', async () => {
    const person = await api.person();
    await person.post('/auth/sign-out-everywhere').expect(204);
    const forget = async (days: number) => {
      api.clock.advance(days * 24 * 3600);
      return (await forgetOldAccountData(api.deps, api.deps.db)).sessions;
    };
    await forget(0);
    expect(await forget(29)).to.equal(0);
    expect(await forget(1)).to.equal(1);
  });

  it('leaves when somebody last signed in, until they are removed', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    const signedInAt = api.clock.now().toISOString();
    api.clock.advance(61 * 24 * 3600);
    const { body } = await api.signIn(owner.email).expect(200);
    const as = (test: request.Test) => test.set('Authorization', `Bearer ${body.accessToken}`);
    const user = `/api/v1/users/${viewer.userId}`;
    const read = async () => (await as(api.http().get(user)).expect(200)).body.lastSignedInAt;
    expect(await read()).to.equal(signedInAt);
    expect((await forgetOldAccountData(api.deps, api.deps.db)).sessions).to.be.at.least(2);
    expect(await read()).to.equal(signedInAt);
    const { body: users } = await as(api.http().get('/api/v1/users')).expect(200);
    expect(users.data.map((each: any) => [each.id, each.lastSignedInAt])).to.have.deep.members([
      [viewer.userId, signedInAt],
      [owner.userId, api.clock.now().toISOString()],
    ]);
    await api.signIn(viewer.email).expect(200);
    await as(api.http().delete(user)).expect(204);
    const left = async () => {
      const { rows } = await api.database.pool.query<{ at: Date | null }>(
        'select last_signed_in_at as at from users where id = $1',
        [viewer.userUuid],
      );
      return rows[0]!.at;
    };
    expect(await left()).to.equal(null);
    // Nor does it come back with the session that goes after them.
    api.clock.advance(30 * 24 * 3600);
    expect((await forgetOldAccountData(api.deps, api.deps.db)).sessions).to.be.at.least(1);
    expect(await left()).to.equal(null);
  });

  it('leaves the latest sign-in, in whatever order sessions go', async () => {
    const person = await api.person();
    const forgetAfter = async (days: number) => {
      api.clock.advance(days * 24 * 3600);
      await forgetOldAccountData(api.deps, api.deps.db);
      const { rows } = await api.database.pool.query<{ at: Date | null; sessions: number }>(
        `select last_signed_in_at as at, (select count(*)::int from sessions where user_id = u.id) as sessions
           from users u where id = $1`,
        [person.userUuid],
      );
      return rows[0]!;
    };
    await forgetAfter(5);
    const signOut = async () => {
      const cookie = cookieOf(await api.signIn(person.email).expect(200))!;
      await api.http().post('/api/v1/auth/sign-out').set('Cookie', cookie).expect(204);
    };
    await signOut();
    api.clock.advance(3600);
    const latest = api.clock.now();
    await signOut();
    // Two that ended on the fifth day, then the first one, which expired on the thirtieth.
    expect(await forgetAfter(30)).to.deep.equal({ at: latest, sessions: 1 });
    expect(await forgetAfter(25)).to.deep.equal({ at: latest, sessions: 0 });
  });

  it('forgets who was invited a month after the invitation was accepted, taken back or had expired', async () => {
    const owner = await api.person('owner');
    const invite = async (email: string) =>
      (await owner.post('/invitations', { email, role: 'viewer' }).expect(201)).body.id as string;
    await api.mails();
    await invite('accepted@example.com');
    const [mail] = await api.mails();
    await api.accept(tokenIn(mail)).expect(201);
    await owner.post(`/invitations/${await invite('revoked@example.com')}/revoke`).expect(200);
    await invite('expired@example.com');
    const forget = async (days: number) => {
      api.clock.advance(days * 24 * 3600);
      return (await forgetOldAccountData(api.deps, api.deps.db)).invitations;
    };
    const left = async () =>
      (await api.database.pool.query('select email from invitations order by email')).rows.map(
        ({ email }) => email,
      );
    expect(await forget(29)).to.equal(0);
    expect(await forget(1)).to.equal(2);
    expect(await left()).to.deep.equal(['expired@example.com']);
    expect(await forget(6)).to.equal(0);
    expect(await forget(1)).to.equal(1);
    expect(await left()).to.deep.equal([]);
  });

  it('does not touch an owner whom the operator created, who can sign in at once', async () => {
    await createOrganization(api.deps, api.deps.db, {
      name: 'New',
      email: 'Owner@New.example',
      password: PASSWORD,
    });
    await api.signIn('owner@new.example').expect(200);
    const { rows } = await api.database.pool.query(
      `select actor_kind, action from audit_log order by id desc limit 1 offset 1`,
    );
    expect(rows).to.deep.equal([{ actor_kind: 'operator', action: 'createOrganization' }]);
  });
});
