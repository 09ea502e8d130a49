import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { Done, IncompleteLink, isUsedLink, UsedLink } from './done.tsx';
import { GatePage } from './gate-page.tsx';
import { useLink } from './link-token.ts';

/** Behind the link of the sign-up's mail. A person presses the button, so that a scanner that follows links uses nothing up. */
export function Screen() {
  const { t } = useTranslation('account');
  const { token, isOver } = useLink('sign-up');
  const [isDone, setDone] = useState(false);
  const { onSubmit, isBusy, error } = useApiForm({
    initialValues: {},
    submit: () =>
      api.post('/sign-up/verify', {
        // Days and hours are those of whoever signs up; the settings change it.
        body: { token: token!, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
      }),
    onDone: () => setDone(true),
  });
  const isUsed = !isDone && (isOver || isUsedLink(error));
  return (
    <GatePage
      title={t('verify.title')}
      {...(isDone || token === null || isUsed ? {} : { lead: t('verify.lead') })}
    >
      {token === null ? (
        <IncompleteLink />
      ) : isUsed ? (
        <UsedLink text={t('verify.used')} again={{ to: '/sign-up', label: t('verify.again') }} />
      ) : isDone ? (
        <Done text={t('verify.done')} />
      ) : (
        <form onSubmit={onSubmit}>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <Button type="submit" loading={isBusy} fullWidth autoFocus>
              {t('verify.button')}
            </Button>
          </Stack>
        </form>
      )}
    </GatePage>
  );
}
