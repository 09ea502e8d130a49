import { useEffect, useRef, type RefObject } from 'react';
import { isPaletteOpen } from '../app/palette-open.ts';

/**
 * For the first field of a screen: it takes the focus when the screen comes. In place of `autoFocus`, which takes it also
 * from somebody who has opened the palette again while the screen was on its way, and types into the form unawares.
 */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isPaletteOpen()) field.current?.focus();
  }, []);
  return field;
}
