import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** How the consumer's page tells of it. */
export function AsConsumersSee({
  messages,
  contact,
  pageUrl,
  isOver = false,
}: {
  messages: Readonly<Record<string, string>>;
  contact: string | null;
  pageUrl?: string | undefined;
  /** It was lifted: nobody sees that any more. */
  isOver?: boolean;
}) {
  const { t, i18n } = useTranslation('recalls');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const entries = Object.entries(messages).filter(([, text]) => text.trim() !== '');
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb={4}>
        {t(isOver ? 'consumersSaw' : 'consumers')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t(isOver ? 'consumersSawLead' : 'consumersLead')}
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
        <Group mt="md" gap="xs">
          <Button
            variant="default"
            component="a"
            href={pageUrl}
            target="_blank"
            rel="noreferrer noopener"
            aria-describedby="recall-page-hint"
          >
            {t('openPage')}
          </Button>
          <Text span size="xs" c="dimmed" id="recall-page-hint">
            {t('openPageHint')}
          </Text>
        </Group>
      )}
    </Paper>
  );
}
