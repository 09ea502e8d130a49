/** What stories do by the API beside the browser. */
import { expect } from 'chai';
import { totpCode, totpStep } from '../../../shared/accounts/totp.ts';
import type { Account, Stack } from './stack.ts';

/** Calls the API as somebody would with a program. */
export async function call<T>(stack: Stack, account: Account, path: string, body: object): Promise<T> {
  const post = (to: string, headers: object, content: object) =>
    fetch(`${stack.url}/api/v1${to}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(content),
    });
  const signedIn = await post('/auth/sign-in', {}, { email: account.email, password: account.password });
  const { accessToken } = (await signedIn.json()) as { accessToken: string };
  const answer = await post(path, { Authorization: `Bearer ${accessToken}` }, body);
  expect(answer.ok, `${path}: ${answer.status}`).to.equal(true);
  return (await answer.json()) as T;
}

/** @returns its recovery codes, and what makes a code that was not used yet. */
export async function switchSecondFactorOn(
  stack: Stack,
  account: Account,
): Promise<{ recoveryCodes: string[]; nextCode: () => string }> {
  const { secret } = await call<{ secret: string }>(stack, account, '/auth/totp/set-up', {});
  // One step to either side counts: neither code is refused where a step ends meanwhile, and the later one is unused.
  const confirmed = totpStep(new Date());
  const { recoveryCodes } = await call<{ recoveryCodes: string[] }>(stack, account, '/auth/totp/confirm', {
    code: totpCode(secret, confirmed),
  });
  return { recoveryCodes, nextCode: () => totpCode(secret, Math.max(totpStep(new Date()), confirmed + 1)) };
}
