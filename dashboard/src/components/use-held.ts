import { useEffect, useState, type PointerEventHandler } from 'react';

interface Hold {
  onPointerDown: PointerEventHandler;
}

/**
 * Keeps what a list shows as it is while something in it is pressed. An answer between press and release would move the
 * entries: the browser then tells of a press on none of them, or on another one.
 * @returns what to show, and what the list's element needs
 */
export function useHeld<T>(current: T): [shown: T, hold: Hold] {
  const [held, setHeld] = useState<{ value: T } | null>(null);
  useEffect(() => {
    if (held === null) return undefined;
    // The click comes after the release. A menu that opens under the pointer may keep the release for itself.
    const release = () => setTimeout(() => setHeld(null));
    const ends = ['pointerup', 'pointercancel', 'contextmenu'] as const;
    ends.forEach((end) => window.addEventListener(end, release));
    return () => ends.forEach((end) => window.removeEventListener(end, release));
  }, [held]);
  const onPointerDown: PointerEventHandler = ({ button }) => {
    if (button === 0) setHeld({ value: current });
  };
  return [held === null ? current : held.value, { onPointerDown }];
}
