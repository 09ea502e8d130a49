import { expect } from 'chai';
import { totpCode, totpStep } from '../../../shared/accounts/totp.ts';
import { eventually } from '../../support/eventually.ts';
import { createPeopleApi, PASSWORD, type PeopleApi, type Person } from '../../support/people-api.ts';

describe('The audit log of signing in and out', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_SIGN_IN_PER_ACCOUNT: '3' });
  });
  after(() => api.close());

  const entries = async (person: Person, action: string) => {
    const { body } = await person.get(`/audit-log?action=${action}`).expect(200);
    return body.data as Record<string, unknown>[];
  };
  const noted = (person: Person, action: string) =>
    eventually(`an entry "${action}"`, async () => (await entries(person, action)).length === 1);
  /** Every entry there is, when whatever is written beside answers is written. */
  const total = async () => {
    const { rows } = await api.database.pool.query<{ n: number }>('select count(*)::int as n from audit_log');
    return rows[0]!.n;
  };

  it('has a sign-out, once', async () => {
    const person = await api.person();
    const watcher = await api.person('owner', person.orgUuid);
    for (let i = 0; i < 2; i++)
      await api.http().post('/api/v1/auth/sign-out').set('Cookie', person.cookie).expect(204);
    const [entry, ...more] = await entries(watcher, 'signOut');
    expect(entry!.actor).to.deep.equal({ kind: 'user', id: person.userId, name: person.email });
    expect(entry!.resource).to.match(/^sess_/);
    expect(more).to.deep.equal([]);
  });

  it('has the first failure of an hour, by nobody, and not the password', async () => {
    const person = await api.person();
    for (let i = 0; i < 3; i++)
      await api.signIn(person.email, 'not the password', {}, `203.0.113.${i}`).expect(401);
    await noted(person, 'signInFailed');
    const [entry] = await entries(person, 'signInFailed');
    expect(entry).to.deep.include({
      actor: { kind: 'anonymous', id: null, name: null },
      resource: person.userId,
      ip: '203.0.113.0',
    });
    await api.signIn(person.email, PASSWORD, {}, '203.0.113.9').expect(429);
    await noted(person, 'signInLimited');
    await api.signIn(person.email, PASSWORD, {}, '203.0.113.9').expect(429);
    // By their order, whatever these left to write would be written before the next person's entry.
    const other = await api.person();
    await api.signIn(other.email, 'not the password', {}, '203.0.114.1').expect(401);
    await noted(other, 'signInFailed');
    expect(await entries(person, 'signInFailed')).to.have.length(1);
    expect(await entries(person, 'signInLimited')).to.have.length(1);
  });

  it('tells apart who has the password and lacks the second factor', async () => {
    const person = await api.person();
    const { body } = await person.post('/auth/totp/set-up').expect(200);
    await person
      .post('/auth/totp/confirm', { code: totpCode(body.secret as string, totpStep(api.clock.now())) })
      .expect(200);
    await api.signIn(person.email, PASSWORD, { code: '000000' }, '203.0.115.1').expect(401);
    await noted(person, 'secondFactorFailed');
    expect(await entries(person, 'signInFailed')).to.deep.equal([]);
  });

  it('has nothing about an address that nobody has, and answers alike', async () => {
    const person = await api.person();
    await api.signIn(person.email, 'not the password', {}, '203.0.116.1').expect(401);
    await noted(person, 'signInFailed');
    const before = await total();
    await api.signIn('nobody@example.com', 'not the password', {}, '203.0.116.2').expect(401);
    const last = await api.person();
    await api.signIn(last.email, 'not the password', {}, '203.0.116.3').expect(401);
    await noted(last, 'signInFailed');
    // The last one's sign-in and failure.
    expect(await total()).to.equal(before + 2);
  });

  it('does not make the answer wait, so that time does not tell', async () => {
    const person = await api.person();
    const { pool } = api.database;
    const blocker = await pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table audit_log in access exclusive mode');
    try {
      await api.signIn(person.email, 'not the password', {}, '203.0.117.1').expect(401);
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    await noted(person, 'signInFailed');
  });
});
