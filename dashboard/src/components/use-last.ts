import { useState } from 'react';

/**
 * What a dialog is about, which stays to be read while the dialog closes.
 * @param value null once it is to close
 * @returns the last that was not null
 */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value === null || value === last) return last;
  setLast(value);
  return value;
}
