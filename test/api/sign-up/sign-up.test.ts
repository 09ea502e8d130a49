import { expect } from 'chai';
import { accountDeps } from '../../../api/account-deps.ts';
import { signUp as signUpWith } from '../../../shared/sign-ups/service.ts';
import { hashesDuring } from '../../support/hashes.ts';
import { createPeopleApi, PASSWORD, tokenIn, type PeopleApi } from '../../support/people-api.ts';

describe('Signing up', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  const signUp = (email: string, fields: object = {}) =>
    api
      .http()
      .post('/sign-up')
      .send({ organizationName: 'Oliveira', email, password: PASSWORD, ...fields });
  const verify = (token: string, fields: object = {}) =>
    api
      .http()
      .post('/sign-up/verify')
      .send({ token, ...fields });
  const countOrganizations = async () =>
    (await api.database.pool.query<{ n: string }>('select count(*) as n from organizations')).rows[0]!.n;

  it('makes the organization and its owner when the link in the mail is used, once', async () => {
    const before = await countOrganizations();
    await signUp('Ana@Oliveira.example', { name: 'Ana' }).expect(202);
    expect(await countOrganizations()).to.equal(before);
    await api.signIn('ana@oliveira.example').expect(401);

    const [mail] = await api.mails();
    expect(mail!.to).to.equal('ana@oliveira.example');
    expect(mail!.text).to.include('https://verify.example.com/account/verify-email#token=');
    expect(mail!.html).to.include(tokenIn(mail));
    const { body } = await verify(tokenIn(mail)).expect(201);
    const { body: signedIn } = await api.signIn('ana@oliveira.example').expect(200);
    const me = await api
      .http()
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${signedIn.accessToken}`)
      .expect(200);
    expect(me.body).to.deep.include({
      id: body.userId,
      name: 'Ana',
      role: 'owner',
      organization: { id: body.organizationId, name: 'Oliveira', timeZone: 'UTC' },
    });
    await verify(tokenIn(mail)).expect(422);
  });

  it('lays the organization into the time zone of whoever signs up', async () => {
    await signUp('rui@oliveira.example').expect(202);
    const [mail] = await api.mails();
    for (const timeZone of ['Mars/Olympus', '+05:30']) {
      const { body } = await verify(tokenIn(mail!), { timeZone }).expect(422);
      expect(body.errors, timeZone).to.have.length(1);
      expect(body.errors[0], timeZone).to.include({ path: 'timeZone', code: 'NOT_A_TIME_ZONE' });
    }
    await verify(tokenIn(mail!), { timeZone: 'Europe/Lisbon' }).expect(201);
    const { body: signedIn } = await api.signIn('rui@oliveira.example').expect(200);
    const { body: me } = await api
      .http()
      .get('/api/v1/auth/me')
      .set('Authorization', `Bearer ${signedIn.accessToken}`)
      .expect(200);
    expect(me.organization.timeZone).to.equal('Europe/Lisbon');
  });

  it('answers alike for an address that has an account, and tells only its reader', async () => {
    const person = await api.person();
    const unknown = await signUp('new@example.com').expect(202);
    const known = await signUp(person.email).expect(202);
    expect(known.text).to.equal(unknown.text);
    const mails = await api.mails();
    expect(mails.map(({ to, subject }) => [to, subject])).to.deep.equal([
      ['new@example.com', 'Confirm your address for Touchstone'],
      [person.email, 'You have an account already'],
    ]);
    expect(tokenIn(mails[1])).to.equal('');
  });

  it('does the same work for an address that has an account: one hash, the same statements', async () => {
    const person = await api.person();
    const workFor = async (email: string) => {
      const statements: string[] = [];
      const client = await api.deps.db.connect();
      const spied = {
        query: (text: string, values?: unknown[]) => {
          statements.push(text);
          return client.query(text, values);
        },
        release: () => undefined,
      };
      const db = { connect: async () => spied } as unknown as typeof api.deps.db;
      const input = {
        organizationName: 'Oliveira',
        name: null,
        email,
        language: 'en' as const,
        password: PASSWORD,
      };
      const hashes = await hashesDuring(() => signUpWith({ ...accountDeps(api.deps), db }, input));
      client.release();
      return { hashes, statements };
    };
    const known = await workFor(person.email);
    expect(known.hashes).to.equal(1);
    expect(known.statements).to.have.length.greaterThan(4);
    expect(await workFor('unheard.of@example.com')).to.deep.equal(known);
  });

  it('takes a link for a day', async () => {
    await signUp('late@example.com').expect(202);
    const [mail] = await api.mails();
    api.clock.advance(24 * 3600 + 1);
    await verify(tokenIn(mail)).expect(422);
  });

  it('makes one organization of two sign-ups with one address', async () => {
    await signUp('twice@example.com').expect(202);
    await signUp('twice@example.com').expect(202);
    const [first, second] = await api.mails();
    const answers = await Promise.all([verify(tokenIn(first)), verify(tokenIn(second))]);
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
  });

  it('uses one link once, also when it comes twice at once', async () => {
    await signUp('race@example.com').expect(202);
    const [mail] = await api.mails();
    const answers = await Promise.all([1, 2, 3].map(() => verify(tokenIn(mail))));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([201, 422, 422]);
  });

  it('takes no role, status or organization from the body', async () => {
    for (const extra of [{ role: 'owner' }, { orgId: 'org_x' }, { emailVerified: true }, { scopes: [] }])
      await signUp('mass@example.com', extra).expect(422);
  });

  it('refuses a common password before anything is mailed', async () => {
    await signUp('weak@example.com', { password: 'password1234' }).expect(422);
    expect(await api.mails()).to.deep.equal([]);
  });

  it('escapes what people write into mails', async () => {
    await signUp('xss@example.com', {
      organizationName: '<img src=x onerror=alert(1)>\r\nBcc: all@example.com',
    }).expect(202);
    const [mail] = await api.mails();
    expect(mail!.html).not.to.include('<img');
    expect(mail!.subject).not.to.match(/[\r\n]/);
  });
});

describe('Signing up where the operator makes organizations', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ SIGN_UP: 'closed' });
  });
  after(() => api.close());

  it('is refused, a link from before as well, and nothing comes into being', async () => {
    const person = { organizationName: 'Imitators', email: 'eve@imitators.example', password: PASSWORD };
    const refused = await api.http().post('/sign-up').send(person).expect(403);
    expect(refused.body).to.include({ code: 'FORBIDDEN' });
    await signUpWith(
      { ...accountDeps(api.deps), publicUrl: api.deps.config.PUBLIC_URL },
      { ...person, name: null, language: 'en' },
    );
    const [mail] = await api.mails();
    await api
      .http()
      .post('/sign-up/verify')
      .send({ token: tokenIn(mail!) })
      .expect(403);
    const { rows } = await api.database.pool.query('select name from organizations where name = $1', [
      'Imitators',
    ]);
    expect(rows).to.deep.equal([]);
  });

  it('is said by the page of the dashboard, which has no other way to know', async () => {
    const page = await api.http().get('/app/sign-in').expect(200);
    expect(page.text).to.include('data-sign-up="closed"');
  });
});

describe('Public forms', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '3', CONTACT_EMAIL: 'team@example.com' });
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  const write = (from: string) =>
    api
      .http()
      .post('/contact')
      .set('X-Forwarded-For', from)
      .send({ name: 'Rui', email: 'rui@example.com', message: 'Hello\n<b>you</b>' });

  it('store a message and mail it to whoever runs the service', async () => {
    await write('192.0.2.1').expect(202);
    const { rows } = await api.database.pool.query('select name, email, message from contact_messages');
    expect(rows).to.deep.equal([{ name: 'Rui', email: 'rui@example.com', message: 'Hello\n<b>you</b>' }]);
    const [mail] = await api.mails();
    expect(mail).to.include({ to: 'team@example.com', subject: 'Contact form: Rui' });
    expect(mail!.html).to.include('&lt;b&gt;');
  });

  it('are limited by address, together, with RateLimit headers', async () => {
    for (let i = 0; i < 3; i++) await write('192.0.2.2').expect(202);
    const refused = await write('192.0.2.2').expect(429);
    expect(refused.body.code).to.equal('RATE_LIMITED');
    expect(refused.headers).to.include.keys('retry-after', 'ratelimit', 'ratelimit-policy');
    await api
      .http()
      .post('/api/v1/auth/forgot-password')
      .set('X-Forwarded-For', '192.0.2.2')
      .send({ email: 'a@example.com' })
      .expect(429);
    await write('192.0.2.3').expect(202);
  });

  it('count the addresses of one IPv6 network together', async () => {
    for (let i = 0; i < 3; i++) await write(`2001:db8:1:${i}::1`).expect(202);
    await write('2001:db8:1:9::1').expect(429);
    await write('2001:db8:2::1').expect(202);
  });
});

describe('X-Forwarded-For', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '2', TRUST_PROXY: '0' });
  });
  // Mail of one test is not the next one's.
  afterEach(async () => void (await api.mails()));
  after(() => api.close());

  it('is not believed without a proxy', async () => {
    const write = (from: string) =>
      api
        .http()
        .post('/contact')
        .set('X-Forwarded-For', from)
        .send({ name: 'Rui', email: 'rui@example.com', message: 'Hello' });
    await write('192.0.2.1').expect(202);
    await write('192.0.2.2').expect(202);
    await write('192.0.2.3').expect(429);
  });
});
