/** The story of single sign-on, with a provider that is real. The organization's domain is confirmed. */
import { createProviderCalls } from '../../../shared/single-sign-on/provider.ts';
import { redirectUrlOf } from '../../../shared/single-sign-on/service.ts';
import { signPeopleIn } from '../../../workers/sign-people-in/processor.ts';
import { startIdentityProvider } from '../identity-provider.ts';
import { cookieOf, type Storyteller } from './storyteller.ts';

export async function tellOfSingleSignOn({ api, client, sign, email }: Storyteller) {
  const provider = await startIdentityProvider({ redirectUrl: redirectUrlOf(api.deps.config.PUBLIC_URL) });
  const providers = createProviderCalls({ allowedCidrs: ['127.0.0.0/8'], caFile: provider.ca.caFile });
  const work = signPeopleIn({ ...api.workerDeps, providers });
  try {
    // What the reference shows is named as providers are; the real one has another port each time.
    await sign('setSingleSignOn', undefined, {
      issuer: 'https://login.oliveira.example',
      clientId: 'touchstone',
      clientSecret: 'a secret that the provider made',
      required: false,
      newcomerRole: 'viewer',
    });
    await sign('getSingleSignOn');
    await sign('checkSingleSignOn');
    await sign('setSingleSignOn', undefined, { issuer: provider.issuer, ...provider.client });
    await work();
    const left = await client.call('beginSingleSignOn', { body: { email } });
    provider.accounts.set('ana', { email, email_verified: true });
    const cookie = cookieOf(left, '__Host-touchstone-sso');
    const back = await provider.visit(left.body.url as string, 'ana');
    await api
      .http()
      .get(back.pathname + back.search)
      .set('Cookie', cookie)
      .expect(303);
    await work();
    await client.call('finishSingleSignOn', { headers: { cookie } });
    const me = await sign('getMe');
    await sign('forgetIdentity', me.id);
    await sign('removeSingleSignOn');
  } finally {
    await providers.close();
    await provider.close();
  }
}
