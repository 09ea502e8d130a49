/**
 * Guessing limits. Failures are counted by address and by account. The count of an account holds only for browsers that never
 * signed in to it: one that did carries a device token and has a count of its own, so that a stranger's guesses lock
 * nobody out (OWASP "Device Cookies").
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { AppError } from '../errors.ts';
import type { Count } from '../rate-limits/counter.ts';
import type { AccountDeps } from './deps.ts';

type AttemptDeps = Pick<AccountDeps, 'counter' | 'deviceKey' | 'failuresPerAddress' | 'failuresPerAccount'>;

const WINDOW_MS = 15 * 60_000;

/** An attempt that counts as a failure until it is taken back. */
export interface Attempt {
  succeeded(): Promise<void>;
}

/** IPv6 by /56, as one customer has at least that. */
function network(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 7).join('.')}/56`;
}

/** Stands for an account in Redis, where addresses of people do not belong. */
export const accountDigest = (email: string): string =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22);

const deviceTag = (email: string, nonce: string, key: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([email, nonce]))
    .digest();

/** @returns what a browser keeps that has signed in to this account. */
export function deviceToken(deps: Pick<AccountDeps, 'deviceKey' | 'random'>, email: string): string {
  const nonce = deps.random(12).toString('base64url');
  return `${nonce}.${deviceTag(email, nonce, deps.deviceKey).toString('base64url')}`;
}

/** @returns the nonce of a device token that belongs to this account, or null. */
function knownDevice(token: string | null, email: string, key: Buffer): string | null {
  const [nonce = '', tag = ''] = token?.split('.') ?? [];
  const given = Buffer.from(tag, 'base64url');
  const expected = deviceTag(email, nonce, key);
  return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : null;
}

async function add(deps: AttemptDeps, key: string): Promise<Count> {
  try {
    return await deps.counter.add(key, WINDOW_MS);
  } catch (error) {
    // Without a count, guessing and flooding would be free: nobody signs in, or is mailed, for as long.
    throw new AppError('UNAVAILABLE', { detail: 'attempts cannot be counted right now', cause: error });
  }
}

/**
 * Counts an attempt before it is made, so that many at once cannot slip through.
 * @throws AppError RATE_LIMITED, or UNAVAILABLE while Redis is away
 */
export async function beginAttempt(
  deps: AttemptDeps,
  input: { email: string; ip: string | null; device: string | null },
): Promise<Attempt> {
  const device = knownDevice(input.device, input.email, deps.deviceKey);
  const keys = [
    `sign-in:address:${network(input.ip)}`,
    device === null ? `sign-in:account:${accountDigest(input.email)}` : `sign-in:device:${device}`,
  ];
  const limits = [deps.failuresPerAddress, deps.failuresPerAccount];
  const takeBack = async () => {
    for (const key of keys) await deps.counter.takeBack(key).catch(() => undefined);
  };
  const counts = await Promise.all(keys.map((key) => add(deps, key)));
  const over = counts.findIndex(({ count }, i) => count > limits[i]!);
  if (over !== -1) {
    // What was refused unseen is no failure: a flood must not prolong its own limit into the next window.
    await takeBack();
    throw new AppError('RATE_LIMITED', {
      detail: 'too many failed attempts; wait, or ask for a new password by mail',
      headers: { 'Retry-After': String(Math.ceil(counts[over]!.resetMs / 1000)) },
    });
  }
  return { succeeded: takeBack };
}

/** For what a signed-in person must show their password for. @throws as {@link beginAttempt} */
export async function beginOwnAttempt(deps: AttemptDeps, userId: string): Promise<Attempt> {
  const key = `password:${userId}`;
  const { count, resetMs } = await add(deps, key);
  const takeBack = () => deps.counter.takeBack(key).catch(() => undefined);
  if (count > deps.failuresPerAccount) {
    await takeBack();
    throw new AppError('RATE_LIMITED', {
      detail: 'too many failed attempts',
      headers: { 'Retry-After': String(Math.ceil(resetMs / 1000)) },
    });
  }
  return { succeeded: takeBack };
}

const MAILS = 5;

/** @returns whether an address may get another mail of a kind: five in 15 minutes, so that nobody floods a stranger's inbox. */
export async function mayMail(deps: AttemptDeps, kind: string, email: string): Promise<boolean> {
  const { count } = await add(deps, `mail:${kind}:${accountDigest(email)}`);
  return count <= MAILS;
}

/**
 * As {@link mayMail} of each organization by itself, so that nobody keeps another one from inviting somebody.
 * @throws AppError RATE_LIMITED, or UNAVAILABLE while Redis is away
 */
export async function requireMayInvite(deps: AttemptDeps, orgId: string, email: string): Promise<void> {
  const { count, resetMs } = await add(deps, `mail:invitation:${orgId}:${accountDigest(email)}`);
  if (count <= MAILS) return;
  throw new AppError('RATE_LIMITED', {
    detail: `at most ${MAILS} invitations of one address in 15 minutes`,
    headers: { 'Retry-After': String(Math.ceil(resetMs / 1000)) },
  });
}
