import { ActionIcon, Group, Select, Stack, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';

/** A text while it is written. */
export interface WrittenText {
  language: string;
  text: string;
}

type Texts = Readonly<Record<string, string>>;

/** Those of the consumer's page. */
export const CONSUMERS_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'ja',
  'zh',
  'ar',
] as const;

export const writtenTexts = (texts: Texts): WrittenText[] =>
  Object.entries(texts).map(([language, text]) => ({ language, text }));

/** As they are sent: without the empty ones. */
export const textsOf = (written: readonly WrittenText[]): Record<string, string> =>
  Object.fromEntries(
    written.map(({ language, text }) => [language, text.trim()] as const).filter(([, text]) => text !== ''),
  );

/** Says of texts those that are otherwise than what is written, each with its language. */
export function useOtherTexts(): (written: Texts, now: Texts) => string {
  const { i18n } = useTranslation();
  const { labelled, list } = useFormats();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  return (written, now) => {
    const others = Object.entries(now).filter(([language, text]) => written[language] !== text);
    return list(others.map(([language, text]) => labelled(names.of(language)!, text)));
  };
}

/** What consumers are told, a text for each language. */
export function TextsByLanguage({
  value,
  hint,
  error,
  maxLength,
  least,
  onChange,
  onBegin,
}: {
  value: readonly WrittenText[];
  hint: string;
  /** What is wrong with one of them. */
  error?: ReactNode;
  /** Characters of each. */
  maxLength: number;
  /** How many stay. */
  least: number;
  onChange: (texts: WrittenText[]) => void;
  /** Hears in which language somebody is about to write. */
  onBegin?: (language: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const add = useRef<HTMLInputElement>(null);
  const taken = new Set(value.map(({ language }) => language));
  const free = CONSUMERS_LANGUAGES.filter((code) => !taken.has(code));
  const change = (index: number, text: string) =>
    onChange(value.map((one, at) => (at === index ? { ...one, text } : one)));
  const remove = (index: number) => {
    // The next text takes the place of this one; after the last there is none, and what has to stay has no button.
    if (index === value.length - 1 || value.length - 1 === least) add.current?.focus();
    onChange(value.filter((_text, at) => at !== index));
  };
  return (
    <Stack gap="sm">
      {value.map(({ language, text }, index) => (
        // By its place, so that the focus stays where one is removed.
        <Group key={index} align="flex-start" wrap="nowrap" gap="xs">
          <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
            <Textarea
              label={t('messageIn', { language: names.of(language) })}
              {...(index === 0 ? { description: hint, error } : {})}
              autosize
              minRows={2}
              maxLength={maxLength}
              // Only Arabic of those that are offered here; the API takes others, whose letters say it.
              dir={language === 'ar' ? 'rtl' : 'auto'}
              value={text}
              onFocus={() => onBegin?.(language)}
              onChange={(event) => change(index, event.currentTarget.value)}
            />
          </Stack>
          {value.length > least && (
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={26}
              aria-label={t('removeMessage', { language: names.of(language) })}
              onClick={() => remove(index)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Group gap="xs">
        <Select
          ref={add}
          aria-label={t('addLanguage')}
          placeholder={t('addLanguage')}
          leftSection={<IconPlus size={14} aria-hidden />}
          w={230}
          value={null}
          data={free.map((code) => ({ value: code, label: names.of(code) ?? code }))}
          onChange={(code) => {
            if (code === null) return;
            onChange([...value, { language: code, text: '' }]);
            onBegin?.(code);
          }}
        />
      </Group>
    </Stack>
  );
}
