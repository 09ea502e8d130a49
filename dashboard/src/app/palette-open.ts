/** Whether somebody is in the command palette: a screen that comes meanwhile leaves the focus there. */
let isOpen = false;

export const isPaletteOpen = (): boolean => isOpen;

export function setPaletteOpen(value: boolean): void {
  isOpen = value;
}
