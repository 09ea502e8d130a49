/**
 * OpenID Connect with an organization's provider, through `openid-client`. Only workers ask it anything: its addresses are of an organization's
 * choosing, so they are vetted like those of webhooks, and whoever is slow keeps no web process waiting.
 */
import { parseUrl } from '../parse-url.ts';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates } from 'node:tls';
import * as oidc from 'openid-client';
import { Agent, fetch, Response } from 'undici';
import { z } from 'zod';
import { parseAllowedCidrs, vetUrlShape } from '../egress/address-guard.ts';
import { createGuardedConnector } from '../egress/guarded-connector.ts';
import { createResolver } from '../egress/resolve-host.ts';

export const PROVIDER_PROBLEMS = ['UNREACHABLE', 'NO_PROVIDER', 'UNSUPPORTED'] as const;

export type ProviderProblem = (typeof PROVIDER_PROBLEMS)[number];

/** As whom the service is known at a provider. */
export interface Client {
  metadata: oidc.ServerMetadata;
  clientId: string;
  clientSecret: string;
}

/** What one sign-in is checked against: made when it begins, and known to that browser alone. */
export interface Secrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who somebody is, on the provider's word. */
export interface Identity {
  subject: string;
  /** In lower case. */
  email: string | null;
  /** False where the provider says so, or vouches for no address of that domain. */
  isEmailVerified: boolean;
  name: string | null;
}

export interface ProviderCalls {
  discover(issuer: string): Promise<{ metadata: oidc.ServerMetadata } | { problem: ProviderProblem }>;
  /**
   * Exchanges the code of a browser's return. Good for one call.
   * @param returned the whole address at which the browser came back
   * @throws ProviderError
   */
  identify(client: Client, returned: URL, secrets: Secrets): Promise<Identity>;
  close(): Promise<void>;
}

/** What the provider answered is no identity, or it did not answer. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly isUnreachable: boolean;
  constructor(message: string, isUnreachable: boolean, cause: unknown) {
    super(message, { cause });
    this.isUnreachable = isUnreachable;
  }
}

const SCOPE = 'openid email profile';
const ANSWER_SECONDS = 10;
const CONNECT_MS = 5_000;
const LARGEST_ANSWER = 512 * 1024;
const MAX_NAME = 200;

/** What Postgres keeps of `sub`, which has no more by the specification. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
/** Before capitals are made small: `K` of another alphabet would become an ordinary `k`, and one person's address another's. */
const emailSchema = z.email().max(254);

/**
 * Anybody may have an account there, in the name of an address of any domain. Those with `hd` are a company's, which has shown Google that it
 * holds the domains of their addresses; `hd` is the first of these.
 */
const GOOGLE = 'https://accounts.google.com';

/** Where to send the browser. The provider is not asked. */
export async function authorizationUrl(
  client: Pick<Client, 'metadata' | 'clientId'>,
  redirectUrl: string,
  { state, nonce, codeVerifier }: Secrets,
  loginHint: string | null,
): Promise<URL> {
  return oidc.buildAuthorizationUrl(new oidc.Configuration(client.metadata, client.clientId), {
    redirect_uri: redirectUrl,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(loginHint === null ? {} : { login_hint: loginHint }),
  });
}

