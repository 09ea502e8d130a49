import { useCallback, useEffect, useRef, useState } from 'react';

/** From here on the rail is always there; as in styles.css. */
const WIDE = '(min-width: 48em)';

/** Whether the focus is in it, or nowhere. */
const hasFocus = (rail: HTMLElement | null): boolean =>
  document.activeElement === document.body || rail?.contains(document.activeElement) === true;

/**
 * The rail on a phone, where it covers the whole screen: it takes the focus with it, Escape closes it, and what it covers
 * must not be reached. `isOpen` is for `inert` as well.
 */
export function useRail(pathname: string) {
  // Where it was opened: a new screen is uncovered as it is drawn, so that a field of it can take the focus.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const rail = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const openBefore = useRef(false);
  const at = useRef(pathname);
  const isOpen = openAt === pathname;
  const open = useCallback(() => setOpenAt(pathname), [pathname]);
  const close = useCallback(() => setOpenAt(null), []);

  useEffect(close, [pathname, close]);
  useEffect(() => {
    const wasOpen = openBefore.current;
    const hasMoved = at.current !== pathname;
    openBefore.current = isOpen;
    at.current = pathname;
    if (isOpen) closer.current?.focus();
    else if (wasOpen && hasFocus(rail.current))
      (hasMoved ? document.getElementById('content') : opener.current)?.focus({ preventScroll: true });
  }, [isOpen, pathname]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => {
      // Not the one that closes the palette above it.
      if (key === 'Escape' && hasFocus(rail.current)) close();
    };
    const wide = matchMedia(WIDE);
    document.addEventListener('keydown', onKey);
    wide.addEventListener('change', close);
    return () => {
      document.removeEventListener('keydown', onKey);
      wide.removeEventListener('change', close);
    };
  }, [isOpen, close]);
  return { isOpen, open, close, rail, opener, closer };
}
