import i18next from 'i18next';
import { ApiError } from '../api/errors.ts';
import { patiently } from './lazily.tsx';
import { errorWords } from './states.tsx';

const load = () => import('./notices-drawn.tsx');

const listeners = new Set<() => void>();
let isAsked = false;

/** Whether there ever was a notice: what shows them is loaded for the first. */
export const noticesAsked = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  state: (): boolean => isAsked,
};

function show(notice: { title?: string; message: string; autoClose?: false }, color: 'green' | 'red'): void {
  isAsked = true;
  for (const listener of listeners) listener();
  // The same words once at a time, for as long as the last of them.
  const id = `${notice.title ?? ''} ${notice.message}`;
  void patiently(load).then(({ notifications }) => {
    notifications.hide(id);
    notifications.show({
      id,
      ...notice,
      color,
      closeButtonProps: { 'aria-label': i18next.t('close', { ns: 'common' }) },
    });
  });
}

/** Says in a corner that something is done. */
export const notify = (message: string): void => show({ message }, 'green');

/** Says in a corner, until somebody closes it, what of something was not done, and why. */
export const notifyRefused = (title: string, message: string): void =>
  show({ title, message, autoClose: false }, 'red');

/**
 * Says in a corner, until somebody closes it, that something failed, what to do, and the number to quote.
 * @param undone what was not done because of it, in place of the words for any failure
 */
export function notifyError(error: unknown, undone?: string): void {
  const t = i18next.getFixedT(null, 'common');
  const failure = error instanceof Error ? error : new Error(String(error));
  const { title, advice, requestId } = errorWords(failure, t);
  const message = requestId === null ? advice : `${advice} ${t('requestId')}: ${requestId}`;
  show({ title: undone ?? title, message, autoClose: false }, 'red');
}

/** As {@link orNotify}, for giving something to somebody: a conflict is that somebody else has it by now, whom the screen then shows. */
export const orTaken = (change: Promise<unknown>): void =>
  void change.catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'CONFLICT')) return notifyError(error);
    const t = i18next.getFixedT(null, 'common');
    notifyRefused(t('people.taken'), t('people.takenAdvice'));
  });

/**
 * For a change that is made by one press, with no dialog or form where its failure could be shown:
 *
 *   <Button onClick={() => orNotify(change({ status: 'open' }))}>
 */
export const orNotify = (change: Promise<unknown>): void =>
  void change.catch((error: unknown) => notifyError(error));
