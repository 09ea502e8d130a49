/** An application with organizations that sign their people in by a provider, a real one. */
import { expect } from 'chai';
import { serveSingleSignOn, type IdentifyDeps } from '../../shared/single-sign-on/identify.ts';
import { createProviderCalls, type ProviderCalls } from '../../shared/single-sign-on/provider.ts';
import { startIdentityProvider, type IdentityProvider } from './identity-provider.ts';
import { cookieOf, createPeopleApi, type PeopleApi, type Person } from './people-api.ts';

export const REDIRECT_URL = 'https://verify.example.com/sso/callback';
/** Name of the cookie of a browser that is away. */
export const TICKET = '__Host-touchstone-sso';

/** Call in `before`, and `close` in `after`. */
export async function createSingleSignOnStand() {
  const api: PeopleApi = await createPeopleApi({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
  const idp: IdentityProvider = await startIdentityProvider({ redirectUrl: REDIRECT_URL });
  const calls: ProviderCalls = createProviderCalls({
    allowedCidrs: ['127.0.0.0/8'],
    caFile: idp.ca.caFile,
  });
  const deps: IdentifyDeps = {
    ...api.deps,
    providers: calls,
    leaseSeconds: 60,
    stopping: new AbortController().signal,
  };
  let domains = 0;

  /** What is due, as the worker does it. @returns how much that was */
  const work = (given = deps) => serveSingleSignOn(given);
  const confirmDomain = async (owner: Person, name = `brand-${++domains}.example`) => {
    await api.database.pool.query(
      `insert into organization_domains (org_id, name, record, confirmed_at, confirmed_by, requested_at, created_at)
       values ($1, $2, 'touchstone=', now(), 'operator', now(), now())`,
      [owner.orgUuid, name],
    );
    return name;
  };
  const put = (person: Person, more: object = {}) =>
    person.put('/organization/single-sign-on', { issuer: idp.issuer, ...idp.client, ...more });
  const configure = async (owner: Person, more: object = {}) => {
    await put(owner, more).expect(200);
    await work();
  };
  const beginAt = ({ orgId: organizationId }: Person) =>
    api.http().post('/api/v1/auth/single-sign-on').send({ organizationId });
  const begin = async (owner: Person) => {
    const left = await beginAt(owner).expect(200);
    return { url: left.body.url as string, ticket: cookieOf(left, TICKET)! };
  };
  const comeBack = (back: URL, ticket: string) =>
    api
      .http()
      .get(back.pathname + back.search)
      .set('Cookie', ticket)
      .expect(303);
  const finish = (ticket: string) =>
    api.http().post('/api/v1/auth/single-sign-on/finish').set('Cookie', ticket);
  /** From the press of the button to what came of it. @param subject null for somebody who turns away at the provider */
  const signIn = async (owner: Person, subject: string | null) => {
    const { url, ticket } = await begin(owner);
    await comeBack(await idp.visit(url, subject), ticket);
    await work();
    return finish(ticket).expect(200);
  };
  return {
    api,
    idp,
    calls,
    deps,
    work,
    confirmDomain,
    put,
    configure,
    beginAt,
    begin,
    comeBack,
    finish,
    signIn,
    /** @returns why somebody was refused, who got no session */
    async reasonOf(owner: Person, subject: string | null) {
      const { body, headers } = await signIn(owner, subject);
      expect(body).to.include({ status: 'refused', token: null });
      expect(String(headers['set-cookie'])).not.to.contain('refresh');
      return body.reason as string;
    },
    /** @returns an organization with the provider and a domain. */
    async organization(more: object = {}) {
      const owner = await api.person('owner');
      const domain = await confirmDomain(owner);
      await configure(owner, more);
      return { owner, domain };
    },
    /** Somebody at the provider. */
    account: (subject: string, email: string | null, more: object = {}) =>
      void idp.accounts.set(subject, { ...(email === null ? {} : { email }), ...more }),
    me: (token: string) => api.http().get('/api/v1/auth/me').set('Authorization', `Bearer ${token}`),
    async close() {
      await calls.close();
      await idp.close();
      await api.close();
    },
  };
}

export type SingleSignOnStand = Awaited<ReturnType<typeof createSingleSignOnStand>>;
