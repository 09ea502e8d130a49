import { expect } from 'chai';
import { forgetOldAccountData } from '../../../shared/accounts/housekeeping.ts';
import { serveSingleSignOn } from '../../../shared/single-sign-on/identify.ts';
import {
  createProviderCalls,
  ProviderError,
  type ProviderCalls,
} from '../../../shared/single-sign-on/provider.ts';
import { countDue } from '../../../shared/single-sign-on/service.ts';
import { eventually } from '../../support/eventually.ts';
import { cookieOf, type Person } from '../../support/people-api.ts';
import {
  createSingleSignOnStand,
  REDIRECT_URL,
  TICKET,
  type SingleSignOnStand,
} from '../../support/single-sign-on-stand.ts';

describe('the way to the organization’s provider and back', () => {
  let stand: SingleSignOnStand;

  before(async () => {
    stand = await createSingleSignOnStand();
  });
  after(() => stand.close());

  it('tells what came of it once, to that browser alone', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-1', owner.email);
    const { url, ticket } = await stand.begin(owner);
    const other = await stand.begin(owner);
    const back = await stand.idp.visit(url, 'owner-1');
    // A page that somebody was made to open: another browser's ticket, or none.
    await stand.comeBack(back, other.ticket);
    await stand.comeBack(back, 'nothing=here');
    await stand.work();
    const nothing = await stand.finish(other.ticket).expect(200);
    expect(nothing.body).to.include({ reason: 'EXPIRED' });
    // It may still come back with that one, from another tab.
    expect(cookieOf(nothing, TICKET)).to.equal(undefined);
    // Back twice is asked once, as a code works once.
    await stand.comeBack(back, ticket);
    await stand.comeBack(back, ticket);
    await stand.work();
    const at = await Promise.all([stand.finish(ticket), stand.finish(ticket)]);
    expect(at.map(({ body }) => body.status)).to.have.members(['refused', 'signedIn']);
    const told = at.find(({ body }) => body.status === 'signedIn')!;
    expect(cookieOf(told, TICKET)).to.equal(`${TICKET}=`);
    expect((await stand.finish(ticket).expect(200)).body.reason).to.equal('EXPIRED');
    await stand.api
      .http()
      .post('/api/v1/auth/single-sign-on/finish')
      .set('Origin', 'https://evil.example')
      .expect(403);
  });

  it('answers nothing new for a browser that comes back too late, or to a provider that is another by now', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-4', owner.email);
    const slow = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(slow.url, 'owner-4'), slow.ticket);
    stand.api.clock.advance(301);
    const { body: session } = await stand.api.signIn(owner.email).expect(200);
    await stand.work();
    expect((await stand.finish(slow.ticket).expect(200)).body.reason).to.equal('EXPIRED');

    const crossed = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(crossed.url, 'owner-4'), crossed.ticket);
    const put = (body: object) =>
      stand.api
        .http()
        .put('/api/v1/organization/single-sign-on')
        .set('Authorization', `Bearer ${session.accessToken}`)
        .send(body)
        .expect(200);
    // While the provider was asked.
    const racing: ProviderCalls = {
      ...stand.calls,
      async identify(...given) {
        const identity = await stand.calls.identify(...given);
        await put({ issuer: stand.idp.issuer, ...stand.idp.client, clientId: 'another' });
        return identity;
      },
    };
    await serveSingleSignOn({ ...stand.deps, providers: racing });
    expect((await stand.finish(crossed.ticket).expect(200)).body.reason).to.equal('EXPIRED');
  });

  it('says which way it failed at the provider', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-5', owner.email);
    await stand.configure(owner, { clientSecret: 'not the secret' });
    expect(await stand.reasonOf(owner, 'owner-5')).to.equal('PROVIDER_FAILED');
    await stand.configure(owner);
    const { url, ticket } = await stand.begin(owner);
    const back = await stand.idp.visit(url, 'owner-5');
    back.searchParams.set('code', 'made-up');
    await stand.comeBack(back, ticket);
    await stand.work();
    expect((await stand.finish(ticket).expect(200)).body.reason).to.equal('PROVIDER_FAILED');
    const away = createProviderCalls({ allowedCidrs: [] });
    const again = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(again.url, 'owner-5'), again.ticket);
    await stand.work({ ...stand.deps, providers: away });
    expect((await stand.finish(again.ticket).expect(200)).body.reason).to.equal('PROVIDER_UNREACHABLE');
    await away.close();
    const log = stand.api.logs.join('\n');
    for (const secret of [stand.idp.client.clientSecret, 'not the secret', ticket.split('.')[1]!])
      expect(log).not.to.contain(secret);
  });

  it('loses nobody whom a killed worker was asking about, and asks once where two work side by side', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-7', owner.email);
    const { url, ticket } = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(url, 'owner-7'), ticket);
    const killed: ProviderCalls = {
      ...stand.calls,
      identify: () => Promise.reject(new Error('killed here')),
    };
    await serveSingleSignOn({ ...stand.deps, providers: killed }).then(
      () => expect.fail('it was not killed'),
      () => undefined,
    );
    // Still the killed one's.
    expect(await serveSingleSignOn(stand.deps)).to.equal(0);
    expect((await stand.finish(ticket).expect(200)).body.status).to.equal('pending');
    expect(await countDue(stand.api.deps.db, stand.api.clock.now())).to.equal(0);
    stand.api.clock.advance(61);
    expect(await countDue(stand.api.deps.db, stand.api.clock.now())).to.equal(1);
    const asked = stand.idp.asked.filter((each) => each === 'POST /token').length;
    expect(await Promise.all([serveSingleSignOn(stand.deps), serveSingleSignOn(stand.deps)])).to.have.members(
      [0, 1],
    );
    expect(stand.idp.asked.filter((each) => each === 'POST /token')).to.have.length(asked + 1);
    expect((await stand.finish(ticket).expect(200)).body.status).to.equal('signedIn');
  });

  it('says that it failed where the secret does not open, and leads away nevertheless', async () => {
    const { owner } = await stand.organization();
    await stand.api.database.pool.query(
      `update sign_in_providers set secret_sealed = 'v1.gone.' || repeat('A', 60) where org_id = $1`,
      [owner.orgUuid],
    );
    stand.account('owner-9', owner.email);
    expect(await stand.reasonOf(owner, 'owner-9')).to.equal('PROVIDER_FAILED');
  });

  it('forgets returns that nobody asked about', async () => {
    const { owner } = await stand.organization();
    const { url, ticket } = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(url, null), ticket);
    const rows = async () =>
      (await stand.api.database.pool.query('select 1 from provider_sign_ins')).rowCount;
    expect(await rows()).to.be.greaterThan(0);
    stand.api.clock.advance(301);
    await forgetOldAccountData(stand.api.deps, stand.api.deps.db);
    expect(await rows()).to.equal(0);
  });

  it('begins nothing for a blocked organization, an unknown domain, or what is no organization', async () => {
    const { owner, domain } = await stand.organization();
    stand.account('owner-6', owner.email);
    const { url, ticket } = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(url, 'owner-6'), ticket);
    await stand.work();
    await stand.api.database.pool.query(
      `update organizations set blocked_at = now(), block_reason = 'a name of others' where id = $1`,
      [owner.orgUuid],
    );
    expect((await stand.finish(ticket).expect(200)).body.reason).to.equal('BLOCKED');
    await stand.beginAt(owner).expect(404);
    const byMail = (email: string) => stand.api.http().post('/api/v1/auth/single-sign-on').send({ email });
    await byMail(`a@${domain}`).expect(404);
    await byMail('a@unknown.example').expect(404);
    await byMail('no address').expect(422);
    await stand.api.http().get('/sso/callback').expect(303);
  });

  it('leads a link of the organization to the sign-in page alone, from where a press leads on', async () => {
    const { owner } = await stand.organization();
    const { headers } = await stand.api.http().get(`/sso/${owner.orgId}`).expect(303);
    expect(headers).to.include({
      location: `/app/sign-in?organization=${owner.orgId}`,
      'cache-control': 'no-store',
    });
    expect(headers).not.to.have.property('set-cookie');
    for (const made of ['org_zzz', 'org_', '..%2f..%2fevil', owner.userId])
      await stand.api.http().get(`/sso/${made}`).expect(404);
    const both = { email: owner.email, organizationId: owner.orgId };
    for (const body of [{}, both]) {
      const refused = await stand.api.http().post('/api/v1/auth/single-sign-on').send(body).expect(422);
      expect(refused.body.errors[0].code).to.equal('EXACTLY_ONE_OF');
    }
    // Another site's script.
    await stand.beginAt(owner).set('Origin', 'https://evil.example').expect(403);
  });

  it('shows no provider what another one gave', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-8', owner.email);
    const { url, ticket } = await stand.begin(owner);
    const back = await stand.idp.visit(url, 'owner-8');
    await stand.configure(owner, { clientId: 'another' });
    const asked = stand.idp.asked.length;
    await stand.comeBack(back, ticket);
    await stand.work();
    expect(stand.idp.asked).to.have.length(asked);
    expect((await stand.finish(ticket).expect(200)).body.reason).to.equal('EXPIRED');
  });

  it('has a provider that does not answer hold up its own people alone', async () => {
    const [slow, quick] = [await stand.organization(), await stand.organization()];
    stand.account('quick', quick.owner.email);
    const returned = async ({ owner }: { owner: Person }) => {
      const { url, ticket } = await stand.begin(owner);
      const back = new URL(REDIRECT_URL);
      back.searchParams.set('code', 'of-a-test');
      back.searchParams.set('state', new URL(url).searchParams.get('state')!);
      await stand.comeBack(back, ticket);
    };
    // Looks at other tests' providers.
    await stand.work();
    for (let person = 0; person < 20; person += 1) await returned(slow);
    await returned(quick);
    const asked: string[] = [];
    let answer = () => {};
    const hanging = new Promise<void>((resolve) => (answer = resolve));
    const stuck: ProviderCalls = {
      ...stand.calls,
      async identify() {
        asked.push('');
        await hanging;
        throw new ProviderError('it did not answer', true, null);
      },
    };
    const found: number[] = [];
    const together = [1, 2, 3].map(async () => {
      found.push(await serveSingleSignOn({ ...stand.deps, providers: stuck }));
    });
    // Eight are as many as it has at a time, however many workers there are.
    await eventually('one asks, and two find nothing', () => asked.length === 9 && found.length === 2);
    answer();
    await Promise.all(together);
    expect(found).to.deep.equal([0, 0, 21]);
    expect(asked).to.have.length(21);
  });

  it('takes whoever comes while it waits for others', async () => {
    const [slow, quick] = [await stand.organization(), await stand.organization()];
    stand.account('quick-2', quick.owner.email);
    stand.account('slow-2', slow.owner.email);
    let answer = () => {};
    const hanging = new Promise<void>((resolve) => (answer = resolve));
    const asked: string[] = [];
    const stuck: ProviderCalls = {
      ...stand.calls,
      async discover() {
        asked.push('look');
        await hanging;
        return { problem: 'UNREACHABLE' };
      },
      async identify(...given) {
        asked.push('sign-in');
        if (asked.length <= 2) await hanging;
        return stand.calls.identify(...given);
      },
    };
    const returned = async ({ owner }: { owner: Person }, subject: string) => {
      const { url, ticket } = await stand.begin(owner);
      await stand.comeBack(await stand.idp.visit(url, subject), ticket);
      return ticket;
    };
    const waits = await returned(slow, 'slow-2');
    await slow.owner.post('/organization/single-sign-on/check').expect(202);
    const stopping = new AbortController();
    const served = serveSingleSignOn({ ...stand.deps, providers: stuck, stopping: stopping.signal });
    await eventually('both are asked about', () => asked.length === 2);
    const ticket = await returned(quick, 'quick-2');
    await eventually(
      'the next one is signed in',
      async () => (await stand.finish(ticket)).body.status === 'signedIn',
    );
    expect((await stand.finish(waits).expect(200)).body.status).to.equal('pending');
    // Nothing new, but what it began is brought to its end.
    stopping.abort();
    const late = await returned(quick, 'quick-2');
    answer();
    expect(await served).to.equal(3);
    expect((await stand.finish(waits).expect(200)).body.status).to.equal('signedIn');
    expect((await stand.finish(late).expect(200)).body.status).to.equal('pending');
    await stand.work();
  });

  it('goes on with the others where one fails, and tells of it', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-9', owner.email);
    const tickets: string[] = [];
    for (let person = 0; person < 2; person += 1) {
      const { url, ticket } = await stand.begin(owner);
      await stand.comeBack(await stand.idp.visit(url, 'owner-9'), ticket);
      tickets.push(ticket);
    }
    let asked = 0;
    const failing: ProviderCalls = {
      ...stand.calls,
      identify: (...given) =>
        (asked += 1) === 1 ? Promise.reject(new Error('a fault of ours')) : stand.calls.identify(...given),
    };
    const served = serveSingleSignOn({ ...stand.deps, providers: failing });
    await served.then(
      () => expect.fail('it told of nothing'),
      (error: Error) => expect(error.message).to.equal('a fault of ours'),
    );
    const statuses = await Promise.all(
      tickets.map(async (ticket) => (await stand.finish(ticket)).body.status as string),
    );
    expect(statuses).to.have.members(['pending', 'signedIn']);
    stand.api.clock.advance(301);
  });

  it('fails neither for the browser nor for the owner where one comes back while the other changes the provider', async () => {
    const { owner } = await stand.organization();
    stand.account('owner-10', owner.email);
    const { url, ticket } = await stand.begin(owner);
    const back = await stand.idp.visit(url, 'owner-10');
    const { pool } = stand.api.database;
    const meanwhile = async (sql: string, act: () => PromiseLike<unknown>) => {
      const other = await pool.connect();
      try {
        await other.query('begin');
        await other.query(sql, [owner.orgUuid]);
        const acting = act();
        await eventually('it waits', async () => {
          const { rowCount } = await pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rowCount! > 0;
        });
        await other.query('commit');
        await acting;
      } finally {
        other.release();
      }
    };
    await meanwhile('update sign_in_providers set id = gen_random_uuid() where org_id = $1', () =>
      stand.comeBack(back, ticket).then(() => undefined),
    );
    expect((await stand.finish(ticket).expect(200)).body.reason).to.equal('EXPIRED');
    await meanwhile(
      `insert into provider_sign_ins (digest, provider_id, status, reason, created_at, expires_at)
       select decode(repeat('ab', 32), 'hex'), id, 'refused', 'CANCELLED', now(), now() from sign_in_providers where org_id = $1`,
      () =>
        stand
          .put(owner, { clientId: 'another' })
          .expect(200)
          .then(() => undefined),
    );
    await stand.work();
  });
});
