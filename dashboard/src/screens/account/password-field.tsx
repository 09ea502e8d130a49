import type { PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../components/password-field.tsx';

/** A password to choose; the service says what is wrong with one. */
export function NewPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('account');
  return (
    <PasswordField
      label={t('newPassword')}
      description={t('passwordRule')}
      autoComplete="new-password"
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      {...props}
    />
  );
}
