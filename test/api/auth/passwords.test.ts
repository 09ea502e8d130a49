import { expect } from 'chai';
import type { Db } from '../../../shared/db.ts';
import { vetPassword } from '../../../shared/accounts/password.ts';
import { forgetPassword } from '../../../shared/accounts/passwords.ts';
import { accountDeps } from '../../../api/account-deps.ts';
import { cookieOf, createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';

const NEW_PASSWORD = 'the second stone of gold';

describe('Forgotten and changed passwords', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  const forgot = (email: string) => api.http().post('/api/v1/auth/forgot-password').send({ email });
  const reset = (token: string, password = NEW_PASSWORD) =>
    api.http().post('/api/v1/auth/reset-password').send({ token, password });

  it('mails a link that sets a new password once and ends every session', async () => {
    const person = await api.person();
    await forgot(person.email.toUpperCase()).expect(202);
    const [mail] = await api.mails();
    expect(mail).to.include({ to: person.email, subject: 'Choose a new password' });
    await reset(tokenIn(mail)).expect(204);
    await person.get('/auth/me').expect(401);
    await api.signIn(person.email, PASSWORD).expect(401);
    await api.signIn(person.email, NEW_PASSWORD).expect(200);
    await reset(tokenIn(mail), 'yet another password').expect(422);
    expect((await api.mails()).map(({ subject }) => subject)).to.deep.equal(['Your password was changed']);
  });

  it('voids the other links of a person when one is used', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    await forgot(person.email).expect(202);
    const [first, second] = await api.mails();
    await reset(tokenIn(second)).expect(204);
    await reset(tokenIn(first)).expect(422);
  });

  it('takes a link for one hour', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    const [mail] = await api.mails();
    api.clock.advance(3601);
    await reset(tokenIn(mail)).expect(422);
  });

  it('uses one link once, also when it comes twice at once', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    const [mail] = await api.mails();
    const answers = await Promise.all([reset(tokenIn(mail)), reset(tokenIn(mail), 'another new password')]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([204, 422]);
  });

  it('keeps asking for the second factor afterwards', async () => {
    const person = await api.person();
    await api.deps.db.query(`update users set totp_sealed = 'x', totp_confirmed_at = now() where id = $1`, [
      person.userUuid,
    ]);
    await forgot(person.email).expect(202);
    const [mail] = await api.mails();
    await reset(tokenIn(mail)).expect(204);
    const { body } = await api.signIn(person.email, NEW_PASSWORD).expect(401);
    expect(body.code).to.equal('SECOND_FACTOR_REQUIRED');
  });

  it('lets somebody in whose account strangers keep guessing at', async () => {
    const person = await api.person();
    for (let i = 0; i < 11; i++) await api.signIn(person.email, 'a wrong password', {}, `203.0.113.${i}`);
    await api.signIn(person.email, PASSWORD, {}, '192.0.2.1').expect(429);
    await forgot(person.email).expect(202);
    const answer = await reset(tokenIn((await api.mails())[0])).expect(204);
    const device = cookieOf(answer, '__Host-touchstone-device')!;
    await api.signIn(person.email, NEW_PASSWORD, {}, '192.0.2.1').set('Cookie', device).expect(200);
  });

  it('answers alike, with the same statements, whether the address is known or not', async () => {
    const person = await api.person();
    await api.mails();
    const known = await forgot(person.email).expect(202);
    const unknown = await forgot('nobody@example.com').expect(202);
    expect(unknown.text).to.equal(known.text);
    expect((await api.mails()).map(({ to }) => to)).to.deep.equal([person.email]);

    const statementsFor = async (email: string): Promise<string[]> => {
      const statements: string[] = [];
      const client = await api.deps.db.connect();
      const spied = {
        query: (text: string, values?: unknown[]) => {
          statements.push(text);
          return client.query(text, values);
        },
        release: () => undefined,
      };
      const db = { connect: async () => spied } as unknown as typeof api.deps.db & Db;
      await forgetPassword({ ...accountDeps(api.deps), db }, email);
      client.release();
      return statements;
    };
    const ofKnown = await statementsFor(person.email);
    expect(ofKnown).to.have.length.greaterThan(4);
    expect(await statementsFor('nobody@example.com')).to.deep.equal(ofKnown);
  });

  it('does not let anybody flood an inbox', async () => {
    const person = await api.person();
    for (let i = 0; i < 8; i++) await forgot(person.email).expect(202);
    expect((await api.mails()).length).to.equal(5);
  });

  it('changes the password of a signed-in person and ends their other sessions', async () => {
    const person = await api.person();
    const other = await api.signIn(person.email).expect(200);
    const change = (currentPassword: string, newPassword: string) =>
      person.post('/auth/change-password', { currentPassword, newPassword });
    await change('not the password', NEW_PASSWORD).expect(403);
    await change(PASSWORD, 'short').expect(422);
    await change(PASSWORD, NEW_PASSWORD).expect(204);
    await person.get('/auth/me').expect(200);
    await api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(other)!).expect(401);
    await api.signIn(person.email, NEW_PASSWORD).expect(200);
  });

  it('takes the repeat of a change, whose answer was lost, for done, and does it once', async () => {
    const person = await api.person();
    const change = (currentPassword: string, newPassword: string) =>
      person.post('/auth/change-password', { currentPassword, newPassword });
    await change(PASSWORD, NEW_PASSWORD).expect(204);
    const other = await api.signIn(person.email, NEW_PASSWORD).expect(200);
    await change(PASSWORD, NEW_PASSWORD).expect(204);
    await change(PASSWORD, 'yet another password').expect(403);
    await api.http().post('/api/v1/auth/refresh').set('Cookie', cookieOf(other)!).expect(200);
    expect((await api.mails()).map(({ subject }) => subject)).to.deep.equal(['Your password was changed']);
  });

  it('limits guesses at the current password from a session that was left open', async () => {
    const person = await api.person();
    const guess = () =>
      person.post('/auth/change-password', { currentPassword: 'a guess at it', newPassword: NEW_PASSWORD });
    for (let i = 0; i < 10; i++) await guess().expect(403);
    const refused = await guess().expect(429);
    expect(Number(refused.get('Retry-After'))).to.be.within(1, 900);
  });

  it('does not count changes that succeed', async () => {
    const person = await api.person();
    for (let i = 0; i < 11; i++)
      await person
        .post('/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD })
        .expect(204);
  });

  it('takes no new password that is little more than what anybody knows of the person', async () => {
    const person = await api.person();
    await person.patch('/auth/me', { name: 'Wilhelmina' }).expect(200);
    await forgot(person.email).expect(202);
    const token = tokenIn((await api.mails())[0]);
    for (const password of ['wilhelmina.22', `${person.email.split('@')[0]}.2026`]) {
      const byLink = await reset(token, password).expect(422);
      expect(byLink.body.errors[0]).to.include({ path: 'password', code: 'PASSWORD_LIKE_YOU' });
      const changed = await person
        .post('/auth/change-password', { currentPassword: PASSWORD, newPassword: password })
        .expect(422);
      expect(changed.body.errors[0]).to.include({ path: 'newPassword', code: 'PASSWORD_LIKE_YOU' });
    }
    // What was refused has not spent the link.
    await reset(token).expect(204);
  });

  it('mails nobody who is disabled, and takes no link that they had before', async () => {
    const owner = await api.person();
    const person = await api.person('viewer', owner.orgUuid);
    await forgot(person.email).expect(202);
    const token = tokenIn((await api.mails())[0]);
    await owner.patch(`/users/${person.userId}`, { disabled: true }).expect(200);
    await forgot(person.email).expect(202);
    expect(await api.mails()).to.deep.equal([]);
    await reset(token).expect(422);
    await owner.patch(`/users/${person.userId}`, { disabled: false }).expect(200);
    await api.signIn(person.email, PASSWORD).expect(200);
  });

  it('mails no link that is too old by then', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    api.clock.advance(3600);
    expect(await api.mails()).to.deep.equal([]);
  });

  it('limits mails of each kind by themselves', async () => {
    const person = await api.person();
    for (let i = 0; i < 5; i++) await forgot(person.email).expect(202);
    await api.mails();
    const body = { organizationName: 'Oliveira', email: person.email, password: PASSWORD };
    await api.http().post('/sign-up').send(body).expect(202);
    expect((await api.mails()).map(({ to }) => to)).to.deep.equal([person.email]);
  });

  it('notes a reset in the audit log', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    await reset(tokenIn((await api.mails())[0])).expect(204);
    const watcher = await api.person('owner', person.orgUuid);
    const { body } = await watcher.get('/audit-log?action=resetPassword').expect(200);
    expect(body.data).to.have.length(1);
    expect(body.data[0]).to.deep.include({
      actor: { kind: 'user', id: person.userId, name: person.email },
      resource: person.userId,
    });
  });

  it('voids the links that were mailed before a change', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    const [mail] = await api.mails();
    await person
      .post('/auth/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
      .expect(204);
    await reset(tokenIn(mail), 'yet another password').expect(422);
    await api.signIn(person.email, NEW_PASSWORD).expect(200);
  });

  it('stores no password and no token readably', async () => {
    const person = await api.person();
    await forgot(person.email).expect(202);
    const { rows: sealed } = await api.database.pool.query<{ sealed: string }>(
      `select sealed from mails where state = 'pending'`,
    );
    expect(sealed[0]!.sealed).to.match(/^v1\.s1\./);
    const token = tokenIn((await api.mails())[0]);
    const { rows } = await api.database.pool.query<{ dump: string }>(
      `select concat((select string_agg(p::text, ' ') from password_resets p), (select string_agg(m::text, ' ') from mails m),
                     (select string_agg(u::text, ' ') from users u)) as dump`,
    );
    expect(rows[0]!.dump).not.to.include(token).and.not.to.include(PASSWORD);
    expect(api.logs.join('')).not.to.include(token);
  });
});

