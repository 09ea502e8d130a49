import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { enterStays } from './enter-stays.ts';
import { errorWords } from './states.tsx';
import { optionsQuery, useChosen, type Left, type RemoteSelectProps } from './remote-select.tsx';
import { useHeld } from './use-held.ts';

const PAUSE_MS = 200;
/** No value of any source. */
const NOT_READ = ' ';

export function DrawnRemoteSelect({
  source,
  value = '',
  onChange,
  all,
  clearable = false,
  left,
  ...props
}: RemoteSelectProps & { left: Left }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const chosen = useChosen(source, value);
  const [text, setText] = useState(left.text ?? chosen?.label ?? all ?? '');
  const [settled] = useDebouncedValue(text.trim(), PAUSE_MS);
  // What the field shows is no search: opening shows the newest again.
  const isSearch = settled !== '' && settled !== all && settled !== chosen?.label;
  const search = isSearch ? settled : undefined;
  const { data: found = [], isFetching, error: failure, refetch } = useQuery(optionsQuery(source, search));
  const [options, hold] = useHeld(found);
  const isListed = chosen === undefined || options.some((option) => option.value === chosen.value);
  const isFound = isSearch && !isFetching && failure === null && settled === text.trim();
  useEffect(() => {
    // Mantine's own first effect, which ran before this one, empties the text of a field without a value.
    if (left.text !== null) setText(left.text);
  }, [left]);
  // Before the next key, which would be nobody's.
  useLayoutEffect(() => {
    if (!left.hasFocus) return;
    input.current?.focus();
    // What is typed takes the place of what was chosen.
    if (left.text === null) input.current?.select();
  }, [left]);
  return (
    <Select
      {...props}
      ref={input}
      clearable={clearable}
      searchable
      // A refused field gets the focus so that one reads why: a list would lie over that.
      openOnFocus={!props.error}
      allowDeselect={all === undefined}
      data={[
        ...(all === undefined ? [] : [{ value: '', label: all }]),
        ...(isListed ? [] : [chosen]),
        ...options,
        // Nobody knows whether there is any.
        ...(failure === null
          ? []
          : [{ value: NOT_READ, label: errorWords(failure, t).title, disabled: true }]),
      ]}
      // Reached for again, it is asked for again.
      onDropdownOpen={() => failure !== null && void refetch()}
      scrollAreaProps={hold}
      // The service has searched.
      filter={({ options: offered }) => offered}
      // Enter takes the first that was found, never one of an earlier search.
      selectFirstOptionOnChange={isFound && all === undefined}
      onKeyDown={enterStays(text.trim() !== (chosen?.label ?? '') && text.trim() !== (all ?? ''))}
      value={all === undefined ? value || null : value}
      onChange={(next) => onChange(next ?? '')}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={isFetching ? t('loading') : isSearch ? t('palette.nothing') : undefined}
      // As the button does, which the keyboard does not reach.
      onInput={(event) => clearable && event.currentTarget.value === '' && onChange('')}
      clearButtonProps={{ 'aria-label': t('clear') }}
      {...(isFetching && isSearch ? { rightSection: <Loader size={14} /> } : {})}
    />
  );
}
