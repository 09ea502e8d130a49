/** What people do to each other at the same moment. */
import { expect } from 'chai';
import { whileHeld } from '../../support/held-row.ts';
import { createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';

const NEW_PASSWORD = 'another stone that shows gold';

describe('Decisions about people that cross', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  beforeEach(async () => void (await api.mails()));
  after(() => api.close());

  const held = (rows: string, value: string) => ({
    text: `select 1 from ${rows} = $1 for update`,
    values: [value],
  });
  /** Requests that wait behind rows, in this order. @returns their statuses */
  const inTurn = async (
    rows: { text: string; values: unknown[] },
    ...requests: (() => PromiseLike<{ status: number }>)[]
  ): Promise<number[]> => {
    const answers: Promise<number>[] = [];
    await whileHeld(api.database.pool, rows, async ({ waiting, release }) => {
      for (const send of requests) {
        answers.push(Promise.resolve(send()).then(({ status }) => status));
        await waiting(answers.length);
      }
      await release();
    });
    return Promise.all(answers);
  };
  const reset = (token: string) =>
    api.http().post('/api/v1/auth/reset-password').send({ token, password: NEW_PASSWORD });
  const askForReset = (email: string) =>
    api.http().post('/api/v1/auth/forgot-password').send({ email }).expect(202);

  it('a sign-in and the disablement of who signs in are both answered', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    const statuses = await inTurn(
      held('users where id', viewer.userUuid),
      () => api.signIn(viewer.email),
      () => owner.patch(`/users/${viewer.userId}`, { disabled: true }),
    );
    expect(statuses).to.deep.equal([200, 200]);
    await api.signIn(viewer.email).expect(401);
  });

  it('nobody signs in who was disabled, or whose password was changed, while theirs was checked', async () => {
    const owner = await api.person('owner');
    const disabled = await api.person('viewer', owner.orgUuid);
    const changed = await api.person('viewer', owner.orgUuid);
    expect(
      await inTurn(
        held('users where id', disabled.userUuid),
        () => owner.patch(`/users/${disabled.userId}`, { disabled: true }),
        () => api.signIn(disabled.email),
      ),
    ).to.deep.equal([200, 401]);
    expect(
      await inTurn(
        held('users where id', changed.userUuid),
        () => changed.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
        () => api.signIn(changed.email),
      ),
    ).to.deep.equal([204, 401]);
  });

  it('an invitation is accepted or taken back, and not both', async () => {
    const owner = await api.person('owner');
    const { body } = await owner
      .post('/invitations', { email: 'crossed@example.com', role: 'viewer' })
      .expect(201);
    const token = tokenIn((await api.mails()).at(-1));
    const statuses = await inTurn(
      held('invitations where org_id', owner.orgUuid),
      () => owner.post(`/invitations/${body.id}/revoke`),
      () => api.accept(token, { password: NEW_PASSWORD, name: 'x' }),
    );
    expect(statuses).to.deep.equal([200, 422]);
  });

  it('nobody accepts an invitation whose inviter was demoted while they accepted', async () => {
    const owner = await api.person('owner');
    const inviter = await api.person('administrator', owner.orgUuid);
    await inviter.post('/invitations', { email: 'demoted@example.com', role: 'administrator' }).expect(201);
    const token = tokenIn((await api.mails()).at(-1));
    const statuses = await inTurn(
      held('organizations where id', owner.orgUuid),
      () => owner.patch(`/users/${inviter.userId}`, { role: 'viewer' }),
      () => api.accept(token, { password: NEW_PASSWORD, name: 'x' }),
    );
    expect(statuses).to.deep.equal([200, 422]);
  });

  it('a removal and the change of the password of who is removed are both answered', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    const statuses = await inTurn(
      held('sessions where user_id', viewer.userUuid),
      () => owner.delete(`/users/${viewer.userId}`),
      () => viewer.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
    );
    expect(statuses).to.deep.equal([204, 409]);
  });

  it('a removal and the reset of the password of who is removed are both answered', async () => {
    const owner = await api.person('owner');
    const viewer = await api.person('viewer', owner.orgUuid);
    await askForReset(viewer.email);
    const token = tokenIn((await api.mails()).at(-1));
    const statuses = await inTurn(
      held('users where id', viewer.userUuid),
      () => owner.delete(`/users/${viewer.userId}`),
      () => reset(token),
    );
    expect(statuses).to.deep.equal([204, 422]);
  });

  it('of two links to a new password, or to a new organization, the first is good', async () => {
    const person = await api.person('owner');
    await askForReset(person.email);
    await askForReset(person.email);
    const resets = (await api.mails()).map(tokenIn);
    expect(
      await inTurn(
        held('password_resets where user_id', person.userUuid),
        ...resets.map((token) => () => reset(token)),
      ),
    ).to.deep.equal([204, 422]);
    // That the password was changed.
    await api.mails();

    const signUp = {
      organizationName: 'Twice',
      name: 'n',
      email: 'twice@example.com',
      password: NEW_PASSWORD,
    };
    for (let times = 0; times < 2; times += 1) await api.http().post('/sign-up').send(signUp).expect(202);
    const links = (await api.mails()).map(tokenIn);
    const verify = (token: string) => () =>
      api.http().post('/sign-up/verify').send({ token, timeZone: 'UTC' });
    expect(await inTurn(held('sign_ups where email', signUp.email), ...links.map(verify))).to.deep.equal([
      201, 422,
    ]);
  });

  it('nobody decides any more who was disabled while they waited', async () => {
    const owner = await api.person('owner');
    const other = await api.person('owner', owner.orgUuid);
    const viewer = await api.person('viewer', owner.orgUuid);
    const { body: invitation } = await owner
      .post('/invitations', { email: 'colleague@example.com', role: 'viewer' })
      .expect(201);
    const key = { name: 'ERP', scopes: ['products.read'] };
    const { body: known } = await owner.post('/api-keys', key).expect(201);
    const statuses = await inTurn(
      held('organizations where id', owner.orgUuid),
      () => owner.patch(`/users/${other.userId}`, { disabled: true }),
      () => other.patch(`/users/${viewer.userId}`, { role: 'owner' }),
      () => other.patch('/organization', { securityContact: 'other@example.com' }),
      () => other.post('/invitations', { email: 'friend@example.com', role: 'owner' }),
      () => other.post(`/invitations/${invitation.id}/revoke`),
      () => other.post('/api-keys', key),
      () => other.post(`/api-keys/${known.id}/rotate`),
      () => other.post(`/api-keys/${known.id}/revoke`),
    );
    expect(statuses).to.deep.equal([200, 403, 403, 403, 403, 403, 403, 403]);
    expect((await owner.get('/api-keys')).body.data).to.have.length(1);
    expect((await owner.get(`/users/${viewer.userId}`)).body.role).to.equal('viewer');
    expect((await owner.get('/organization')).body.securityContact).to.equal(null);
  });
});
