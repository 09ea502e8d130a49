import { useEffect } from 'react';

/** In memory alone, and for as long as the page: what draws it anew finds it here. */
let taken: string | null = null;

/**
 * The token in the fragment of a mail's link, which is sent to no server. It is taken out of the address bar, and so out of
 * the history and whatever reads it. Null where the link is not complete.
 */
export function useLinkToken(): string | null {
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
