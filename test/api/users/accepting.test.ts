import { expect } from 'chai';
import { createPeopleApi, tokenIn, type PeopleApi } from '../../support/people-api.ts';

describe('Who is invited', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  it('chooses no password that is little more than what anybody knows of them', async () => {
    const owner = await api.person('owner');
    await owner.post('/invitations', { email: 'theodora@example.com', role: 'viewer' }).expect(201);
    const token = tokenIn((await api.mails())[0]);
    for (const fields of [{ password: 'theodora.2026' }, { password: 'wilhelmina.22', name: 'Wilhelmina' }]) {
      const { body } = await api.accept(token, fields).expect(422);
      expect(body.errors[0]).to.include({ path: 'password', code: 'PASSWORD_LIKE_YOU' });
    }
    // What was refused has not spent the link.
    await api.accept(token).expect(201);
  });

  it('is in the audit log with the role', async () => {
    const owner = await api.person('owner');
    const email = 'noted@example.com';
    const { body } = await owner.post('/invitations', { email, role: 'analyst' }).expect(201);
    const accepted = await api.accept(tokenIn((await api.mails())[0])).expect(201);
    const { userId } = accepted.body as { userId: string };
    const log = await owner.get('/audit-log?action=acceptInvitation').expect(200);
    expect(log.body.data).to.have.length(1);
    expect(log.body.data[0]).to.deep.include({
      actor: { kind: 'user', id: userId, name: email },
      resource: body.id,
      after: { userId, role: 'analyst' },
    });
  });

  it('is no member yet, disabled or not', async () => {
    const owner = await api.person('owner');
    const member = await api.person('viewer', owner.orgUuid);
    const invite = async () => {
      const answer = await owner.post('/invitations', { email: member.email, role: 'viewer' }).expect(409);
      expect(answer.body.errors[0]).to.include({ path: 'email', code: 'ALREADY_MEMBER' });
    };
    await invite();
    await owner.patch(`/users/${member.userId}`, { disabled: true }).expect(200);
    await invite();
    expect(await api.mails()).to.deep.equal([]);
  });

  it('gets no mail whose link is too old by then', async () => {
    const owner = await api.person('owner');
    await owner.post('/invitations', { email: 'late@example.com', role: 'viewer' }).expect(201);
    api.clock.advance(7 * 24 * 3600);
    expect(await api.mails()).to.deep.equal([]);
  });

  it('gets five mails of one organization in a quarter of an hour, and no more', async () => {
    const [owner, other] = [await api.person('owner'), await api.person('owner')];
    const invitation = { email: 'stranger@example.com', role: 'viewer' };
    const statuses: number[] = [];
    let mails = 0;
    for (let times = 0; times < 6; times += 1) {
      statuses.push((await owner.post('/invitations', invitation)).status);
      mails += (await api.mails()).length;
    }
    expect(statuses).to.deep.equal([201, 201, 201, 201, 201, 429]);
    const refused = await owner.post('/invitations', invitation).expect(429);
    expect(refused.body.code).to.equal('RATE_LIMITED');
    expect(Number(refused.get('Retry-After'))).to.be.within(1, 900);
    expect(mails).to.equal(5);
    // What was refused has not replaced what is open.
    const { body } = await owner.get('/invitations').expect(200);
    expect(body.data[0].status).to.equal('pending');
    await owner.post('/invitations', { ...invitation, email: 'another@example.com' }).expect(201);
    await other.post('/invitations', invitation).expect(201);
  });

  it('leaves no link, no second factor and no recovery code behind when they are removed', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    await api.http().post('/api/v1/auth/forgot-password').send({ email: viewer.email }).expect(202);
    const { pool } = api.database;
    await pool.query('insert into recovery_codes (digest, user_id) values ($1, $2)', [
      Buffer.alloc(32, 1),
      viewer.userUuid,
    ]);
    await pool.query('update users set totp_sealed = $2, totp_confirmed_at = now() where id = $1', [
      viewer.userUuid,
      'sealed',
    ]);
    const left = async () =>
      (
        await pool.query(
          `select (select count(*)::int from password_resets where user_id = $1) as resets,
                  (select count(*)::int from recovery_codes where user_id = $1) as codes,
                  (select count(totp_sealed)::int from users where id = $1) as factors`,
          [viewer.userUuid],
        )
      ).rows[0];
    expect(await left()).to.deep.equal({ resets: 1, codes: 1, factors: 1 });
    await owner.delete(`/users/${viewer.userId}`).expect(204);
    expect(await left()).to.deep.equal({ resets: 0, codes: 0, factors: 0 });
  });
});
