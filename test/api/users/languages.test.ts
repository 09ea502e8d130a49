import { expect } from 'chai';
import { createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';
import { MAIL_WORDS } from '../../../shared/mail/messages.ts';

describe('The language of mails', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    api.http().post(path).set(headers).send(body);
  const signUp = (email: string, fields: object, headers: Record<string, string> = {}) =>
    post('/sign-up', { organizationName: 'Oliveira', email, password: PASSWORD, ...fields }, headers);
  const languageOf = async (email: string): Promise<string> => {
    const { body } = await api.signIn(email).expect(200);
    const me = await api
      .http()
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${body.accessToken}`)
      .expect(200);
    return me.body.language;
  };

  it('is the one asked for at the sign-up, then the new person’s', async () => {
    await signUp('ana@example.com', { language: 'fr' }, { 'Accept-Language': 'de' }).expect(202);
    const [mail] = await api.mails();
    expect(mail!.subject).to.equal('Confirmez votre adresse pour Touchstone');
    expect(mail!.html).to.include('<html lang="fr" dir="ltr">');
    await post('/sign-up/verify', { token: tokenIn(mail) }).expect(201);
    expect(await languageOf('ana@example.com')).to.equal('fr');
  });

  it('is the best of the browser’s where none is asked for, else English', async () => {
    await signUp('rui@example.com', {}, { 'Accept-Language': 'pt-PT, ar-EG;q=0.8, en;q=0.5' }).expect(202);
    await signUp('eva@example.com', {}, { 'Accept-Language': 'pt-PT, tlh;q=0.3' }).expect(202);
    const [arabic, english] = await api.mails();
    expect(arabic!.html).to.include('<html lang="ar" dir="rtl">');
    expect(english!.subject).to.equal('Confirm your address for Touchstone');
    await post('/sign-up/verify', { token: tokenIn(arabic) }).expect(201);
    expect(await languageOf('rui@example.com')).to.equal('ar');
  });

  it('is the reader’s own where the address has an account, whoever asks', async () => {
    const person = await api.person();
    await person.patch('/auth/me', { language: 'ja' }).expect(200);
    await signUp(person.email, { language: 'de' }).expect(202);
    expect((await api.mails())[0]!.subject).to.equal(MAIL_WORDS.ja.alreadySignedUp.subject);
  });

  it('is one of six: another is refused at its field', async () => {
    const person = await api.person();
    for (const request of [
      signUp('mia@example.com', { language: 'pt' }),
      signUp('mia@example.com', { language: 'DE' }),
      person.patch('/auth/me', { language: 'tlh' }),
      person.post('/invitations', { email: 'mia@example.com', role: 'viewer', language: '' }),
      post('/api/v1/auth/accept-invitation', { token: 'x', password: PASSWORD, language: null }),
    ]) {
      const { body } = await request.expect(422);
      expect(body.errors.map(({ path }: { path: string }) => path)).to.deep.equal(['language']);
    }
    const { body } = await person.patch('/auth/me', { language: 'tlh' }).expect(422);
    expect(body.errors[0].code).to.equal('UNKNOWN_CHOICE');
    expect(await api.mails()).to.deep.equal([]);
  });

  it('is shown and changed with one’s account, beside the name', async () => {
    const person = await api.person();
    expect((await person.get('/auth/me').expect(200)).body.language).to.equal('en');
    await person.patch('/auth/me', { name: 'Ana' }).expect(200);
    const { body } = await person.patch('/auth/me', { language: 'de' }).expect(200);
    expect(body).to.include({ name: 'Ana', language: 'de' });
    expect((await person.patch('/auth/me', { name: null }).expect(200)).body).to.include({
      name: null,
      language: 'de',
    });
    await person.patch('/auth/me', {}).expect(422);
    const { body: log } = await person.get('/audit-log?action=updateMe').expect(200);
    expect(log.data[1]).to.deep.include({ before: { language: 'en' }, after: { language: 'de' } });
  });

  it('is that of the person at a reset and for all notices', async () => {
    const person = await api.person();
    await person.patch('/auth/me', { language: 'es' }).expect(200);
    await post('/api/v1/auth/forgot-password', { email: person.email }, { 'Accept-Language': 'de' }).expect(
      202,
    );
    const [mail] = await api.mails();
    expect(mail!.subject).to.equal(MAIL_WORDS.es.resetPassword.subject);
    const password = 'another stone that shows gold';
    await post('/api/v1/auth/reset-password', { token: tokenIn(mail), password }).expect(204);
    expect((await api.mails()).map(({ subject }) => subject)).to.deep.equal([
      MAIL_WORDS.es.passwordChanged.subject,
    ]);
  });

  it('is the inviter’s for an invitation, and then the new person’s', async () => {
    const owner = await api.person();
    await owner.patch('/auth/me', { language: 'de' }).expect(200);
    const { body } = await owner
      .post('/invitations', { email: 'tom@example.com', role: 'viewer' })
      .expect(201);
    expect(body.language).to.equal('de');
    const [mail] = await api.mails();
    expect(mail!.text).to.include(`${owner.email} lädt Sie in die Organisation`).and.to.include('Leser');
    const token = tokenIn(mail);
    await post('/api/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(201);
    expect(await languageOf('tom@example.com')).to.equal('de');
  });

  it('is another for an invitation where that is asked for, until the new person accepts in their own', async () => {
    const owner = await api.person();
    const invite = { email: 'aiko@example.com', role: 'analyst', language: 'fr' };
    const { body } = await owner.post('/invitations', invite).expect(201);
    expect((await owner.get(`/invitations/${body.id}`).expect(200)).body.language).to.equal('fr');
    const [mail] = await api.mails();
    expect(mail!.html).to.include('<html lang="fr"');
    const accept = { token: tokenIn(mail), password: PASSWORD, language: 'ja' };
    await post('/api/v1/auth/accept-invitation', accept).expect(201);
    expect(await languageOf('aiko@example.com')).to.equal('ja');
  });
});
