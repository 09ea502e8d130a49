import { Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What address the codes carry that are made now; the operator decides about it, who has the certificate. */
export function CodesUrlCard({ url }: { url: string }) {
  const { t } = useTranslation('settings');
  return (
    <Paper p="lg" component="section" aria-labelledby="codes-url-title">
      <Stack>
        <Title order={2} size="h4" id="codes-url-title">
          {t('codesUrl.title')}
        </Title>
        <Text size="sm">{t('codesUrl.lead')}</Text>
        <Text className="mono" dir="ltr">
          {url}
        </Text>
        <Text size="sm" c="dimmed">
          {t('codesUrl.own')}
        </Text>
      </Stack>
    </Paper>
  );
}
