import { expect } from 'chai';
import type { RenderedMail } from '../../../shared/mail/message.ts';
import { decodeId } from '../../../shared/ids.ts';
import { whileHeld } from '../../support/held-row.ts';
import { cookieOf, createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';

describe('Users', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  it('lose rights with the request that follows a demotion', async () => {
    const owner = await api.person('owner');
    const admin = await api.person('administrator', owner.orgUuid);
    await admin.get('/api-keys').expect(200);
    await owner.patch(`/users/${admin.userId}`, { role: 'viewer' }).expect(200);
    const refused = await admin.get('/api-keys').expect(403);
    expect(refused.body.code).to.equal('FORBIDDEN');
    const scope = await admin.post('/products', { name: 'x', sku: 'x' }).expect(403);
    expect(scope.body.code).to.equal('INSUFFICIENT_SCOPE');
    await admin.get('/products').expect(200);
  });

  it('are out with the request that follows their disablement, and stay out', async () => {
    const owner = await api.person('owner');
    const analyst = await api.person('analyst', owner.orgUuid);
    await owner.patch(`/users/${analyst.userId}`, { disabled: true }).expect(200);
    await analyst.get('/auth/me').expect(401);
    // Also where the session itself was left open.
    await api.deps.db.query('update sessions set ended_at = null, ended_because = null where user_id = $1', [
      analyst.userUuid,
    ]);
    await analyst.get('/auth/me').expect(401);
    await owner.patch(`/users/${analyst.userId}`, { disabled: true }).expect(200);
    await api.http().post('/api/v1/auth/refresh').set('Cookie', analyst.cookie).expect(401);
    // Another role enables nobody.
    await owner.patch(`/users/${analyst.userId}`, { role: 'viewer' }).expect(200);
    await api.signIn(analyst.email).expect(401);
    await owner.patch(`/users/${analyst.userId}`, { disabled: false }).expect(200);
    await analyst.get('/auth/me').expect(401);
    await api.signIn(analyst.email).expect(200);
  });

  it('are known by name to everybody who works beside them, and by no more', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    const stranger = await api.person('owner');
    await owner.patch('/auth/me', { name: 'Ana Oliveira' }).expect(200);
    const { body } = await viewer.get('/people').expect(200);
    expect(body.data).to.deep.equal([
      { id: viewer.userId, name: viewer.email, active: true },
      { id: owner.userId, name: 'Ana Oliveira', active: true },
    ]);
    expect(JSON.stringify((await stranger.get('/people').expect(200)).body)).not.to.include('Ana');
    const found = async (query: string, who = viewer) =>
      (await who.get(`/people?${query}`).expect(200)).body.data.map(({ id }: { id: string }) => id);
    expect(await found('q=OLIV')).to.deep.equal([owner.userId]);
    expect(await found(`q=${viewer.email}`)).to.deep.equal([viewer.userId]);
    expect(await found('q=%25')).to.deep.equal([]);
    expect(await found(`id=${owner.userId}`)).to.deep.equal([owner.userId]);
    expect(await found(`id=${owner.userId}`, stranger)).to.deep.equal([]);
    await viewer.get('/users').expect(403);
  });

  it('decide about nobody above themselves', async () => {
    const owner = await api.person('owner');
    const admin = await api.person('administrator', owner.orgUuid);
    const viewer = await api.person('viewer', owner.orgUuid);
    await admin.patch(`/users/${owner.userId}`, { role: 'viewer' }).expect(403);
    await admin.delete(`/users/${owner.userId}`).expect(403);
    await admin.patch(`/users/${viewer.userId}`, { role: 'owner' }).expect(403);
    await admin.patch(`/users/${admin.userId}`, { role: 'owner' }).expect(403);
    await admin.post('/invitations', { email: 'a@example.com', role: 'owner' }).expect(403);
    await viewer.patch(`/users/${viewer.userId}`, { role: 'administrator' }).expect(403);
    await admin.patch(`/users/${viewer.userId}`, { role: 'administrator' }).expect(200);
  });

  it('keep the last owner, whichever way the owner tries to go', async () => {
    const owner = await api.person('owner');
    const { body } = await owner.patch(`/users/${owner.userId}`, { role: 'viewer' }).expect(409);
    expect(body.errors[0]).to.include({ path: '', code: 'LAST_OWNER' });
    await owner.patch(`/users/${owner.userId}`, { disabled: true }).expect(409);
    await owner.delete(`/users/${owner.userId}`).expect(409);
    await owner.post('/auth/leave').expect(409);
    const second = await api.person('owner', owner.orgUuid);
    await owner.post('/auth/leave').expect(204);
    await owner.get('/auth/me').expect(401);
    await second.post('/auth/leave').expect(409);
    // One who is disabled is no owner who could stay, and may go.
    const third = await api.person('owner', owner.orgUuid);
    await second.patch(`/users/${third.userId}`, { disabled: true }).expect(200);
    await second.delete(`/users/${third.userId}`).expect(204);
  });

  it('keep one owner when two leave at once', async () => {
    const first = await api.person('owner');
    const second = await api.person('owner', first.orgUuid);
    // Held up just before they write, so that both have looked.
    const holder = await api.database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from users where org_id = $1 for update', [first.orgUuid]);
    const leaving = Promise.all([first.post('/auth/leave'), second.post('/auth/leave')]);
    const waiting = async () => {
      // Not by the holder: a transaction sees one snapshot of the activity.
      const { rows } = await api.database.pool.query<{ n: string }>(
        `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return Number(rows[0]!.n);
    };
    while ((await waiting()) < 2);
    await holder.query('rollback');
    holder.release();
    const answers = await leaving;
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([204, 409]);
  });

  it('free their address when they are removed', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    await owner.delete(`/users/${viewer.userId}`).expect(204);
    await owner.get(`/users/${viewer.userId}`).expect(404);
    const { body } = await owner.get('/users').expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal([owner.userId]);
    const { body: people } = await owner.get('/people').expect(200);
    expect(people.data.map(({ id }: { id: string }) => id)).to.deep.equal([owner.userId]);
    await api
      .http()
      .post('/sign-up')
      .send({ organizationName: 'New', email: viewer.email, password: PASSWORD })
      .expect(202);
    const [mail] = await api.mails();
    await api
      .http()
      .post('/sign-up/verify')
      .send({ token: tokenIn(mail) })
      .expect(201);
  });

  it('leave nothing of themselves but in the audit log when they are removed', async () => {
    const [owner, neighbour] = [await api.person('owner'), await api.person('owner')];
    const email = 'charles@babbage.example';
    const invitation = { email, role: 'viewer' };
    await owner.post('/invitations', invitation).expect(201);
    const [mail] = await api.mails();
    const { body } = await api.accept(tokenIn(mail), { name: 'Charles Babbage' }).expect(201);
    await neighbour.post('/invitations', invitation).expect(201);
    await owner.delete(`/users/${body.userId}`).expect(204);
    const { rows: tables } = await api.database.pool.query<{ name: string }>(
      `select relname as name from pg_class
        where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
    );
    const left: string[] = [];
    for (const { name } of tables) {
      const named = `select count(*)::int as n from ${name} t where to_jsonb(t)::text ~* 'babbage'`;
      if ((await api.database.pool.query(named)).rows[0].n > 0) left.push(name);
    }
    // Another organization invites them still.
    expect(left.sort()).to.deep.equal(['audit_log', 'invitations']);
    expect((await owner.get('/invitations').expect(200)).body.data).to.deep.equal([]);
    expect((await neighbour.get('/invitations').expect(200)).body.data).to.have.length(1);
  });

  it('of another organization are not there', async () => {
    const [owner, stranger] = [await api.person('owner'), await api.person('owner')];
    await owner.get(`/users/${stranger.userId}`).expect(404);
    await owner.patch(`/users/${stranger.userId}`, { role: 'viewer' }).expect(404);
    await owner.delete(`/users/${stranger.userId}`).expect(404);
    const { body } = await owner.get('/users').expect(200);
    expect(body.data).to.have.length(1);
  });

  it('take no organization, address or password from a change', async () => {
    const owner = await api.person('owner');
    for (const extra of [{ orgId: 'x' }, { email: 'x@example.com' }, { password: PASSWORD }, { id: 'x' }])
      await owner.patch(`/users/${owner.userId}`, { role: 'owner', ...extra }).expect(422);
    await owner.patch('/auth/me', { name: 'Me', role: 'owner' }).expect(422);
  });
});

