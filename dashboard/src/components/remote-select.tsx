/** One of many, found on the server while one types. */
import { ComboboxChevron, InputBase, type SelectProps } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { ApiError } from '../api/errors.ts';
import { enterStays } from './enter-stays.ts';

export interface RemoteOption {
  value: string;
  label: string;
}

/** What there is to choose from. */
export interface Source {
  /** Whose changes make the answers stale. */
  path: string;
  /** Of this source among those of the path. */
  id: string;
  /** @param search what was typed, if anything. */
  find(search: string | undefined): Promise<RemoteOption[]>;
  /** The words for a value, which may not be among what is found. */
  name(value: string): Promise<RemoteOption>;
}

const STALE_MS = 60_000;

/** Asks for what is found. A text that the service takes for no search, as one that is too long, is the name of nothing. */
export const optionsQuery = ({ path, id, find }: Source, search: string | undefined) => ({
  queryKey: [path, 'options', id, search],
  queryFn: () =>
    find(search).catch((error: unknown): RemoteOption[] => {
      if (search !== undefined && error instanceof ApiError && error.code === 'VALIDATION_FAILED') return [];
      throw error;
    }),
  placeholderData: keepPreviousData,
});

/** Asks for the words for a value. */
export const nameQuery = ({ path, id, name }: Source, value: string) => ({
  queryKey: [path, 'name', id, value],
  queryFn: () => name(value),
  enabled: value !== '',
  staleTime: STALE_MS,
});

/** @returns who is chosen, by id where the name cannot be read; undefined for nobody, and while it is asked for. */
export function useChosen(source: Source, value: string): RemoteOption | undefined {
  const { data, isError } = useQuery(nameQuery(source, value));
  if (value === '') return undefined;
  return isError ? { value, label: value } : data;
}

export interface RemoteSelectProps extends Pick<
  SelectProps,
  | 'aria-label'
  | 'clearable'
  | 'description'
  | 'disabled'
  | 'error'
  | 'label'
  | 'onBlur'
  | 'onFocus'
  | 'placeholder'
  | 'readOnly'
  | 'required'
  | 'size'
  | 'w'
> {
  source: Source;
  /** '' for none. */
  value?: string;
  onChange: (value: string) => void;
  /** The words for none chosen, as the first option: "All products". */
  all?: string;
}

/** How the field was left when its list came. */
export interface Left {
  /** What was typed meanwhile; null for nothing. */
  text: string | null;
  hasFocus: boolean;
}

const load = () => import('./remote-select-drawn.tsx');

/** The list, and all that places it, is loaded when somebody reaches for the field; what is typed meanwhile counts. */
export function RemoteSelect(props: RemoteSelectProps) {
  const { source, value = '', all = '', onFocus, onChange, clearable = false, ...field } = props;
  const chosen = useChosen(source, value);
  const [typed, setTyped] = useState<string | null>(null);
  const [Drawn, setDrawn] = useState<Awaited<ReturnType<typeof load>>['DrawnRemoteSelect'] | null>(null);
  const left = useRef<Left>({ text: null, hasFocus: false });
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  if (Drawn !== null) return <Drawn {...props} left={left.current} />;
  const reach = async () => {
    const { DrawnRemoteSelect } = await load();
    left.current.hasFocus = document.activeElement === input.current;
    setDrawn(() => DrawnRemoteSelect);
  };
  return (
    <InputBase
      {...field}
      ref={input}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls={listId}
      autoComplete="off"
      rightSection={<ComboboxChevron size={field.size} error={field.error} />}
      rightSectionPointerEvents="none"
      value={typed ?? chosen?.label ?? all}
      onChange={(event) => {
        left.current.text = event.currentTarget.value;
        setTyped(event.currentTarget.value);
        if (clearable && event.currentTarget.value === '') onChange('');
      }}
      onKeyDown={enterStays(typed !== null)}
      onPointerEnter={() => void load().catch(() => undefined)}
      onFocus={(event) => {
        onFocus?.(event);
        // Reached for again, it is asked for again.
        reach().catch(() => undefined);
      }}
    />
  );
}
