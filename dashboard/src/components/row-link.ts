import type { MouseEvent } from 'react';

/** A link or button in the row is not the row. */
const isOfItsOwn = ({ target }: MouseEvent): boolean => (target as Element).closest('a,button') !== null;

/** In a tab of its own, as the link in the row's first cell would be. */
const openBeside = ({ currentTarget }: MouseEvent): void =>
  void window.open(currentTarget.querySelector('a')!.href, '_blank', 'noopener');

/**
 * For a row of a table that opens something.
 * @param hasLink whether its first cell is a link to the same; with it, Ctrl, ⌘ and the wheel open it as they open links
 */
export const opens = (open: () => void, hasLink: boolean) => ({
  'data-link': true,
  onClick: (event: MouseEvent) => {
    // Nor is marked text.
    if (isOfItsOwn(event) || getSelection()?.toString()) return;
    if (hasLink && (event.ctrlKey || event.metaKey)) openBeside(event);
    else open();
  },
  onAuxClick: (event: MouseEvent) => {
    if (hasLink && event.button === 1 && !isOfItsOwn(event)) openBeside(event);
  },
});
