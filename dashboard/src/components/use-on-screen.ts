import { useState } from 'react';
import { isPrinting } from '../app/printing.ts';

/**
 * What a picture is drawn by, as it was before the page went to paper: paper is narrower and light, and does not wait for another drawing. The one
 * that is there is scaled (`print.css`).
 */
export function useOnScreen<Value>(value: Value): Value {
  const [held, setHeld] = useState(value);
  if (held === value || isPrinting()) return held;
  setHeld(value);
  return value;
}
