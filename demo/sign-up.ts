/** The demo's way in, as a new user goes it: sign-up, the link in the mail, sign-in, an API key. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_SCOPES } from '../shared/api-keys/scopes.ts';

const MAIL_TIMEOUT_MS = 20_000;
const LOOK_AGAIN_MS = 50;

/** @param mailDir where the service writes its mail. @returns a key that may do everything, shown this once. */
export async function signUpForKey(url: string, mailDir: string, signal: AbortSignal): Promise<string> {
  const post = async (
    where: string,
    body: object,
    accessToken?: string,
  ): Promise<Record<string, unknown>> => {
    const response = await fetch(url + where, {
      method: 'POST',
      signal,
      headers: {
        'Content-Type': 'application/json',
        ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${where} answered ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  const email = `owner-${randomBytes(4).toString('hex')}@olive-grove.example`;
  const password = randomBytes(18).toString('base64url');
  await post('/sign-up', { organizationName: 'Olive Grove Ltd', name: 'Olivia', email, password });
  await post('/sign-up/verify', { token: await tokenFromMail(mailDir, email, signal) });
  const { accessToken } = await post('/api/v1/auth/sign-in', { email, password });
  const { secret } = await post(
    '/api/v1/api-keys',
    { name: 'Demo', scopes: ALL_SCOPES },
    accessToken as string,
  );
  return secret as string;
}

/** Waits for the worker that sends mail. @throws Error where none comes */
async function tokenFromMail(mailDir: string, to: string, signal: AbortSignal): Promise<string> {
  const until = performance.now() + MAIL_TIMEOUT_MS;
  while (performance.now() < until) {
    // The folder comes into being with the first mail.
    const names = await readdir(mailDir).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.txt') && !each.startsWith('.'))) {
      const mail = await readFile(path.join(mailDir, name), 'utf8');
      const token = /verify-email#token=([\w-]+)/.exec(mail)?.[1];
      if (token !== undefined && mail.includes(`To: ${to}`)) return token;
    }
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
  throw new Error(`no mail with a link came to ${mailDir} within ${MAIL_TIMEOUT_MS / 1000} s`);
}
