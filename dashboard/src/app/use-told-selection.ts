import { useEffect, useState } from 'react';

/**
 * Mantine's palette marks its selected entry for the eye alone. This tells a reader of the screen as well, which hears of a list
 * what its field names as active (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 * @returns for the field
 */
export function useToldSelection(isOpen: boolean) {
  const [told, tell] = useState<{ list?: string | undefined; entry?: string | undefined }>({});
  useEffect(() => {
    if (!isOpen) return undefined;
    const look = () => {
      const entries = [...document.querySelectorAll<HTMLElement>('[data-action]')];
      for (const [index, entry] of entries.entries()) {
        entry.id = `palette-entry-${index}`;
        entry.ariaSelected = String(entry.hasAttribute('data-selected'));
      }
      const list = entries[0]?.closest('[role=listbox]')?.id;
      const entry = entries.find(({ ariaSelected }) => ariaSelected === 'true')?.id;
      tell((before) => (before.list === list && before.entry === entry ? before : { list, entry }));
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-selected'] });
    return () => observer.disconnect();
  }, [isOpen]);
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': told.list !== undefined,
    'aria-controls': told.list,
    'aria-activedescendant': told.entry,
  } as const;
}