/** Where nothing is said, RFC 8414 has it that `client_secret_basic` is meant. */
const methodsOf = ({ token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata): string[] =>
  (methods ?? ['client_secret_basic']).filter((method) => Object.hasOwn(AUTHENTICATIONS, method));

const AUTHENTICATIONS: Record<string, (secret: string) => oidc.ClientAuth> = {
  client_secret_basic: oidc.ClientSecretBasic,
  client_secret_post: oidc.ClientSecretPost,
};

function configurationOf(
  { metadata, clientId, clientSecret }: Client,
  method = methodsOf(metadata)[0] ?? 'client_secret_basic',
): oidc.Configuration {
  const configuration = new oidc.Configuration(
    metadata,
    clientId,
    {},
    AUTHENTICATIONS[method]!(clientSecret),
  );
  configuration.timeout = ANSWER_SECONDS;
  // The signature of the ID token is looked at, although it comes by TLS.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** @param options `caFile`: a further certificate authority. @throws RangeError on a malformed network; the error of `readFileSync` */
export function createProviderCalls(options: {
  allowedCidrs: readonly string[];
  caFile?: string;
}): ProviderCalls {
  const allowed = parseAllowedCidrs(options.allowedCidrs);
  const agent = new Agent({
    connect: createGuardedConnector({
      allowed,
      resolve: createResolver(),
      secureContext: createSecureContext({
        minVersion: 'TLSv1.2',
        ...(options.caFile ? { ca: [...rootCertificates, readFileSync(options.caFile, 'utf8')] } : {}),
      }),
      connectTimeoutMs: CONNECT_MS,
      onConnected: () => undefined,
    }),
    maxResponseSize: LARGEST_ANSWER,
  });
  const guardedFetch: oidc.CustomFetch = async (url, init) => {
    const verdict = vetUrlShape(url, allowed);
    if (!verdict.ok) throw new TypeError(verdict.refused.message);
    const { body, ...others } = init;
    const response = await fetch(url, {
      ...others,
      ...(body === undefined ? {} : { body: body as string | URLSearchParams }),
      dispatcher: agent,
    });
    return (await unpacked(response)) as unknown as globalThis.Response;
  };
  const withFetch = (configuration: oidc.Configuration): oidc.Configuration => {
    configuration[oidc.customFetch] = guardedFetch;
    return configuration;
  };

  return {
    async discover(issuer) {
      try {
        const configuration = await oidc.discovery(new URL(issuer), 'unused', undefined, oidc.None(), {
          [oidc.customFetch]: guardedFetch,
          timeout: ANSWER_SECONDS,
        });
        const metadata = metadataOf(configuration.serverMetadata());
        return metadata === null ? { problem: 'UNSUPPORTED' } : { metadata };
      } catch (error) {
        return { problem: isUnreachable(error) ? 'UNREACHABLE' : 'NO_PROVIDER' };
      }
    },

    async identify(client, returned, { state, nonce, codeVerifier }) {
      const exchange = (method: string | undefined) =>
        oidc.authorizationCodeGrant(withFetch(configurationOf(client, method)), returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
      const [method, another] = methodsOf(client.metadata);
      try {
        const tokens = await exchange(method).catch((error: unknown) => {
          // Providers name what they can do for some clients, and this one may be set to the other way. It has not used the code up.
          if (another === undefined || !isInvalidClient(error)) throw error;
          return exchange(another);
        });
        const claims = tokens.claims()!;
        if (!SUBJECT.test(claims.sub)) throw new TypeError('the subject is none that can be kept');
        const more =
          claims['email'] === undefined && client.metadata.userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(withFetch(configurationOf(client)), tokens.access_token, claims.sub)
            : {};
        return identityOf(client.metadata.issuer, { ...more, ...claims });
      } catch (error) {
        throw new ProviderError(describe(error), isUnreachable(error), error);
      }
    },

    close: () => agent.close(),
  };
}

/** What Postgres takes as text: no NUL, no half of a surrogate pair. */
const address = z
  .string()
  .max(2048)
  .refine((given) => /^https:/i.test(given) && !/[\p{Cc}\p{Cs}]/u.test(given) && parseUrl(given) !== null);

const names = z.array(z.string().regex(/^[\x21-\x7e]{1,100}$/)).max(200);

const optional = <Field extends z.ZodType>(field: Field) =>
  field.nullish().transform((given) => given ?? undefined);

/** The document is somebody else's: it is kept of it what is asked about, where that is of its form. */
const metadataSchema = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: optional(address),
  authorization_response_iss_parameter_supported: optional(z.boolean()),
  token_endpoint_auth_methods_supported: optional(names),
  id_token_signing_alg_values_supported: optional(
    // What is not signed by a key of the provider's never counts.
    names
      .transform((algorithms) => algorithms.filter((name) => name !== 'none' && !name.startsWith('HS')))
      .refine((algorithms) => algorithms.length > 0),
  ),
});

/**
 * Microsoft's addresses for people of any tenant, and for private accounts: whoever has a tenant writes any address into the accounts
 * there, so that anybody could sign in as anybody.
 */
const isOfAnyTenant = (issuer: string): boolean =>
  issuer.includes('{') || issuer.toLowerCase().includes('/9188040d-6c67-4c5b-b112-36a304b66dad/');

/** @returns null for what nobody can be signed in by */
export function metadataOf(given: object): oidc.ServerMetadata | null {
  const { data } = metadataSchema.safeParse(given);
  if (data === undefined || isOfAnyTenant(data.issuer)) return null;
  const metadata = data as oidc.ServerMetadata;
  return methodsOf(metadata).length > 0 ? metadata : null;
}

/** The agent counts bytes as they come, of which a few can be packed to be gigabytes. @throws TypeError */
async function unpacked(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > LARGEST_ANSWER) throw new TypeError('the answer is too large');
    chunks.push(chunk as Uint8Array);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}

/** The connection's own failure is behind that of `fetch`, which is behind that of the library. */
function isUnreachable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === 'ConnectionError' || each.name === 'TimeoutError' || each.message === 'fetch failed')
      return true;
  }
  return false;
}

const isInvalidClient = (error: unknown): boolean =>
  error instanceof oidc.ResponseBodyError && error.error === 'invalid_client';

/** For the log: codes alone, as texts are the provider's. */
function describe(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return `the provider refused with "${error.error.slice(0, 60)}"`;
  return error instanceof oidc.ClientError ? `${error.message} (${error.code ?? ''})` : String(error);
}

/** On one line. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim() || null : null;

/** Of a form that people have addresses in here: mail goes there, and a comma would have it go to others, too. */
const emailOf = (value: unknown): string | null =>
  emailSchema.safeParse(textOf(value)).data?.toLowerCase() ?? null;

/** @param claims of the ID token, and of the userinfo endpoint */
export function identityOf(issuer: string, claims: Record<string, unknown>): Identity {
  const email = emailOf(claims['email']);
  const isVouchedFor = issuer !== GOOGLE || textOf(claims['hd']) !== null;
  return {
    subject: String(claims['sub']),
    email,
    // Those that serve one organization leave it out: they are asked for nobody else's.
    isEmailVerified:
      claims['email_verified'] !== false && claims['email_verified'] !== 'false' && isVouchedFor,
    name: textOf(claims['name'])?.slice(0, MAX_NAME) ?? null,
  };
}
