import { useNavigate, useSearch } from '@tanstack/react-router';

export type Filters = Record<string, string | undefined>;

const isCursor = (name: string): boolean => /cursor$/i.test(name);

/**
 * Filters in the address, so that a link shows the same picture. Setting one goes back to the first page (`usePaging`) and
 * replaces the entry of the history.
 */
export function useFilters(): [filters: Filters, set: (changes: Filters) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const set = (changes: Filters) =>
    void navigate({
      to: '.',
      search: (before: Filters) => ({
        ...Object.fromEntries(Object.entries(before).filter(([name]) => !isCursor(name))),
        ...changes,
      }),
      replace: true,
      resetScroll: false,
    });
  return [filters, set];
}
