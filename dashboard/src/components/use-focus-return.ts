import { useEffect, useRef } from 'react';

/** For what has lost the button that was pressed. */
export const toHeading = (): void =>
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });

/**
 * Whether nobody has gone elsewhere since they pressed what is busy or gone: whoever types somewhere by now is left there. What
 * is disabled has the focus until it is drawn so.
 */
export const isFocusFree = (): boolean => document.activeElement?.matches('body, :disabled') ?? true;

/**
 * For a dialog (without the `returnFocus` of its own) that decides something, beside buttons that do: what is decided takes
 * such buttons away, and the focus would go with them. It goes on from the button that opened the dialog, or, where the one
 * that was pressed is gone, from the heading of the screen.
 * @param state of what is decided, where the pressed button may be another than the one that opened the dialog
 */
export function useFocusReturn(opened: boolean, state = ''): void {
  const opener = useRef<HTMLElement | null>(null);
  const seen = useRef(state);
  useEffect(() => {
    if (opened) {
      opener.current = document.activeElement as HTMLElement | null;
      return;
    }
    opener.current?.focus();
    // Gone with what was decided, or disabled.
    if (opener.current !== null && document.activeElement !== opener.current) toHeading();
  }, [opened]);
  // What was decided may be read again only after the dialog has closed, so that the button goes later.
  useEffect(() => {
    if (opened || opener.current?.isConnected !== false) return;
    opener.current = null;
    if (document.activeElement === document.body) toHeading();
  });
  useEffect(() => {
    if (seen.current === state) return;
    seen.current = state;
    if (!opened && document.activeElement === document.body) toHeading();
  }, [opened, state]);
}
