import { Alert, Button, Stack } from '@mantine/core';
import { IconCircleCheck, IconMailOpened } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** What was achieved, and the way on. @param isMail where the next step is in a mail. */
export function Done({ text, isMail = false }: { text: string; isMail?: boolean }) {
  const { t } = useTranslation('account');
  const Icon = isMail ? IconMailOpened : IconCircleCheck;
  return (
    <Stack role="status">
      <Alert color={isMail ? 'blue' : 'green'} variant="light" icon={<Icon aria-hidden />}>
        {text}
      </Alert>
      <Button component={Link} to="/sign-in" variant={isMail ? 'default' : 'filled'}>
        {t('toSignIn')}
      </Button>
    </Stack>
  );
}

/** A link that lost its token on the way. */
export function IncompleteLink() {
  const { t } = useTranslation('account');
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert">
        {t('incompleteLink')}
      </Alert>
      <Button component={Link} to="/sign-in" variant="default">
        {t('toSignIn')}
      </Button>
    </Stack>
  );
}
