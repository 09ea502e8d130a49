import { Alert, Button, Stack } from '@mantine/core';
import { IconCircleCheck, IconMailOpened } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';

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

/** Whether a form behind a mail's link failed for the link's sake: nothing that is typed into it helps. */
export const isUsedLink = (error: Error | null): boolean =>
  error instanceof ApiError && error.fields.some(({ code }) => code === 'LINK_NOT_VALID');

interface UsedLinkProps {
  /** What is the matter, where it is something else. */
  title?: string;
  text: string;
  again?: { to: string; label: string };
}

/** A link that was used or is too old, and the way to what it was for. */
export function UsedLink({ title, text, again }: UsedLinkProps) {
  const { t } = useTranslation('account');
  return (
    <Stack>
      <Alert color="red" variant="light" role="alert" title={title ?? t('usedLink')}>
        {text}
      </Alert>
      {again !== undefined && (
        <Button component={Link} to={again.to}>
          {again.label}
        </Button>
      )}
      <Button component={Link} to="/sign-in" variant="default">
        {t('toSignIn')}
      </Button>
    </Stack>
  );
}