describe('Passwords', () => {
  const refused = (password: string, known: string[] = []): boolean => {
    try {
      vetPassword(password, known);
      return false;
    } catch {
      return true;
    }
  };

  it('are refused when short, common, repeated or a run of the keyboard', () => {
    for (const password of [
      'short',
      'password123',
      'P@ssw0rd-1234',
      'Password!!!!',
      'qwertyuiop',
      '1234567890',
      'aaaaaaaaaaaa',
      'abcabcabcabc',
      'Welcome-2026',
      'summer2026',
      'x'.repeat(201),
    ])
      expect(refused(password), password).to.equal(true);
  });

  it('are refused when they are little more than what anybody knows', () => {
    expect(refused('oliveira2026', ['ana@oliveira.example', 'Oliveira'])).to.equal(true);
    expect(refused('ana.maria.22', ['ana.maria@example.com'])).to.equal(true);
  });

  it('need no capitals, digits or signs', () => {
    for (const password of [
      'a stone that shows gold',
      'correct zebra battery',
      'плотина у старой мельницы',
      'tr4wl-Kmz9#',
    ])
      expect(refused(password, ['ana@example.com', 'Oliveira']), password).to.equal(false);
  });

  it('are judged in no time, whatever they are', () => {
    // Of the processor's time: others may have it meanwhile.
    const started = process.cpuUsage();
    refused('a'.repeat(100) + 'b'.repeat(100), ['a'.repeat(254)]);
    expect(process.cpuUsage(started).user / 1000, 'milliseconds').to.be.lessThan(100);
  });
});
