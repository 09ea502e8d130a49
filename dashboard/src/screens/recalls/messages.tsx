import { ActionIcon, Button, Group, Paper, Select, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconAlertOctagon, IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface Message {
  language: string;
  text: string;
}

/** Those of the consumer's page. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ja', 'zh', 'ar'];

/** What consumers are told, a text for each language. */
export function Messages({
  value,
  error,
  onChange,
}: {
  value: readonly Message[];
  /** What is wrong with one of them. */
  error?: ReactNode;
  onChange: (messages: Message[]) => void;
}) {
  const { t, i18n } = useTranslation('recalls');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const add = useRef<HTMLInputElement>(null);
  const taken = new Set(value.map(({ language }) => language));
  const free = LANGUAGES.filter((code) => !taken.has(code));
  const change = (index: number, next: Partial<Message>) =>
    onChange(value.map((message, at) => (at === index ? { ...message, ...next } : message)));
  const remove = (index: number) => {
    // The next message takes the place of this one; after the last there is none, and what is left alone stays.
    if (index === value.length - 1 || value.length === 2) add.current?.focus();
    onChange(value.filter((_message, at) => at !== index));
  };
  return (
    <Stack gap="sm">
      {value.map(({ language, text }, index) => (
        // By its place, so that the focus stays where one is removed.
        <Group key={index} align="flex-start" wrap="nowrap" gap="xs">
          <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
            <Textarea
              label={t('messageIn', { language: names.of(language) })}
              {...(index === 0 ? { description: t('messageHint'), error } : {})}
              autosize
              minRows={2}
              maxLength={1000}
              dir={language === 'ar' ? 'rtl' : 'ltr'}
              value={text}
              onChange={(event) => change(index, { text: event.currentTarget.value })}
            />
          </Stack>
          {value.length > 1 && (
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
          onChange={(code) => code !== null && onChange([...value, { language: code, text: '' }])}
        />
      </Group>
    </Stack>
  );
}

/** How the consumer's page tells of it. */
export function AsConsumersSee({
  messages,
  contact,
  pageUrl,
}: {
  messages: Readonly<Record<string, string>>;
  contact: string | null;
  pageUrl?: string | undefined;
}) {
  const { t, i18n } = useTranslation('recalls');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const entries = Object.entries(messages).filter(([, text]) => text.trim() !== '');
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb={4}>
        {t('consumers')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('consumersLead')}
      </Text>
      <Paper withBorder p="md" maw={420}>
        <Group gap="xs" wrap="nowrap" mb={6}>
          <IconAlertOctagon size={20} aria-hidden color="light-dark(#a3211a, #ffa79c)" />
          <Text fw={650}>{t('consumerTitle')}</Text>
        </Group>
        <Stack gap="xs">
          {entries.length === 0 && <Text size="sm">{t('consumerDefault')}</Text>}
          {entries.map(([language, text]) => (
            <div key={language}>
              <Text size="xs" c="dimmed">
                {names.of(language)}
              </Text>
              <Text size="sm" dir="auto" lang={language} style={{ whiteSpace: 'pre-wrap' }}>
                {text}
              </Text>
            </div>
          ))}
          {contact !== null && contact !== '' && (
            <Text size="sm" dir="auto">
              {t('contactLine', { contact })}
            </Text>
          )}
        </Stack>
      </Paper>
      {pageUrl !== undefined && (
        <Button
          mt="md"
          variant="default"
          component="a"
          href={pageUrl}
          target="_blank"
          rel="noreferrer noopener"
        >
          {t('openPage')}
        </Button>
      )}
    </Paper>
  );
}
