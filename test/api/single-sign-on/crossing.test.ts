/** What happens while a worker asks the provider, or a browser asks the service, who somebody is. */
import { expect } from 'chai';
import type { ProviderCalls } from '../../../shared/single-sign-on/provider.ts';
import { whileHeld } from '../../support/held-row.ts';
import type { Person } from '../../support/people-api.ts';
import { createSingleSignOnStand, type SingleSignOnStand } from '../../support/single-sign-on-stand.ts';

describe('Single sign-on and decisions about it that cross', () => {
  let stand: SingleSignOnStand;

  before(async () => {
    stand = await createSingleSignOnStand();
  });
  after(() => stand.close());

  /** Somebody who is known by the provider, and whose browser is back from there again. */
  const comeBackTo = async (owner: Person, subject: string) => {
    const bea = await stand.api.person('viewer', owner.orgUuid);
    stand.account(subject, bea.email);
    await stand.signIn(owner, subject);
    const { url, ticket } = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(url, subject), ticket);
    return { bea, ticket };
  };

  it('lets nobody in whose account at the provider is forgotten before it is noted who they are', async () => {
    const { owner } = await stand.organization();
    const { bea, ticket } = await comeBackTo(owner, 'bea-1');
    const returns = { text: 'select 1 from provider_sign_ins for update', values: [] };
    let crossed: Promise<void> | undefined;
    const racing: ProviderCalls = {
      ...stand.calls,
      async identify(...given) {
        const identity = await stand.calls.identify(...given);
        await new Promise<void>((identified) => {
          crossed = whileHeld(stand.api.database.pool, returns, async ({ waiting, release }) => {
            identified();
            await waiting(1);
            const forgotten = Promise.resolve(owner.post(`/users/${bea.userId}/forget-identity`));
            await Promise.race([forgotten, waiting(2)]);
            await release();
            expect((await forgotten).status).to.equal(204);
          });
        });
        return identity;
      },
    };
    await stand.work({ ...stand.deps, providers: racing });
    await crossed;
    expect((await stand.finish(ticket).expect(200)).body).to.include({ status: 'refused', token: null });
  });

  it('answers both who forgets an account at the provider and whose it is, at the same moment', async () => {
    const { owner } = await stand.organization();
    const { bea, ticket } = await comeBackTo(owner, 'bea-2');
    await stand.work();
    const person = { text: 'select 1 from users where id = $1 for update', values: [bea.userUuid] };
    await whileHeld(stand.api.database.pool, person, async ({ waiting, release }) => {
      const forgotten = Promise.resolve(owner.post(`/users/${bea.userId}/forget-identity`));
      await waiting(1);
      const finished = Promise.resolve(stand.finish(ticket));
      await waiting(2);
      await release();
      expect((await forgotten).status).to.equal(204);
      expect((await finished).body).to.include({ status: 'refused', reason: 'EXPIRED' });
    });
  });

  it('takes a secret that was given while the provider was asked with another for one by which nobody came', async () => {
    const { owner } = await stand.organization();
    const { bea, ticket } = await comeBackTo(owner, 'bea-3');
    const racing: ProviderCalls = {
      ...stand.calls,
      async identify(...given) {
        const identity = await stand.calls.identify(...given);
        await stand.put(owner, { required: true, clientSecret: 'mistyped' }).expect(200);
        return identity;
      },
    };
    await stand.work({ ...stand.deps, providers: racing });
    expect((await stand.finish(ticket).expect(200)).body.status).to.equal('signedIn');
    const { body } = await owner.get('/organization/single-sign-on').expect(200);
    expect(body.provider.provenAt).to.equal(null);
    // It would lock everybody out.
    await stand.api.signIn(bea.email).expect(200);
  });
});
