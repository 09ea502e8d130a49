import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { stateOf, type Recall } from './target.tsx';

/**
 * The recall that a target has already. One in force is left as it is by whoever recalls the target again.
 * @param isAnswer somebody has just recalled the target, and this is what is in force instead: it takes the focus
 * @param hasWritten something is written on the screen that consumers are not told
 */
export function Existing({
  recall,
  isAnswer,
  hasWritten,
}: {
  recall: Recall;
  isAnswer: boolean;
  hasWritten: boolean;
}) {
  const { t } = useTranslation('recalls');
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAnswer) alert.current?.focus();
  }, [isAnswer]);
  const state = stateOf(recall) === 'planned' ? 'planned' : 'inForce';
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      role="alert"
      variant="light"
      color={state === 'planned' ? 'blue' : 'red'}
      icon={<IconAlertOctagon aria-hidden />}
      title={t(`existing.${state}.title`)}
    >
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {t(`existing.${state}.text`)}
          {state === 'inForce' && hasWritten && ` ${t('existing.unsent')}`}
        </Text>
        <Anchor component={Link} to={`/recalls/${recall.id}`} size="sm">
          {t(`existing.${state}.see`)}
        </Anchor>
      </Stack>
    </Alert>
  );
}
