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
import { useDeparture } from './use-departure.ts';

interface SignInFormProps {
  /** Of the one person who may go on here; empty where anybody may sign in. */
  email: string;
  /** Theirs, where it is known. */
  ownOrganizationId?: string;
  /** By whose provider, where somebody came by an organization's link. */
  organizationId?: string | undefined;
  /** Where they go on, if not on this screen. */
  next?: string | undefined;
  /** Why it is asked for, above the fields. */
  notice: string | null;
  /** The other ways, below the buttons. */
  children: ReactNode;
}

const REFUSED = {
  password: 'signIn.refused',
  code: 'signIn.codeRefused',
  recovery: 'signIn.recoveryRefused',
  blocked: 'signIn.blocked',
  required: 'signIn.singleSignOnRequired',
  nobody: 'signIn.singleSignOnNone',
  none: 'signIn.singleSignOnGone',
} as const;

const hasCode = (error: Error | null, ...codes: readonly string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

/**
 * Asks for address and password, then for the code of a second factor where there is one, and begins the session; or leads to the
 * provider of the address's organization.
 */
export function SignInForm({
  email: known,
  ownOrganizationId,
  organizationId,
  next,
  notice,
  children,
}: SignInFormProps) {
  const { t } = useTranslation('account');
  const [asksCode, setAsksCode] = useState(false);
  const [usesRecovery, setUsesRecovery] = useState(false);
  /** Who was refused a password. */
  const [required, setRequired] = useState({ email: '', organizationId: '' });
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { email: known, password: '', code: '' },
    submit: async ({ email, password, code }) => {
      const body = { email, password, ...(asksCode ? { code: code.replaceAll(' ', '') } : {}) };
      try {
        return await api.post('/api/v1/auth/sign-in', { body });
      } catch (failure) {
        // No code helps: the other way is beside the password.
        if (hasCode(failure as Error, 'SINGLE_SIGN_ON_REQUIRED')) {
          setAsksCode(false);
          setUsesRecovery(false);
          form.setFieldValue('code', '');
          setRequired({ email, organizationId: (failure as ApiError).organizationId ?? '' });
        }
        if (!hasCode(failure as Error, 'SECOND_FACTOR_REQUIRED') || asksCode) throw failure;
        setAsksCode(true);
        return null;
      }
    },
    onDone: (tokens) => tokens !== null && session.begin(tokens),
  });

  const departure = useDeparture({
    next,
    isKept: known !== '',
    onWrong: (words) => form.setFieldError('email', words),
  });
  /** The address may be of a domain that the organization has not shown to hold. */
  const destination = () => {
    const { email } = form.getValues();
    const led =
      required.email !== '' && required.email === email
        ? required.organizationId
        : (ownOrganizationId ?? organizationId);
    return led === undefined || led === '' ? { email } : { organizationId: led };
  };
  const isNobody = hasCode(departure.error, 'NOT_FOUND');
  const isRequired = hasCode(error, 'SINGLE_SIGN_ON_REQUIRED');
  // A refused password is no fault of the service: it gets words of its own.
  const isRefused = isRequired || hasCode(error, 'UNAUTHENTICATED', 'SECOND_FACTOR_REQUIRED', 'FORBIDDEN');
  const entered = !asksCode ? 'password' : usesRecovery ? 'recovery' : 'code';
  const isLed = isRequired || organizationId !== undefined;
  const asks = isRequired ? 'required' : hasCode(error, 'FORBIDDEN') ? 'blocked' : entered;

  return (
    <GatePage
      title={asksCode ? t('signIn.secondFactor') : t('signIn.title')}
      lead={
        // Two lines, whatever it says: nothing moves when a password is refused.
        <div className="gate-lead">
          {isRefused || isNobody ? (
            <Text role="alert" size="sm" c="var(--mantine-color-error)" fw={550}>
              {t(REFUSED[isNobody ? ('email' in destination() ? 'nobody' : 'none') : asks])}
            </Text>
          ) : asksCode ? (
            t(usesRecovery ? 'signIn.recoveryLead' : 'signIn.codeLead')
          ) : (
            t(organizationId === undefined ? 'signIn.lead' : 'signIn.linked')
          )}
        </div>
      }
    >
      <form
        onSubmit={(event) => {
          departure.forget();
          onSubmit(event);
        }}
        noValidate
      >
        <Stack>
          {notice !== null && !asksCode && (
            <Alert color="yellow" variant="light" icon={<IconShieldLock aria-hidden />}>
              {notice}
            </Alert>
          )}
          {error !== null && !isRefused && <ErrorAlert error={error} />}
          {departure.error !== null && !isNobody && <ErrorAlert error={departure.error} />}
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
                autoFocus={known === '' && !isLed}
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
              <Button type="submit" loading={isBusy} fullWidth variant={isLed ? 'default' : 'filled'}>
                {t('signIn.button')}
              </Button>
              <Button
                variant={isLed ? 'filled' : 'default'}
                autoFocus={organizationId !== undefined}
                loading={departure.isLeaving}
                onClick={() => void departure.leave(destination())}
                fullWidth
              >
                {t('signIn.singleSignOn')}
              </Button>
              {children}
            </>
          )}
        </Stack>
      </form>
    </GatePage>
  );
}
