/** What came of a sign-in by the organization's provider, which the service tells once. */
import { api, type ResponseOf } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { session } from '../../auth/session.ts';
import { takePlace } from './next-place.ts';

type Answer = ResponseOf<'/api/v1/auth/single-sign-on/finish', 'post'>;
/** `LATE`: nobody has said anything for too long. */
export type Refusal = NonNullable<Answer['reason']> | 'LATE';

export type Outcome = { refusal: Refusal } | { refusal: null; next: string | undefined };

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 1_000;
const PATIENCE_MS = 60_000;

/** In this tab, from asking to the answer. */
const ASKING = 'touchstone-single-sign-on';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function ask(): Promise<Outcome> {
  // The page of a refusal says it again, as after a reload.
  const { refusal } = (history.state ?? {}) as { refusal?: Refusal };
  if (refusal !== undefined) return { refusal };
  let isLost = sessionStorage.getItem(ASKING) !== null;
  sessionStorage.setItem(ASKING, '1');
  /** @returns null where there was no answer, or none yet */
  const askOnce = async (): Promise<Answer | null> => {
    try {
      const answer = await api.post('/api/v1/auth/single-sign-on/finish', {});
      return answer.status === 'pending' ? null : answer;
    } catch (error) {
      if (!(error instanceof ApiError && error.isPassing)) throw error;
      isLost ||= error.code === 'NETWORK';
      await wait((error.retryAfterSeconds ?? 0) * 1000);
      return null;
    }
  };
  const until = Date.now() + PATIENCE_MS;
  let answer = await askOnce();
  for (let ms = FIRST_WAIT_MS; answer === null; ms = Math.min(ms * 1.3, LONGEST_WAIT_MS)) {
    if (Date.now() > until) return { refusal: 'LATE' };
    await wait(ms);
    answer = await askOnce();
  }
  sessionStorage.removeItem(ASKING);
  return settled(answer, isLost);
}

/** Already, as whoever comes back here by the browser's own button. An answer that nobody read has brought the cookie nevertheless. */
const isSignedIn = async (isLost: boolean): Promise<boolean> =>
  session.isSignedIn() || (isLost && (await session.renew()));

/** @param isLost whether there may have been another answer, which nobody read */
async function settled({ token, reason }: Answer, isLost: boolean): Promise<Outcome> {
  if (token !== null) session.begin(token);
  else if (!(reason === 'EXPIRED' && (await isSignedIn(isLost)))) {
    history.replaceState({ ...history.state, refusal: reason }, '');
    return { refusal: reason! };
  }
  return { refusal: null, next: takePlace() };
}

let asked: Promise<Outcome> | null = null;

/** The same for whoever asks twice. */
export function singleSignOnOutcome(): Promise<Outcome> {
  asked ??= ask();
  return asked;
}
