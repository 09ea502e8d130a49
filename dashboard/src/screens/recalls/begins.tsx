import { Paper, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { instantAt } from '../../i18n/zone-days.ts';

const isToCome = (at: Date): boolean => at.getTime() > Date.now();

/** When a recall is to begin, while it is typed by the organization's clock. */
export function useBegins() {
  const { t } = useTranslation();
  const { timeZone } = useFormats();
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const at = instantAt(value, timeZone);
  /** A date without its hour has no value, and is not "at once". */
  const problem = (): string | null => {
    const isHalf = input.current?.validity.badInput === true;
    if (value === '' && !isHalf) return null;
    if (at === null) return t('refused.NOT_A_TIME');
    return isToCome(at) ? null : t('refused.NOT_IN_FUTURE');
  };
  return {
    /** Null for at once. */
    startsAt: at?.toISOString() ?? null,
    isTyped: value !== '',
    /** @returns whether it may be gone on; where not, why is said at the field, which has the focus. */
    check(): boolean {
      const found = problem();
      setError(found);
      if (found !== null) input.current?.focus();
      return found === null;
    },
    field: {
      ref: input,
      value,
      error,
      timeZone,
      onChange(text: string) {
        setValue(text);
        setError(null);
      },
    },
  };
}

export function Begins({ ref, value, error, timeZone, onChange }: ReturnType<typeof useBegins>['field']) {
  const { t } = useTranslation('recalls');
  return (
    <Paper p="lg">
      <TextInput
        ref={ref}
        type="datetime-local"
        max="9999-12-31T23:59"
        label={t('begins')}
        description={t('beginsHint', { zone: timeZone })}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        maw={320}
      />
    </Paper>
  );
}
