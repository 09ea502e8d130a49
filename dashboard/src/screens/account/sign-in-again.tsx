import { Anchor, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../auth/me.ts';
import { session } from '../../auth/session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Over the screen of somebody whose session has ended: they alone go on with it. */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation('account');
  const me = useMe()!;
  return (
    <SignInForm email={email} ownOrganizationId={me.organization.id} notice={t('signIn.kept')}>
      <Text size="sm">
        {/* In a tab of its own: this one keeps what was typed. */}
        <Anchor href={`${import.meta.env.BASE_URL}forgot-password`} target="_blank" fw={550}>
          {t('signIn.forgotten')}
        </Anchor>
      </Text>
      <Button variant="subtle" onClick={session.giveUp}>
        {t('signIn.other')}
      </Button>
    </SignInForm>
  );
}
