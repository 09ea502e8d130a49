/** Paper is white: who reads in the dark prints what they would see in the light. */
const SCHEME = 'data-mantine-color-scheme';

let isBetween = false;

/** From the moment on that a browser begins to print, whatever media it says it has by then. */
export const isPrinting = (): boolean => isBetween || matchMedia('print').matches;

export function printInLight(): void {
  const { documentElement: root } = document;
  let own: string | null = null;
  window.addEventListener('beforeprint', () => {
    isBetween = true;
    own ??= root.getAttribute(SCHEME);
    root.setAttribute(SCHEME, 'light');
  });
  window.addEventListener('afterprint', () => {
    isBetween = false;
    if (own !== null) root.setAttribute(SCHEME, own);
    own = null;
  });
}
