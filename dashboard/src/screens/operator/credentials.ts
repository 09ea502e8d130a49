/** The operator's credentials live in the memory of this tab, until it is closed or left by the button. */
import { useSyncExternalStore } from 'react';
import { errorOf, reach } from '../../api/errors.ts';

let header: string | null = null;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function set(next: string | null): void {
  header = next;
  for (const listener of listeners) listener();
}

const basic = (user: string, password: string): string => {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCodePoint(...bytes))}`;
};

async function read(authorization: string, signal?: AbortSignal): Promise<Status> {
  const response = await reach('/ops/status', {
    headers: { Authorization: authorization, Accept: 'application/json' },
    // No cookie, and no dialog of the browser's own over ours.
    credentials: 'omit',
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Status;
}

/** Tries the credentials and keeps them where they are right. @throws ApiError */
export async function signIn(user: string, password: string): Promise<void> {
  const authorization = basic(user, password);
  await read(authorization);
  set(authorization);
}

export const signOut = (): void => set(null);

export const readStatus = (signal: AbortSignal): Promise<Status> => read(header ?? '', signal);

export const useIsOperator = (): boolean => useSyncExternalStore(subscribe, () => header !== null);

/** As `GET /ops/status` answers; a part is null where it could not be read. */
export interface Status {
  version: string;
  at: string;
  postgres: { version: string; ms: number } | null;
  redis: { version: string | null; ms: number } | null;
  processes: Process[] | null;
  queues: { name: string; waiting: number; active: number; delayed: number; failed: number }[] | null;
  sweeper: {
    everySeconds: number;
    last: { at: string; ms: number; did: Record<string, number> } | null;
    isLate: boolean;
  };
  oldestDue: Record<string, { since: string; seconds: number } | null> | null;
}

export interface Process {
  /** As in the Procfile: `web`, `worker-scans`. */
  process: string;
  version: string;
  startedAt: string;
  lastSeenAt: string;
}
