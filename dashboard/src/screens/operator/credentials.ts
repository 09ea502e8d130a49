/** The operator's credentials live in the memory of this tab, until it is closed or left by the button. */
import { useSyncExternalStore } from 'react';
import { ApiError, errorOf, parseJson, reach } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.gen.ts';

export type Status = Schemas['InstallationStatus'];

let header: string | null = null;
/** Whether what was kept is right no more. */
let hasLapsed = false;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function set(next: string | null, lapsed = false): void {
  header = next;
  hasLapsed = lapsed;
  for (const listener of listeners) listener();
}

const basic = (user: string, password: string): string => {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCodePoint(...bytes))}`;
};

async function read(authorization: string, signal?: AbortSignal): Promise<Status> {
  const response = await reach('/ops/status', {
    headers: { Authorization: authorization, Accept: 'application/json' },
    // No cookie, and no dialog of the browser’s own over ours.
    credentials: 'omit',
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw await errorOf(response);
  return parseJson(await response.text(), response) as Status;
}

/** Tries the credentials and keeps them where they are right. @throws ApiError */
export async function signIn(user: string, password: string): Promise<void> {
  const authorization = basic(user, password);
  await read(authorization);
  set(authorization);
}

export const signOut = (): void => set(null);

/** Credentials that are right no more are forgotten. @throws ApiError */
export async function readStatus(signal: AbortSignal): Promise<Status> {
  try {
    return await read(header ?? '', signal);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') set(null, true);
    throw error;
  }
}

export const useIsOperator = (): boolean => useSyncExternalStore(subscribe, () => header !== null);

export const useHasLapsed = (): boolean => useSyncExternalStore(subscribe, () => hasLapsed);
