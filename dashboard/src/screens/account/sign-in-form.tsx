import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { session } from '../../auth/session.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { GatePage } from './gate-page.tsx';

interface SignInFormProps {
  /** Of the one person who may go on here; empty where anybody may sign in. */
  email: string;
  /** Why it is asked for, above the fields. */
  notice: string | null;
  /** The other ways, below the button. */
  children: ReactNode;
}

const REFUSED = {
  password: 'signIn.refused',
  code: 'signIn.codeRefused',
  recovery: 'signIn.recoveryRefused',
  blocked: 'signIn.blocked',
} as const;

/** Asks for address and password, then for the code of a second factor where there is one; begins the session. */
export function SignInForm({ email: known, notice, children }: SignInFormProps) {
  const { t } = useTranslation('account');
  const [asksCode, setAsksCode] = useState(false);
  const [usesRecovery, setUsesRecovery] = useState(false);

  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { email: known, password: '', code: '' },
    submit: async ({ email, password, code }) => {
      const body = { email, password, ...(asksCode ? { code: code.replaceAll(' ', '') } : {}) };
      try {
        return await api.post('/api/v1/auth/sign-in', { body });
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.code === 'SECOND_FACTOR_REQUIRED')) throw failure;
        if (asksCode) throw failure;
        setAsksCode(true);
        return null;
      }
    },
    onDone: (tokens) => tokens !== null && session.begin(tokens),
  });

  const isBlocked = error instanceof ApiError && error.code === 'FORBIDDEN';
  const asks = isBlocked ? 'blocked' : !asksCode ? 'password' : usesRecovery ? 'recovery' : 'code';
  // A refused password is no fault of the service: it gets words of its own.
  const isRefused =
    error instanceof ApiError &&
    ['UNAUTHENTICATED', 'SECOND_FACTOR_REQUIRED', 'FORBIDDEN'].includes(error.code);

  return (
    <GatePage
      title={asksCode ? t('signIn.secondFactor') : t('signIn.title')}
      lead={
        // Two lines, whatever it says: nothing moves when a password is refused.
        <div className="gate-lead">
          {isRefused ? (
            <Text role="alert" size="sm" c="var(--mantine-color-error)" fw={550}>
              {t(REFUSED[asks])}
            </Text>
          ) : asksCode ? (
            t(usesRecovery ? 'signIn.recoveryLead' : 'signIn.codeLead')
          ) : (
            t('signIn.lead')
          )}
        </div>
      }
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {notice !== null && !asksCode && (
            <Alert color="yellow" variant="light" icon={<IconShieldLock aria-hidden />}>
              {notice}
            </Alert>
          )}
          {error !== null && !isRefused && <ErrorAlert error={error} />}
          {asksCode ? (
            <>
              <TextInput
                key={String(usesRecovery)}
                label={t(usesRecovery ? 'signIn.recoveryCode' : 'signIn.code')}
                autoComplete="one-time-code"
                inputMode={usesRecovery ? 'text' : 'numeric'}
                data-autofocus
                autoFocus
                required
                withAsterisk={false}
                dir="ltr"
                {...form.getInputProps('code')}
              />
              <Button type="submit" loading={isBusy} fullWidth>
                {t('signIn.button')}
              </Button>
              <Button variant="subtle" onClick={() => setUsesRecovery(!usesRecovery)}>
                {t(usesRecovery ? 'signIn.useCode' : 'signIn.useRecovery')}
              </Button>
            </>
          ) : (
            <>
              <TextInput
                label={t('email')}
                type="email"
                autoComplete="username"
                required
                withAsterisk={false}
                autoFocus={known === ''}
                readOnly={known !== ''}
                {...form.getInputProps('email')}
              />
              <PasswordField
                label={t('password')}
                autoComplete="current-password"
                autoFocus={known !== ''}
                required
                withAsterisk={false}
                visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
                {...form.getInputProps('password')}
              />
              <Button type="submit" loading={isBusy} fullWidth>
                {t('signIn.button')}
              </Button>
              {children}
            </>
          )}
        </Stack>
      </form>
    </GatePage>
  );
}
