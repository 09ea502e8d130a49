/** Who tells the story: an organization, its key and its owner. */
import { sendDueMails } from '../../../shared/mail/sending.ts';
import type { RenderedMail } from '../../../shared/mail/message.ts';
import { ALL_SCOPES } from '../../../shared/api-keys/scopes.ts';
import type { TestApi } from '../api.ts';
import type { Answer, Call, DocumentClient } from '../document-client.ts';

export const GTIN = '09506000134352';
export const PASSWORD = 'a stone that shows gold';
export const tokenIn = (mail: RenderedMail | undefined): string =>
  /#token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')![1]!;
export const cookieOf = ({ headers }: Answer, name: string): string =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith(name))!
    .split(';')[0]!;
export const from = (address: string) => ({ 'X-Forwarded-For': address });

export interface Storyteller {
  api: TestApi;
  client: DocumentClient;
  /** Mails since the last call. */
  mails(): Promise<RenderedMail[]>;
  key: string;
  token: string;
  email: string;
  /** With the key. */
  run(operationId: string, id?: string, body?: unknown, more?: Call): Promise<any>;
  /** As the signed-in owner. */
  sign(operationId: string, id?: string, body?: unknown, more?: Call): Promise<any>;
}

/** Signs an organization up, signs its owner in and makes a key. */
export async function beginStory(api: TestApi, client: DocumentClient): Promise<Storyteller> {
  const mails = async () => {
    const caught: RenderedMail[] = [];
    const mailTransport = {
      send: async (_id: string, mail: RenderedMail) => void caught.push(mail),
      close: () => undefined,
    };
    while ((await sendDueMails({ ...api.deps, mailTransport, leaseSeconds: 60 })).sent > 0);
    return caught;
  };
  const email = 'ana@oliveira.example';
  await client.call('health');
  await client.call('readiness');
  await client.call('servesHost', { query: { domain: new URL(api.deps.config.PUBLIC_URL).hostname } });
  await client.call('signUp', {
    body: {
      organizationName: 'Oliveira e Filhos',
      name: 'Ana Oliveira',
      email,
      password: PASSWORD,
      language: 'en',
    },
  });
  await client.call('verifySignUp', { body: { token: tokenIn((await mails())[0]) } });
  const signedIn = await client.call('signIn', { body: { email, password: PASSWORD } });
  const refreshed = await client.call('refreshSession', {
    headers: { cookie: cookieOf(signedIn, '__Host-touchstone-refresh') },
  });
  const token = refreshed.body.accessToken as string;
  const made = await client.call('createApiKey', {
    as: token,
    body: { name: 'Factory', scopes: ALL_SCOPES, expiresAt: null, allowedCidrs: [] },
  });
  const with_ =
    (as: string) =>
    async (operationId: string, id?: string, body?: unknown, more: Call = {}) =>
      (
        await client.call(operationId, {
          as,
          ...(id === undefined ? {} : { ids: { id } }),
          ...(body === undefined ? {} : { body }),
          ...more,
        })
      ).body;
  const key = made.body.secret as string;
  return { api, client, mails, key, token, email, run: with_(key), sign: with_(token) };
}
