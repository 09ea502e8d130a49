import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Somebody else has saved the policy while it was changed here. */
export function Stale({ onLoad }: { onLoad: () => void }) {
  const { t } = useTranslation('risk-policy');
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={t('stale.title')}
      role="alert"
      variant="light"
      mt="sm"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('stale.advice')}</Text>
        <Button size="compact-sm" variant="default" onClick={onLoad}>
          {t('stale.load')}
        </Button>
      </Stack>
    </Alert>
  );
}
