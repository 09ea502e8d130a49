/** A real OpenID provider, `oidc-provider`, over TLS on this machine, which signs in whoever the test says. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';
import { Agent, fetch } from 'undici';
import { createTestCa, type TestCa } from './tls.ts';

export interface IdentityProvider {
  issuer: string;
  client: { clientId: string; clientSecret: string };
  ca: TestCa;
  /** Claims of each account, by its subject. */
  accounts: Map<string, Record<string, unknown>>;
  /** Requests that it was asked, as method and path. */
  asked: string[];
  /** What a browser does there: follows `url` until it leads back, signed in as `subject`; null for somebody who turns away. */
  visit(url: string, subject: string | null): Promise<URL>;
  close(): Promise<void>;
}

export interface ProviderOptions {
  redirectUrl: string;
  ca?: TestCa;
  authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** Whether claims of the scopes are in the ID token, as most have it, or at the userinfo endpoint alone. */
  claimsInIdToken?: boolean;
  algorithm?: 'RS256' | 'ES256';
}

async function signingKey(algorithm: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: 'of-a-test' };
}

/** Call in `before`, and `close` in `after`. */
export async function startIdentityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  const ca = options.ca ?? createTestCa();
  const authMethod = options.authMethod ?? 'client_secret_basic';
  const algorithm = options.algorithm ?? 'RS256';
  const { keyPem, certPem } = ca.certFor('localhost');
  const server = createServer({ key: keyPem, cert: certPem });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'touchstone', clientSecret: createHash('sha256').update(issuer).digest('hex') };
  const accounts = new Map<string, Record<string, unknown>>();
  const asked: string[] = [];
  let next: string | null = null;
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [options.redirectUrl],
        token_endpoint_auth_method: authMethod,
        id_token_signed_response_alg: algorithm,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'], profile: ['name'] },
    conformIdTokenClaims: !(options.claimsInIdToken ?? true),
    ...(algorithm === 'ES256' ? { enabledJWA: { idTokenSigningAlgValues: ['ES256'] } } : {}),
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    jwks: { keys: [await signingKey(algorithm)] },
    cookies: { keys: ['of-a-test'] },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...accounts.get(sub) }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        accountId: ctx.oidc.session!.accountId!,
        clientId: ctx.oidc.client!.clientId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, go) => {
    asked.push(`${ctx.method} ${ctx.path}`);
    // As many are: a client that is set to one way is refused in the other.
    const isBasic = ctx.get('authorization').startsWith('Basic ');
    if (ctx.path === '/token' && isBasic !== (authMethod === 'client_secret_basic')) {
      ctx.status = 401;
      ctx.body = { error: 'invalid_client' };
      return;
    }
    if (!ctx.path.startsWith('/interaction/')) {
      await go();
      return;
    }
    const result = next === null ? { error: 'access_denied' } : { login: { accountId: next } };
    await provider.interactionFinished(ctx.req, ctx.res, result);
  });
  const answer = provider.callback();
  server.on('request', (req, res) => void answer(req, res));
  const browser = new Agent({ connect: { ca: ca.caPem } });
  return {
    issuer,
    client,
    ca,
    accounts,
    asked,
    async visit(url, subject) {
      next = subject;
      const jar = new Map<string, string>();
      for (let at = new URL(url); ;) {
        if (at.origin !== issuer) return at;
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { dispatcher: browser, redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]!.split('=');
          jar.set(name, value);
        }
        const to = response.headers.get('location');
        if (to === null) throw new Error(`${response.status} at ${at.pathname}: ${await response.text()}`);
        at = new URL(to, at);
      }
    },
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
