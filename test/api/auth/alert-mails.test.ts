import { expect } from 'chai';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';

describe('How often alerts are mailed', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('is each person’s own choice, once a day at first', async () => {
    const person = await api.person();
    const other = await api.person();
    expect((await person.get('/auth/me').expect(200)).body.alertMails).to.equal('daily');
    for (const alertMails of ['hourly', 'never'])
      expect((await person.patch('/auth/me', { alertMails }).expect(200)).body.alertMails).to.equal(
        alertMails,
      );
    await person.patch('/auth/me', { name: 'Ana' }).expect(200);
    expect((await person.get('/auth/me').expect(200)).body).to.include({ alertMails: 'never', name: 'Ana' });
    expect((await other.get('/auth/me').expect(200)).body.alertMails).to.equal('daily');
  });

  it('and summaries of weeks are, none at first', async () => {
    const person = await api.person();
    expect((await person.get('/auth/me').expect(200)).body.summaryMails).to.equal('never');
    await person.patch('/auth/me', { summaryMails: 'weekly' }).expect(200);
    await person.patch('/auth/me', { alertMails: 'never' }).expect(200);
    expect((await person.get('/auth/me').expect(200)).body).to.include({
      alertMails: 'never',
      summaryMails: 'weekly',
    });
    const { body } = await person.patch('/auth/me', { summaryMails: 'daily' }).expect(422);
    expect(body.errors[0]).to.include({ path: 'summaryMails', code: 'UNKNOWN_CHOICE' });
  });

  it('is one of three: another is refused at its field, and changes nothing', async () => {
    const person = await api.person();
    const { body } = await person.patch('/auth/me', { alertMails: 'weekly', name: 'Eve' }).expect(422);
    expect(body.errors[0]).to.include({ path: 'alertMails', code: 'UNKNOWN_CHOICE' });
    expect((await person.get('/auth/me').expect(200)).body)
      .to.include({ alertMails: 'daily' })
      .and.not.include({ name: 'Eve' });
  });
});
