import { expect } from 'chai';
import { totpCode, totpStep } from '../../../shared/accounts/totp.ts';
import { eventually } from '../../support/eventually.ts';
import { createPeopleApi, PASSWORD, type PeopleApi, type Person } from '../../support/people-api.ts';

describe('The second factor', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  const codeNow = (secret: string) => totpCode(secret, totpStep(api.clock.now()));

  /** Switches it on; the code of this moment is spent by it. */
  async function enable(person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
    const { secret } = (await person.post('/auth/totp/set-up').expect(200)).body as { secret: string };
    const { body } = await person.post('/auth/totp/confirm', { code: codeNow(secret) }).expect(200);
    return { secret, recoveryCodes: body.recoveryCodes as string[] };
  }

  it('is asked for once it is confirmed, and not before', async () => {
    const person = await api.person();
    const { secret } = (await person.post('/auth/totp/set-up').expect(200)).body as { secret: string };
    await api.signIn(person.email).expect(200);
    await person.post('/auth/totp/confirm', { code: '000000' }).expect(422);
    await person.post('/auth/totp/confirm', { code: codeNow(secret) }).expect(200);
    const asked = await api.signIn(person.email).expect(401);
    expect(asked.body.code).to.equal('SECOND_FACTOR_REQUIRED');
    expect(asked.get('Set-Cookie')).to.equal(undefined);
    api.clock.advance(30);
    await api.signIn(person.email, PASSWORD, { code: codeNow(secret) }).expect(200);
  });

  it('is not revealed to somebody without the password', async () => {
    const person = await api.person();
    await enable(person);
    const { body } = await api.signIn(person.email, 'a wrong password').expect(401);
    expect(body.code).to.equal('UNAUTHENTICATED');
  });

  it('is not asked of somebody who is disabled, as if the password were wrong', async () => {
    const person = await api.person();
    await enable(person);
    await api.deps.db.query('update users set disabled_at = now() where id = $1', [person.userUuid]);
    const { body } = await api.signIn(person.email).expect(401);
    expect(body.code).to.equal('UNAUTHENTICATED');
  });

  it('costs no attempt where the password is right and the code is yet to come', async () => {
    const person = await api.person();
    const { secret } = await enable(person);
    for (let i = 0; i < 11; i++) {
      const { body } = await api.signIn(person.email).expect(401);
      expect(body.code).to.equal('SECOND_FACTOR_REQUIRED');
    }
    api.clock.advance(60);
    await api.signIn(person.email, PASSWORD, { code: codeNow(secret) }).expect(200);
  });

  it('does not take the code again that switched it on, and takes the next one with a space in it', async () => {
    const person = await api.person();
    const { secret } = await enable(person);
    await api.signIn(person.email, PASSWORD, { code: codeNow(secret) }).expect(401);
    api.clock.advance(30);
    const code = codeNow(secret);
    await api.signIn(person.email, PASSWORD, { code: `${code.slice(0, 3)} ${code.slice(3)}` }).expect(200);
  });

  it('is confirmed once, so that nobody gets other recovery codes by it', async () => {
    const person = await api.person();
    const { secret, recoveryCodes } = await enable(person);
    api.clock.advance(60);
    await person.post('/auth/totp/confirm', { code: codeNow(secret) }).expect(409);
    await api.signIn(person.email, PASSWORD, { code: recoveryCodes[0] }).expect(200);
  });

  it('is mailed about when it goes on and off', async () => {
    const person = await api.person();
    await api.mails();
    const { secret } = await enable(person);
    const subjects = async () => (await api.mails()).map(({ to, subject }) => [to, subject]);
    expect(await subjects()).to.deep.equal([[person.email, 'Your second factor is on']]);
    api.clock.advance(60);
    await person.post('/auth/totp/disable', { password: PASSWORD, code: codeNow(secret) }).expect(204);
    expect(await subjects()).to.deep.equal([[person.email, 'Your second factor is off']]);
  });

  it('takes a code once, and none older', async () => {
    const person = await api.person();
    const { secret } = await enable(person);
    api.clock.advance(60);
    const code = codeNow(secret);
    await api.signIn(person.email, PASSWORD, { code }).expect(200);
    await api.signIn(person.email, PASSWORD, { code }).expect(401);
    const older = totpCode(secret, totpStep(api.clock.now()) - 1);
    await api.signIn(person.email, PASSWORD, { code: older }).expect(401);
  });

  it('takes one code of two that come at once', async () => {
    const person = await api.person();
    const { secret } = await enable(person);
    api.clock.advance(60);
    const code = codeNow(secret);
    const answers = await Promise.all([1, 2, 3].map(() => api.signIn(person.email, PASSWORD, { code })));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
  });

  it('takes each recovery code once', async () => {
    const person = await api.person();
    const { recoveryCodes } = await enable(person);
    expect(recoveryCodes).to.have.length(10);
    await api.signIn(person.email, PASSWORD, { code: recoveryCodes[0] }).expect(200);
    await api.signIn(person.email, PASSWORD, { code: recoveryCodes[0] }).expect(401);
    await api
      .signIn(person.email, PASSWORD, { code: recoveryCodes[1]!.replace('-', '').toUpperCase() })
      .expect(200);
    const { body } = await person.get('/auth/me').expect(200);
    expect(body.secondFactor).to.deep.equal({ enabled: true, recoveryCodesLeft: 8 });
    const other = await api.person();
    await enable(other);
    await api.signIn(other.email, PASSWORD, { code: recoveryCodes[2] }).expect(401);
    await person.post('/auth/totp/disable', { password: PASSWORD, code: recoveryCodes[2] }).expect(204);
    const after = await person.get('/auth/me').expect(200);
    expect(after.body.secondFactor).to.deep.equal({ enabled: false, recoveryCodesLeft: 0 });
  });

  it('is switched off with password and code alone', async () => {
    const person = await api.person();
    const { secret } = await enable(person);
    api.clock.advance(60);
    await person.post('/auth/totp/disable', { password: 'a wrong one', code: codeNow(secret) }).expect(403);
    await person.post('/auth/totp/disable', { password: PASSWORD, code: '000000' }).expect(422);
    const switchOff = { password: PASSWORD, code: codeNow(secret) };
    await person.post('/auth/totp/disable', switchOff).expect(204);
    await api.signIn(person.email).expect(200);
    // The answer may have been lost.
    await person.post('/auth/totp/disable', switchOff).expect(204);
    const { body } = await person.get('/audit-log?action=disableTotp').expect(200);
    expect(body.data).to.have.length(1);
  });

  it('cannot be replaced while it is on', async () => {
    const person = await api.person();
    await enable(person);
    await person.post('/auth/totp/set-up').expect(409);
  });

  it('counts wrong codes like wrong passwords', async () => {
    const person = await api.person();
    await enable(person);
    for (let i = 0; i < 10; i++)
      await api
        .signIn(person.email, PASSWORD, { code: String(i).padStart(6, '0') }, `203.0.113.${i}`)
        .expect(401);
    await api.signIn(person.email, PASSWORD, { code: '123456' }, '203.0.113.99').expect(429);
  });

  it('counts wrong codes at switching it off, whatever the password, and notes the first', async () => {
    const person = await api.person();
    const { secret } = await enable(person);
    api.clock.advance(60);
    const switchOff = (code: string) => person.post('/auth/totp/disable', { password: PASSWORD, code });
    for (let i = 0; i < 10; i++) await switchOff(String(i).padStart(6, '0')).expect(422);
    await switchOff(codeNow(secret)).expect(429);
    const me = (await person.get('/auth/me').expect(200)).body;
    expect(me.secondFactor.enabled).to.equal(true);
    const noted = async () =>
      (await person.get('/audit-log?action=secondFactorFailed').expect(200)).body.data as object[];
    await eventually('an entry in the audit log', async () => (await noted()).length === 1);
    expect((await noted())[0]).to.include({ resource: person.userId });
  });

  it('does not count what was right at switching it off', async () => {
    const person = await api.person();
    for (let i = 0; i < 11; i++)
      await person.post('/auth/totp/disable', { password: PASSWORD, code: '000000' }).expect(204);
    const { secret } = await enable(person);
    api.clock.advance(60);
    await person.post('/auth/totp/disable', { password: PASSWORD, code: codeNow(secret) }).expect(204);
  });

  it('stores neither its secret nor its recovery codes readably', async () => {
    const person = await api.person();
    const { secret, recoveryCodes } = await enable(person);
    const { rows } = await api.database.pool.query<{ dump: string }>(
      `select concat((select string_agg(u::text, ' ') from users u), (select string_agg(r::text, ' ') from recovery_codes r),
                     (select string_agg(a::text, ' ') from audit_log a)) as dump`,
    );
    expect(rows[0]!.dump).not.to.include(secret).and.not.to.include(recoveryCodes[0]);
    expect(api.logs.join('')).not.to.include(secret);
  });
});
