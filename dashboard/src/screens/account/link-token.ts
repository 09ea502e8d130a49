import { useState } from 'react';

/**
 * The token in the fragment of a mail's link, which is sent to no server. It is taken out of the address bar, and so out of
 * the history and whatever reads it. Null where the link is not complete.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token'));
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}
