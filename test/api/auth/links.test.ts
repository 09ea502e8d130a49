import { expect } from 'chai';
import { createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';

describe('Links in mails', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  const works = async (purpose: string, token: string): Promise<boolean> => {
    const { body } = await api.http().post('/api/v1/auth/check-link').send({ purpose, token }).expect(200);
    expect(Object.keys(body)).to.deep.equal(['works']);
    return body.works;
  };
  const newPassword = { password: 'the second stone of gold' };
  const forgot = async (email: string) => {
    await api.http().post('/api/v1/auth/forgot-password').send({ email }).expect(202);
    return tokenIn((await api.mails()).at(-1));
  };

  it('say whether they choose a new password: for an hour, until one does', async () => {
    const person = await api.person();
    const [first, second] = [await forgot(person.email), await forgot(person.email)];
    for (const token of [first, first, second]) expect(await works('reset-password', token)).to.equal(true);
    const reset = { token: second, ...newPassword };
    await api.http().post('/api/v1/auth/reset-password').send(reset).expect(204);
    for (const token of [first, second]) expect(await works('reset-password', token)).to.equal(false);

    const third = await forgot(person.email);
    api.clock.advance(3601);
    expect(await works('reset-password', third)).to.equal(false);
  });

  it('choose no password for somebody who was disabled meanwhile', async () => {
    const person = await api.person();
    const token = await forgot(person.email);
    await api.database.pool.query('update users set disabled_at = now() where id = $1', [person.userUuid]);
    expect(await works('reset-password', token)).to.equal(false);
  });

  it('choose no password for somebody who was disabled and let in again', async () => {
    const owner = await api.person();
    const { userId, email } = await api.person('viewer', owner.orgUuid);
    const token = await forgot(email);
    for (const disabled of [true, false]) await owner.patch(`/users/${userId}`, { disabled }).expect(200);
    expect(await works('reset-password', token)).to.equal(false);
    expect(await works('reset-password', await forgot(email))).to.equal(true);
  });

  it('say whether they accept an invitation: for a week, until it is accepted or taken back', async () => {
    const owner = await api.person();
    const invite = async (email: string) => {
      const { body } = await owner.post('/invitations', { email, role: 'viewer' }).expect(201);
      return { id: body.id as string, token: tokenIn((await api.mails())[0]) };
    };
    const accepted = await invite('accepts@links.example');
    expect(await works('accept-invitation', accepted.token)).to.equal(true);
    const accept = { token: accepted.token, ...newPassword };
    await api.http().post('/api/v1/auth/accept-invitation').send(accept).expect(201);
    expect(await works('accept-invitation', accepted.token)).to.equal(false);

    const revoked = await invite('revoked@links.example');
    await owner.post(`/invitations/${revoked.id}/revoke`).expect(200);
    expect(await works('accept-invitation', revoked.token)).to.equal(false);

    const late = await invite('late@links.example');
    api.clock.advance(7 * 24 * 3600);
    expect(await works('accept-invitation', late.token)).to.equal(false);
  });

  it('say whether they confirm an address: for a day, until it is confirmed', async () => {
    const signUp = async (email: string) => {
      const body = { organizationName: 'Oliveira', email, password: PASSWORD };
      await api.http().post('/sign-up').send(body).expect(202);
      return tokenIn((await api.mails())[0]);
    };
    const confirmed = await signUp('confirms@links.example');
    expect(await works('sign-up', confirmed)).to.equal(true);
    await api.http().post('/sign-up/verify').send({ token: confirmed }).expect(201);
    expect(await works('sign-up', confirmed)).to.equal(false);

    const late = await signUp('later@links.example');
    api.clock.advance(24 * 3600);
    expect(await works('sign-up', late)).to.equal(false);
  });

  it('are good for one purpose, and nothing that is made up is one', async () => {
    const token = await forgot((await api.person()).email);
    for (const purpose of ['sign-up', 'accept-invitation'])
      expect(await works(purpose, token)).to.equal(false);
    for (const purpose of ['sign-up', 'accept-invitation', 'reset-password'])
      expect(await works(purpose, 'made-up')).to.equal(false);
  });
});
