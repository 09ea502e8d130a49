/**
 * Who is signed in. The access token lives in the memory of each tab and nowhere else; what survives a reload is the
 * `__Host-` cookie that only the service reads. One tab renews for all: it holds a lock, and tells the others.
 */
import { errorOf, parseJson, reach, READ_SILENCE_MS } from '../api/errors.ts';

interface Token {
  value: string;
  /** By this tab's clock, in ms. */
  endsAt: number;
}

export type SessionState =
  | { status: 'unknown' }
  | { status: 'signed-out'; reason: 'never' | Ending }
  | { status: 'signed-in'; userId: string };

/** Why nobody is signed in any more. */
type Ending = 'signed-out' | 'ended';

type Message = { type: 'token'; token: Token } | { type: 'signed-out'; reason: Ending };

const LOCK = 'touchstone-refresh';
const CHANNEL = 'touchstone-session';
/** Renewed this long before its end, so that no request meets an ended one. */
const AHEAD_MS = 60_000;
const RETRY_MS = 5_000;
/** A lock that is free again may be heard of sooner than the token which the other tab has meanwhile. */
const ON_ITS_WAY_MS = 1_000;

/** Whether the cookie is worth asking for; it cannot be read, and asking in vain is an error in the browser's log. */
const HINT = 'touchstone-signed-in';

const channel = new BroadcastChannel(CHANNEL);
const listeners = new Set<() => void>();
let state: SessionState = { status: 'unknown' };
let token: Token | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let renewal: Promise<boolean> | null = null;
let hasBegun = false;

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The claim `sub`; the service alone checks tokens, this only tells people apart. */
function subjectOf(value: string): string {
  const payload = value.split('.')[1] ?? '';
  const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: string };
  return sub;
}

function adopt(next: Token): void {
  token = next;
  clearTimeout(timer);
  // Tabs wake at different moments, and the first one renews for all.
  const inMs = Math.max(0, next.endsAt - Date.now() - AHEAD_MS) + Math.random() * 2_000;
  timer = setTimeout(() => void renew(), inMs);
  localStorage.setItem(HINT, '1');
  const userId = subjectOf(next.value);
  if (state.status !== 'signed-in' || state.userId !== userId) setState({ status: 'signed-in', userId });
}

function drop(reason: 'never' | Ending): void {
  token = null;
  clearTimeout(timer);
  localStorage.removeItem(HINT);
  // Where one has ended, the screen is kept for whoever had it, until somebody signs out by choice.
  const isKept = state.status === 'signed-out' && state.reason === 'ended';
  if (state.status !== 'signed-out' || (isKept && reason === 'signed-out'))
    setState({ status: 'signed-out', reason });
}

const isFresh = (): boolean => token !== null && token.endsAt - Date.now() > AHEAD_MS;

/** Another tab may have renewed while this one waited for the lock. */
const hasAnother = (refused: string | null): boolean => isFresh() && token!.value !== refused;

interface Tokens {
  accessToken: string;
  expiresIn: number;
}

async function refresh(refused: string | null): Promise<boolean> {
  if (hasAnother(refused)) return true;
  // All tabs wait for it, as for something that is read.
  const response = await reach('/api/v1/auth/refresh', { method: 'POST' }, READ_SILENCE_MS).catch(
    (error: Error) => error,
  );
  if (response instanceof Error) return away(response);
  if (response.ok) {
    const text = await response.text();
    try {
      take(parseJson(text, response) as Tokens);
    } catch (error) {
      return away(error as Error);
    }
    return true;
  }
  if (response.status === 401) {
    const hadOne = token !== null;
    drop(hadOne ? 'ended' : 'never');
    if (hadOne) post({ type: 'signed-out', reason: 'ended' });
    return false;
  }
  return away(await errorOf(response));
}

/** The service is away for a moment: whoever is signed in stays so, and it is tried again. */
function away(error: Error): boolean {
  if (token === null) throw error;
  clearTimeout(timer);
  timer = setTimeout(() => void renew(), RETRY_MS);
  return token.endsAt > Date.now();
}

const post = (message: Message): void => channel.postMessage(message);

function take({ accessToken, expiresIn }: Tokens): void {
  const next = { value: accessToken, endsAt: Date.now() + expiresIn * 1000 };
  adopt(next);
  post({ type: 'token', token: next });
}

/**
 * One at a time over all tabs, and none where another token than the refused one is there already.
 * @returns whether somebody is signed in with a token that should work.
 */
function renew(refused = token?.value ?? null): Promise<boolean> {
  renewal ??= inTurn(refused).finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Asks the service, or waits for what the tab is told that asks already. */
async function inTurn(refused: string | null): Promise<boolean> {
  const renewed = await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) =>
    lock === null ? null : refresh(refused),
  );
  if (renewed !== null) return renewed;
  const isTold = new Promise((resolve) => channel.addEventListener('message', resolve, { once: true }));
  return navigator.locks.request(LOCK, async () => {
    const isLate = new Promise((resolve) => setTimeout(resolve, ON_ITS_WAY_MS));
    if (!hasAnother(refused)) await Promise.race([isTold, isLate]);
    return refresh(refused);
  });
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.type === 'token') adopt(data.token);
  else drop(data.reason);
});

// A laptop that slept past the end of its token renews as soon as somebody looks.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && token !== null && !isFresh()) void renew();
});

/** Twice is as good as once, so a connection that broke is tried again. */
const endAtService = (): Promise<Response> => reach('/api/v1/auth/sign-out', { method: 'POST' });

export const session = {
  state: (): SessionState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isSignedIn: (): boolean => state.status === 'signed-in',
  /** UUID of who is signed in; null for nobody, or where that is not known yet. */
  userId: (): string | null => (state.status === 'signed-in' ? state.userId : null),
  /** Whether it is over without anybody's choice, and may go on. */
  hasEnded: (): boolean => state.status === 'signed-out' && state.reason === 'ended',
  /** Where one has ended: nobody comes back for what this tab keeps. */
  giveUp(): void {
    if (session.hasEnded()) drop('signed-out');
  },
  /** After a reload: asks the cookie. @throws ApiError where the service cannot be asked */
  async resume(): Promise<void> {
    if (state.status !== 'unknown') return;
    if (localStorage.getItem(HINT) === null) drop('never');
    else await renew();
  },
  /** A token that works for the next minute, or null for nobody. */
  async token(): Promise<string | null> {
    if (token === null) return null;
    if (!isFresh()) await renew();
    return token?.value ?? null;
  },
  renew,
  /** After a sign-in. */
  begin(tokens: Tokens): void {
    hasBegun = true;
    take(tokens);
  },
  /** Whether somebody has signed in, in this tab, since this was asked last. */
  takeNew(): boolean {
    const isNew = hasBegun;
    hasBegun = false;
    return isNew;
  },
  /** Ends the session, in every tab. Where the service cannot be reached nothing ends, and the error says so. */
  async signOut(): Promise<void> {
    // Not while a tab renews: its answer would set the cookie again.
    const response = await navigator.locks.request(LOCK, () => endAtService().catch(endAtService));
    if (!response.ok) throw await errorOf(response);
    drop('signed-out');
    post({ type: 'signed-out', reason: 'signed-out' });
  },
};
