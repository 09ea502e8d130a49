import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type BodyOf } from '../../api/client.ts';

/** In memory alone, and for as long as the page: what draws it anew finds it here. */
let taken: string | null = null;

/**
 * The token in the fragment of a mail's link, which is sent to no server. It is taken out of the address bar, and so out of
 * the history and whatever reads it. Null where the link is not complete.
 */
function useLinkToken(): string | null {
  taken = new URLSearchParams(location.hash.slice(1)).get('token') ?? taken;
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
    // Another link, brought into the tab of one that was incomplete or used, is no new page to the browser.
    const begin = () => {
      if (location.hash !== '') location.reload();
    };
    addEventListener('hashchange', begin);
    return () => removeEventListener('hashchange', begin);
  }, []);
  return taken;
}

type Purpose = BodyOf<'/api/v1/auth/check-link'>['purpose'];

/**
 * The token of the link that led here, and whether it is known that it does not work: whoever comes too late is told before they type.
 * Where nobody answers that, the form says it.
 */
export function useLink(purpose: Purpose): { token: string | null; isOver: boolean } {
  const token = useLinkToken();
  const { data } = useQuery({
    queryKey: ['/api/v1/auth/check-link', purpose, token],
    queryFn: ({ signal }) =>
      api.post('/api/v1/auth/check-link', { body: { purpose, token: token! }, signal }),
    enabled: token !== null,
    // Asked once: what is done here uses the link up.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { token, isOver: data?.works === false };
}
