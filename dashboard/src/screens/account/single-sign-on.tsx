import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from '../../components/states.tsx';
import { GatePage } from './gate-page.tsx';
import { keptBegun, placeAt } from './next-place.ts';
import { singleSignOnOutcome, type Refusal } from './single-sign-on-outcome.ts';

/** Where the organization's provider leads back to: waits until the service has asked it who has come. */
export function Screen() {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let isGone = false;
    singleSignOnOutcome()
      .then((outcome) => {
        if (isGone) return;
        if (outcome.refusal === null) void navigate(placeAt(outcome.next));
        else setRefusal(outcome.refusal);
      })
      .catch((error: Error) => {
        if (!isGone) setFailure(error);
      });
    return () => {
      isGone = true;
    };
  }, [navigate]);
  return (
    <GatePage title={t('singleSignOn.title')}>
      {refusal === null && failure === null ? (
        <Text role="status">{t('singleSignOn.pending')}</Text>
      ) : (
        <Stack>
          {failure !== null && <ErrorAlert error={failure} retry={() => location.reload()} />}
          {refusal !== null && (
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertTriangle aria-hidden />}
              role="alert"
              title={t('singleSignOn.refused')}
            >
              {t(`singleSignOn.reasons.${refusal}`)}
            </Alert>
          )}
          <Button component={Link} to="/sign-in" search={keptBegun() as never}>
            {t('singleSignOn.back')}
          </Button>
        </Stack>
      )}
    </GatePage>
  );
}