describe('Invitations', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  it('bring somebody in with the role they name, once', async () => {
    const owner = await api.person('owner');
    const { body } = await owner
      .post('/invitations', { email: 'Rui@Example.com', role: 'analyst' })
      .expect(201);
    expect(body).to.include({ email: 'rui@example.com', role: 'analyst', status: 'pending' });
    const [mail] = await api.mails();
    expect(mail!.text).to.include(owner.email).and.to.include('analyst');
    await api.accept(tokenIn(mail), { name: 'Rui' }).expect(201);
    const signedIn = await api.signIn('rui@example.com').expect(200);
    const me = await api
      .http()
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${signedIn.body.accessToken}`);
    expect(me.body).to.deep.include({ role: 'analyst', name: 'Rui' });
    expect(me.body.organization.id).to.equal(owner.orgId);
    await api.accept(tokenIn(mail)).expect(422);
    expect((await owner.get(`/invitations/${body.id}`)).body.status).to.equal('accepted');
  });

  it('are accepted once when two accept at once', async () => {
    const owner = await api.person('owner');
    await owner.post('/invitations', { email: 'race@example.com', role: 'viewer' }).expect(201);
    const [mail] = await api.mails();
    const answers = await Promise.all([1, 2, 3].map(() => api.accept(tokenIn(mail))));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([201, 422, 422]);
  });

  it('end after seven days, when taken back, and when replaced', async () => {
    const owner = await api.person('owner');
    const mails: RenderedMail[] = [];
    const invite = async (email: string) => {
      const answer = await owner.post('/invitations', { email, role: 'viewer' }).expect(201);
      mails.push(...(await api.mails()));
      return answer;
    };
    await invite('late@example.com');
    const { body } = await invite('back@example.com');
    await owner.post(`/invitations/${body.id}/revoke`).expect(200);
    await invite('again@example.com');
    await invite('again@example.com');
    const tokenFor = (email: string, nth = 0) => tokenIn(mails.filter(({ to }) => to === email)[nth]);
    await api.accept(tokenFor('back@example.com')).expect(422);
    await api.accept(tokenFor('again@example.com', 0)).expect(422);
    await api.accept(tokenFor('again@example.com', 1)).expect(201);
    api.clock.advance(7 * 24 * 3600);
    await api.accept(tokenFor('late@example.com')).expect(422);
  });

  it('are not mailed any more where they are taken back or replaced before that', async () => {
    const owner = await api.person('owner');
    const invite = (email: string) => owner.post('/invitations', { email, role: 'viewer' }).expect(201);
    const { body } = await invite('early@example.com');
    await invite('twice@example.com');
    await owner.post(`/invitations/${body.id}/revoke`).expect(200);
    await invite('twice@example.com');
    const mails = await api.mails();
    expect(mails.map(({ to }) => to)).to.deep.equal(['twice@example.com']);
    await api.accept(tokenIn(mails[0])).expect(201);
    // What is taken back once it is sent changes nothing of that.
    const sent = await invite('went-out@example.com');
    expect(await api.mails()).to.have.length(1);
    await owner.post(`/invitations/${sent.body.id}/revoke`).expect(200);
    const { rows } = await api.database.pool.query('select state from mails where id = $1', [
      decodeId('inv', sent.body.id),
    ]);
    expect(rows).to.deep.equal([{ state: 'sent' }]);
  });

  it('stand only while their inviter may give the role', async () => {
    const owner = await api.person('owner');
    const statusOf = async (id: string) => {
      const { body } = await owner.get(`/invitations/${id}`).expect(200);
      const { body: list } = await owner.get('/invitations').expect(200);
      expect(list.data[0]).to.deep.equal(body);
      return body.status;
    };
    const losses = {
      removed: ['owner', (id: string) => owner.delete(`/users/${id}`).expect(204)],
      disabled: ['owner', (id: string) => owner.patch(`/users/${id}`, { disabled: true }).expect(200)],
      demoted: ['owner', (id: string) => owner.patch(`/users/${id}`, { role: 'administrator' }).expect(200)],
      // Above the role still, but nobody who may invite.
      'demoted-further': [
        'viewer',
        (id: string) => owner.patch(`/users/${id}`, { role: 'analyst' }).expect(200),
      ],
    } as const;
    for (const [loss, [role, inflict]] of Object.entries(losses)) {
      const inviter = await api.person('owner', owner.orgUuid);
      const email = `mallory-${loss}@example.com`;
      const { body } = await inviter.post('/invitations', { email, role }).expect(201);
      expect(await statusOf(body.id)).to.equal('pending');
      const token = tokenIn((await api.mails()).at(-1));
      await inflict(inviter.userId);
      const refused = await api.accept(token).expect(422);
      expect(refused.body.errors[0]).to.include({ path: 'token', code: 'LINK_NOT_VALID' });
      expect(await statusOf(body.id), loss).to.equal('revoked');
    }
  });

  it('do not cross the demotion of their inviter', async () => {
    const owner = await api.person('owner');
    const inviter = await api.person('owner', owner.orgUuid);
    await inviter.post('/invitations', { email: 'crossing@example.com', role: 'owner' }).expect(201);
    const token = tokenIn((await api.mails()).at(-1));
    const organization = {
      text: 'select 1 from organizations where id = $1 for update',
      values: [owner.orgUuid],
    };
    await whileHeld(api.database.pool, organization, async ({ holder, waiting, release }) => {
      const accepting = api.accept(token).then(({ status }) => status);
      await waiting(1);
      await holder.query(`update users set role = 'viewer' where id = $1`, [inviter.userUuid]);
      await release();
      expect(await accepting).to.equal(422);
    });
  });

  it('of a role above one’s own are neither replaced nor taken back', async () => {
    const owner = await api.person('owner');
    const admin = await api.person('administrator', owner.orgUuid);
    const email = 'partner@example.com';
    const { body } = await owner.post('/invitations', { email, role: 'owner' }).expect(201);
    await admin.post('/invitations', { email, role: 'viewer' }).expect(403);
    await admin.post(`/invitations/${body.id}/revoke`).expect(403);
    expect((await owner.get(`/invitations/${body.id}`)).body.status).to.equal('pending');
    api.clock.advance(7 * 24 * 3600);
    const later = await api.person('administrator', owner.orgUuid);
    await later.post('/invitations', { email, role: 'viewer' }).expect(201);
  });

  it('that are replaced are in the audit log', async () => {
    const owner = await api.person('owner');
    const email = 'twice@example.com';
    const { body } = await owner.post('/invitations', { email, role: 'viewer' }).expect(201);
    await owner.post('/invitations', { email, role: 'analyst' }).expect(201);
    const log = await owner.get(`/audit-log?resource=${body.id}&action=revokeInvitation`).expect(200);
    expect(log.body.data).to.have.length(1);
    expect(log.body.data[0]).to.deep.include({ before: { status: 'pending' }, after: { status: 'revoked' } });
  });

  it('do not reveal whether an address has an account elsewhere', async () => {
    const [owner, stranger] = [await api.person('owner'), await api.person('owner')];
    const known = await owner.post('/invitations', { email: stranger.email, role: 'viewer' }).expect(201);
    const unknown = await owner
      .post('/invitations', { email: 'new@example.com', role: 'viewer' })
      .expect(201);
    expect(Object.keys(known.body)).to.deep.equal(Object.keys(unknown.body));
    expect(known.body.status).to.equal(unknown.body.status);
    const mail = (await api.mails()).find(({ to }) => to === stranger.email);
    await api.accept(tokenIn(mail)).expect(409);
    expect((await stranger.get('/auth/me')).body.organization.id).to.equal(stranger.orgId);
  });

  it('of another organization are not there', async () => {
    const [owner, stranger] = [await api.person('owner'), await api.person('owner')];
    const { body } = await owner.post('/invitations', { email: 'x@example.com', role: 'viewer' }).expect(201);
    await stranger.get(`/invitations/${body.id}`).expect(404);
    await stranger.post(`/invitations/${body.id}/revoke`).expect(404);
    expect((await stranger.get('/invitations')).body.data).to.deep.equal([]);
  });

  it('to an address that another organization invited as well are both open', async () => {
    const [owner, stranger] = [await api.person('owner'), await api.person('owner')];
    const email = 'wanted@example.com';
    const first = await owner.post('/invitations', { email, role: 'owner' }).expect(201);
    await stranger.post('/invitations', { email, role: 'viewer' }).expect(201);
    expect((await owner.get(`/invitations/${first.body.id}`).expect(200)).body.status).to.equal('pending');
    expect((await stranger.get('/audit-log?action=revokeInvitation').expect(200)).body.data).to.deep.equal(
      [],
    );
    const mails = (await api.mails()).filter(({ to }) => to === email);
    await api.accept(tokenIn(mails.find(({ text }) => text.includes(owner.email)))).expect(201);
    const { body } = await api.signIn(email).expect(200);
    const me = await api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${body.accessToken}`);
    expect([me.body.organization.id, me.body.role]).to.deep.equal([owner.orgId, 'owner']);
  });

  it('sign nobody in by themselves', async () => {
    const owner = await api.person('owner');
    await owner.post('/invitations', { email: 'quiet@example.com', role: 'viewer' }).expect(201);
    const mail = (await api.mails()).at(-1);
    expect(cookieOf(await api.accept(tokenIn(mail)).expect(201))).to.equal(undefined);
  });
});
