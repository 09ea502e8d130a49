import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightFilterFunction,
  useSpotlight,
} from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../auth/me.ts';
import { errorWords } from '../components/states.tsx';
import { useHeld } from '../components/use-held.ts';
import { placeOf, useFound } from './found.ts';
import { navEntries, paletteEntries } from './navigation.ts';
import { setPaletteOpen } from './palette-open.ts';
import { useToldSelection } from './use-told-selection.ts';

const [store, palette] = createSpotlight();

const FOUND = 'found:';

const selectedEntry = () => document.querySelector('[data-action][data-selected]');
const firstEntry = () => document.querySelector<HTMLElement>('[data-action]');

/** Places and actions that have every typed word; what the service found is as it should be. */
const filterActions: SpotlightFilterFunction = (query, groups) => {
  const words = query.trim().toLowerCase().split(/\s+/);
  return groups.flatMap((group) => {
    if (!('actions' in group)) return [];
    const actions = group.actions.filter(({ id, label, keywords }) => {
      const text = `${label} ${String(keywords ?? '')}`.toLowerCase();
      return id.startsWith(FOUND) || words.every((word) => text.includes(word));
    });
    return actions.length === 0 ? [] : [{ group: group.group, actions }];
  });
};

/**
 * Every place and every common action, and whatever has a name or an id, found by typing.
 *
 * It stays when it is closed, so that who leaves it by Escape is back where they were. Who chose an entry is not: the screen
 * that comes has the focus.
 * @param opening how often it was asked for; a further time opens it again
 */
export function Palette({ opening }: { opening: number }) {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { hits: newest, isSearching, error } = useFound(query);
  const [hits, hold] = useHeld(newest);
  const { opened } = useSpotlight(store);
  const selection = useToldSelection(opened);
  // Where the focus goes back to; nowhere once an entry is chosen. Mantine's own return of it may come after the screen.
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const here = document.activeElement;
    // Nor back into the palette, where it was opened again while it was closing.
    if (!store.getState().opened) before.current = here?.closest('[role=dialog]') ? null : here;
    palette.open();
    // Its count is all that is new when it is asked for again.
  }, [opening]); // eslint-disable-line
  // Typing selects the first entry that is there; where the first ones come later, the first of them.
  useEffect(() => {
    if (hits.length === 0 || selectedEntry() !== null) return;
    firstEntry()?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [hits]);

  const go = (target: { to: string; search?: Record<string, string> }) => {
    before.current = null;
    void navigate(target as never);
  };
  const places = navEntries(me).map(({ to, label, area, icon: Icon }): SpotlightActionData => ({
    id: `go:${to}`,
    label: t(`${area}.${label}`, { ns: 'labels' }),
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    onClick: () => go({ to }),
  }));
  const actions = paletteEntries(me).map(
    ({ id, to, search, label, area, icon: Icon, keywords }): SpotlightActionData => {
      const action: SpotlightActionData = {
        id: `${area}:${id}`,
        label: t(`${area}.${label}`, { ns: 'labels' }),
        leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
        onClick: () => go({ to, ...(search && { search }) }),
      };
      if (keywords !== undefined) action.keywords = t(`${area}.${keywords}`, { ns: 'labels' });
      return action;
    },
  );
  const found = hits.flatMap((hit): SpotlightActionData[] => {
    const place = placeOf(hit);
    if (place === null) return [];
    const { to, icon: Icon } = place;
    return [
      {
        id: `${FOUND}${hit.id}`,
        label: hit.title,
        description: [t(`palette.kinds.${hit.type}`), hit.subtitle].filter(Boolean).join(' · '),
        leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
        onClick: () => go({ to }),
      },
    ];
  });
  const groups = [
    { group: t('palette.actions'), actions },
    { group: t('palette.places'), actions: places },
    { group: t('palette.found'), actions: found },
  ].filter((group) => group.actions.length > 0);
  return (
    <Spotlight
      query={query}
      onQueryChange={setQuery}
      filter={filterActions}
      store={store}
      attributes={{ content: { 'aria-label': t('palette.open'), ...hold } }}
      shortcut={null}
      returnFocus={false}
      onSpotlightOpen={() => setPaletteOpen(true)}
      onSpotlightClose={() => {
        setPaletteOpen(false);
        if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
      }}
      actions={groups.map(({ group, actions: own }) => ({
        group,
        actions: own.map((entry) => ({ ...entry, role: 'option' })),
      }))}
      scrollAreaProps={{ role: 'listbox', 'aria-label': t('palette.open') }}
      nothingFound={
        <span aria-live="polite">
          {error === null
            ? t(isSearching ? 'palette.searching' : 'palette.nothing')
            : errorWords(error, t).title}
        </span>
      }
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        ...selection,
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
        // The list is drawn anew by a turned phone or another scheme and forgets its selection: Enter is for the first then.
        onKeyDown: (event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing && selectedEntry() === null)
            firstEntry()?.click();
        },
      }}
    />
  );
}
