import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PAUSE_MS = 250;

interface SearchFieldProps {
  value: string;
  /** Called when the typing pauses. */
  onChange: (value: string) => void;
  label: string;
}

/** Text that filters a list while one types. */
export function SearchField({ value, onChange, label }: SearchFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const told = useRef(value);
  const settle = useDebouncedCallback((next: string) => {
    told.current = next;
    onChange(next);
  }, PAUSE_MS);
  // The address changed by itself: back, or a link. What was told from here comes back without the space at its end, and late.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    settle.cancel();
    setText(value);
  }, [value, settle]);
  const type = (next: string) => {
    setText(next);
    settle(next.trim());
  };
  // The button goes with the text.
  const clear = () => {
    type('');
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label={t('clear')} onClick={clear} />}
      w={{ base: '100%', xs: 280 }}
    />
  );
}
