/**
 * A press may take away what was pressed (a link with its screen, a button that tries again, the row that is removed) or disable
 * it while it is busy. Browsers then let the focus fall to the page itself: whoever uses the keyboard would begin again at its
 * top, behind the dialog that is open, and a reader of the screen falls silent.
 */

/** What comes may take the focus itself, and a dialog of Mantine's gives it back 10 ms after it has closed. */
const PATIENCE_MS = 50;

/** The heading of the part of a screen that is still there, such as a card whose form has done its work. */
function headingOf(section: Element | null): HTMLElement | null {
  const id = section?.isConnected ? section.getAttribute('aria-labelledby') : null;
  const heading = id ? document.getElementById(id) : null;
  // Not by the keyboard.
  if (heading !== null) heading.tabIndex = -1;
  return heading;
}

/** Where one goes on: in the dialog that is open, else at the screen that came, or the heading of the one, or of its part, that was there. */
function placeToGoOn(at: string, section: Element | null): HTMLElement | null {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role=dialog]')]
    .filter((one) => one.checkVisibility())
    .at(-1);
  if (dialog !== undefined) return dialog;
  const screen = document.getElementById('content');
  // Before the sign-in: a form that has gone with what it did.
  if (screen === null) return document.querySelector<HTMLElement>('main h1');
  if (at !== location.pathname) return screen;
  return headingOf(section) ?? screen.querySelector<HTMLElement>('h1') ?? screen;
}

/** From now on the focus goes on where that which had it is gone, and back to what was only busy. */
export function keepFocus(): void {
  let last: { element: HTMLElement; at: string; section: Element | null; wasDisabled: boolean } | null = null;
  let isPlanned = false;
  const goOn = () => {
    isPlanned = false;
    if (last === null || document.activeElement !== document.body) return;
    const { element, at, section, wasDisabled } = last;
    const place = element.isConnected ? element : placeToGoOn(at, section);
    if (place !== element || (wasDisabled && !element.matches(':disabled')))
      place?.focus({ preventScroll: true });
  };
  const remember = (element: Element | null) => {
    const section = element?.closest('section[aria-labelledby]') ?? null;
    last = { element: element as HTMLElement, at: location.pathname, section, wasDisabled: false };
  };
  document.addEventListener('focusin', ({ target }) => remember(target as Element));
  // Whoever presses beside everything has let go of it.
  document.addEventListener('pointerdown', () => (last = null), true);
  // Not who pressed what had the focus already, or what leaves it where it is, as an entry of the palette does.
  const isKept = () => last === null && document.activeElement !== document.body;
  document.addEventListener('click', () => isKept() && remember(document.activeElement), true);
  new MutationObserver(() => {
    if (last === null) return;
    // What is disabled has the focus until it is drawn so.
    last.wasDisabled ||= last.element.matches(':disabled');
    if (isPlanned || document.activeElement !== document.body) return;
    isPlanned = true;
    setTimeout(goOn, PATIENCE_MS);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
