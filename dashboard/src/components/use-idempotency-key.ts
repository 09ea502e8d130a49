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

/**
 * For what may be done again by hand once it is done, as giving a new secret is: the key stays the same until one attempt has
 * been answered, so that a repeat after a lost answer is answered with what was made then.
 */
export function useUntilAnswered(): <Output>(
  sent: unknown,
  send: (idempotencyKey: string) => Promise<Output>,
) => Promise<Output> {
  const keyOf = useIdempotencyKey();
  const answered = useRef(0);
  return async (sent, send) => {
    const output = await send(keyOf([sent, answered.current]));
    answered.current += 1;
    return output;
  };
}
