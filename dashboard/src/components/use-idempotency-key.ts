import { useRef } from 'react';

/**
 * For something that is sent by hand: the key stays the same until what is sent changes, so that pressing twice makes one
 * thing, and what was corrected after a lost answer is a request of its own.
 * @returns the key for what is sent
 */
export function useIdempotencyKey(): (sent: unknown) => string {
  const attempt = useRef({ sent: '', key: '' });
  return (sent) => {
    const text = JSON.stringify(sent);
    if (attempt.current.sent !== text) attempt.current = { sent: text, key: crypto.randomUUID() };
    return attempt.current.key;
  };
}
