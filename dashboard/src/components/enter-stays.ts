import type { KeyboardEvent } from 'react';

/**
 * For a field in which one types to find: Enter takes what is found, and never sends the form half-way.
 * @param isTyped whether there is something in the field that is only typed
 */
export const enterStays =
  (isTyped: boolean) =>
  (event: KeyboardEvent): void => {
    if (isTyped && event.key === 'Enter') event.preventDefault();
  };
