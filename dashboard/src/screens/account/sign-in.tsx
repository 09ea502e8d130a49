import { Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../auth/me.ts';
import { isSignUpOpen } from '../../auth/sign-up-open.ts';
import { TextLink } from './gate-page.tsx';
import { placeAt } from './next-place.ts';
import { SignInForm } from './sign-in-form.tsx';

export function Screen() {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const { next, ended, organization } = useSearch({ strict: false }) as {
    next?: string;
    ended?: string;
    /** By its link, `/sso/org_…`. */
    organization?: string;
  };
  const state = useSession();
  // Also where another tab signs in.
  useEffect(() => {
    if (state.status === 'signed-in') void navigate(placeAt(next));
  }, [state, navigate, next]);

  return (
    <SignInForm
      email=""
      organizationId={organization}
      next={next}
      notice={ended === undefined ? null : t('signIn.ended')}
    >
      <Text size="sm">
        <TextLink to="/forgot-password">{t('signIn.forgotten')}</TextLink>
      </Text>
      {isSignUpOpen && (
        <Text size="sm" c="dimmed">
          {t('signIn.new')} <TextLink to="/sign-up">{t('signIn.signUp')}</TextLink>
        </Text>
      )}
    </SignInForm>
  );
}
