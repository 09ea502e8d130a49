import { useLocation, useNavigate } from '@tanstack/react-router';
import { useFilters, type Filters } from './use-filters.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** Of each table, by its parameter: the cursors of the pages before this one, '' for the first. */
    trails?: Record<string, readonly string[]>;
  }
}

export interface Paging {
  cursor: string | undefined;
  /** Null where the way here is not known: somebody followed a link to a page. */
  pageNumber: number | null;
  toFirst: (() => void) | null;
  toPrevious: (() => void) | null;
  toNext: (cursor: string) => void;
}

const FIRST = '';

/**
 * The page of a list: its cursor is in the address, and the way back, as cursors lead forwards only, in the entry of the
 * history, so that it is there again after Back and after a reload. A filter begins at the first page (`useFilters`).
 * @param name of the cursor in the address, another for each table of a screen.
 */
export function usePaging(name: string): Paging {
  const [{ [name]: cursor }] = useFilters();
  const navigate = useNavigate();
  const known = useLocation({ select: ({ state }) => state.trails?.[name] });
  const trail = cursor === undefined ? [] : (known ?? []);
  const isWhole = cursor === undefined || trail[0] === FIRST;
  const goTo = (next: string, way: readonly string[]) =>
    void navigate({
      to: '.',
      search: (before: Filters) => ({ ...before, [name]: next === FIRST ? undefined : next }),
      state: (before) => ({ ...before, trails: { ...before.trails, [name]: way } }),
      replace: true,
      resetScroll: false,
    });
  const previous = trail.at(-1);
  return {
    cursor,
    pageNumber: isWhole ? trail.length + 1 : null,
    toFirst: cursor === undefined || previous === FIRST ? null : () => goTo(FIRST, []),
    toPrevious: previous === undefined ? null : () => goTo(previous, trail.slice(0, -1)),
    toNext: (next) => goTo(next, [...trail, cursor ?? FIRST]),
  };
}
