import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import { keepBegun } from './next-place.ts';

interface Departure {
  /** Leads to the provider of an organization: the one that holds the domain of an address, or the one that is named. */
  leave: (to: { email: string } | { organizationId: string }) => Promise<void>;
  isLeaving: boolean;
  /** What is not about the address's form. */
  error: Error | null;
  /** Before something else is tried. */
  forget: () => void;
}

interface DepartureOptions {
  /** Where to go on afterwards. */
  next: string | undefined;
  /** Whether this tab has something to lose: one of its own leads there then, and tells this one who has signed in. */
  isKept: boolean;
  /** What is wrong with the address as it was typed. */
  onWrong: (words: string) => void;
}

/** The way to an organization's provider, which leads back to `/app/single-sign-on`. */
export function useDeparture({ next, isKept, onWrong }: DepartureOptions): Departure {
  const inWords = useRefusalWords();
  const [isLeaving, setLeaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    // Back from there by the browser's own button, the page may be as it was left.
    const comeBack = () => setLeaving(false);
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, []);
  const refuse = (failure: Error) => {
    const refusal =
      failure instanceof ApiError ? failure.fields.find(({ path }) => path === 'email') : undefined;
    if (refusal === undefined) return setError(failure);
    flushSync(() => onWrong(inWords(refusal)));
    document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return {
    isLeaving,
    error,
    forget: () => setError(null),
    async leave(to) {
      setLeaving(true);
      setError(null);
      keepBegun({ next, organization: 'organizationId' in to ? to.organizationId : undefined });
      // At once: opened when the answer is there, it would be taken for an advertisement.
      const tab = isKept ? window.open('', '_blank') : null;
      try {
        const { url } = await api.post('/api/v1/auth/single-sign-on', { body: to });
        if (tab === null) return location.assign(url);
        tab.opener = null;
        tab.location.assign(url);
        setLeaving(false);
      } catch (failure) {
        tab?.close();
        setLeaving(false);
        refuse(failure as Error);
      }
    },
  };
}
