import { Alert, Button, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useChange } from '../../api/use-api.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';

type Provider = NonNullable<Schemas['SingleSignOn']['provider']>;
type NewcomerRole = NonNullable<Provider['newcomerRole']>;

const PATH = '/api/v1/organization/single-sign-on';
const NEWCOMER_ROLES: readonly NewcomerRole[] = ['viewer', 'analyst', 'administrator'];

interface ProviderFormProps {
  /** As it is; null for the first. */
  provider: Provider | null;
  /** Also where nothing was changed. */
  onDone: () => void;
}

const valuesOf = (provider: Provider | null) => ({
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  clientSecret: '',
  newcomerRole: (provider?.newcomerRole ?? '') as NewcomerRole | '',
  required: provider?.required ?? false,
});

/** Names the provider, or another; says what ends with it beforehand. */
export function ProviderForm({ provider: latest, onDone }: ProviderFormProps) {
  const { t } = useTranslation('settings');
  // What is typed is about this one, whatever somebody else makes of it meanwhile.
  const [provider, setProvider] = useState(latest);
  const put = useChange((body: BodyOf<typeof PATH, 'put'>) => api.put(PATH, { body }), [PATH]);
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(provider),
    submit: ({ clientSecret, newcomerRole, ...others }) =>
      put.mutateAsync({
        ...others,
        ...(clientSecret === '' ? {} : { clientSecret }),
        newcomerRole: newcomerRole || null,
        expectedUpdatedAt: provider?.updatedAt ?? null,
      }),
    onDone,
    renew: async () => {
      const now = (await api.get(PATH, {})).provider;
      setProvider(now);
      return valuesOf(now);
    },
  });
  const { issuer, clientId, required } = form.values;
  const isAnother = provider !== null && (issuer !== provider.issuer || clientId !== provider.clientId);
  const isNewlyRequired = required && provider?.required !== true;
  return (
    <form onSubmit={onSubmit} noValidate autoComplete="off">
      <Unsaved when={isUnsaved} />
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <TextInput
          label={t('singleSignOn.issuer')}
          description={t('singleSignOn.issuerHint')}
          placeholder="https://login.example.com"
          dir="ltr"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('issuer')}
        />
        <TextInput
          label={t('singleSignOn.clientId')}
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('clientId')}
        />
        <PasswordField
          label={t('singleSignOn.clientSecret')}
          description={t(
            provider === null || isAnother ? 'singleSignOn.secretHint' : 'singleSignOn.secretKept',
          )}
          // Or browsers fill in the password that they keep of whoever signs in here, which would be saved.
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('singleSignOn.showSecret') }}
          {...form.getInputProps('clientSecret')}
        />
        <NativeSelect
          label={t('singleSignOn.newcomers')}
          description={t('singleSignOn.newcomersHint')}
          data={[
            { value: '', label: t('singleSignOn.nobody') },
            ...NEWCOMER_ROLES.map((value) => ({ value, label: t(`roles.${value}`, { ns: 'common' }) })),
          ]}
          {...form.getInputProps('newcomerRole')}
        />
        <Switch
          label={t('singleSignOn.required')}
          description={t('singleSignOn.requiredHint')}
          {...form.getInputProps('required', { type: 'checkbox' })}
        />
        {isAnother && <Warning text={t('singleSignOn.changeWarning')} />}
        {isNewlyRequired && <Warning text={t('singleSignOn.requiredWarning')} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('save', { ns: 'common' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const Warning = ({ text }: { text: string }) => (
  <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="status">
    <Text size="sm">{text}</Text>
  </Alert>
);
