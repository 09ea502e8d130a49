import { Alert, Box, Button, Code, Group, Modal, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type ResponseOf } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import { useChange } from '../../api/use-api.ts';
import { useMe } from '../../auth/me.ts';
import { notify } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { QrCode } from './qr-code.tsx';
import { atPassword } from './wrong-password.ts';

type SetUp = ResponseOf<'/api/v1/auth/totp/set-up', 'post'>;
type Confirmed = ResponseOf<'/api/v1/auth/totp/confirm', 'post'>;

const ME = ['/api/v1/auth/me'];

export function SecondFactor() {
  const { t } = useTranslation('settings');
  const { secondFactor } = useMe()!;
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [isEnding, setEnding] = useState(false);
  const [codes, setCodes] = useState<string | null>(null);
  const client = useQueryClient();
  const begin = useChange(() => api.post('/api/v1/auth/totp/set-up'));
  // Here, and not in its dialog: that may be closed before the codes are there.
  const confirm = useChange((code: string) => api.post('/api/v1/auth/totp/confirm', { body: { code } }), ME);
  const isLost = confirm.error?.code === 'NETWORK';
  // It may be on, and the answer lost.
  useEffect(() => {
    if (isLost) void client.invalidateQueries({ queryKey: ME });
  }, [isLost, client]);
  const isOpen = setUp !== null || isEnding || codes !== null;
  const wasOpen = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  // What a dialog gives the focus back to had lost it already: the button was busy, or belongs to the dialog before.
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Paper p="lg">
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Title order={2}>{t('factor.title')}</Title>
          {secondFactor.enabled ? (
            <StatusBadge tone="good" label={t('people.on')} />
          ) : (
            <StatusBadge tone="neutral" label={t('people.off')} />
          )}
        </Group>
        {secondFactor.enabled ? (
          <Button ref={button} variant="default" onClick={() => setEnding(true)}>
            {t('factor.switchOff')}
          </Button>
        ) : (
          <Button
            ref={button}
            loading={begin.isPending}
            onClick={() => begin.mutate(undefined, { onSuccess: (made) => setSetUp(made) })}
          >
            {t('factor.switchOn')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {secondFactor.enabled
          ? t('factor.codesLeft', { count: secondFactor.recoveryCodesLeft })
          : t('factor.lead')}
      </Text>
      {begin.error !== null && (
        <Box mt="sm">
          <ErrorAlert error={begin.error} />
        </Box>
      )}
      <Modal
        opened={setUp !== null}
        onClose={() => setSetUp(null)}
        title={t('factor.setUp')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
        returnFocus={false}
      >
        {setUp !== null && (
          <Confirmation
            setUp={setUp}
            confirm={confirm}
            onDone={(recoveryCodes) => {
              setSetUp(null);
              setCodes(recoveryCodes.join('\n'));
            }}
          />
        )}
      </Modal>
      <Modal
        opened={isEnding}
        onClose={() => setEnding(false)}
        title={t('factor.switchOff')}
        closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
        returnFocus={false}
      >
        <SwitchOff onDone={() => setEnding(false)} />
      </Modal>
      <SecretOnce
        title={t('factor.codesTitle')}
        advice={t('factor.codesOnce')}
        secret={codes}
        isComing={confirm.isPending}
        onClose={() => setCodes(null)}
      />
    </Paper>
  );
}

function Confirmation({
  setUp,
  confirm,
  onDone,
}: {
  setUp: SetUp;
  confirm: UseMutationResult<Confirmed, ApiError, string>;
  onDone: (codes: string[]) => void;
}) {
  const { t } = useTranslation('settings');
  const { secondFactor } = useMe()!;
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { code: '' },
    submit: ({ code }) => confirm.mutateAsync(code.replaceAll(' ', '')),
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  if (error !== null && secondFactor.enabled)
    return (
      <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />} role="alert">
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('factor.lostTitle')}
          </Text>
          <Text size="sm">{t('factor.lostText')}</Text>
        </Stack>
      </Alert>
    );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('factor.scan')}</Text>
        <Group align="flex-start" gap="lg">
          <QrCode rows={setUp.qrCode} label={t('factor.qr')} />
          <Stack flex="1 1 220px" gap="sm">
            <Text size="sm" c="dimmed">
              {t('factor.byHand')}
            </Text>
            <Code block dir="ltr" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {setUp.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
            </Code>
          </Stack>
        </Group>
        {error !== null && <ErrorAlert error={error} />}
        <TextInput
          label={t('factor.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          dir="ltr"
          required
          withAsterisk={false}
          maw={220}
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {t('factor.switchOn')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function SwitchOff({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('settings');
  const disable = useChange(
    (body: { password: string; code: string }) => api.post('/api/v1/auth/totp/disable', { body }),
    ME,
  );
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: { password: '', code: '' },
    submit: (body) => disable.mutateAsync(body).catch(atPassword('password', t('account.wrongPassword'))),
    onDone: () => {
      notify(t('factor.offDone'));
      onDone();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('factor.offText')}</Text>
        {error !== null && <ErrorAlert error={error} />}
        <PasswordField
          label={t('account.currentPassword')}
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        <TextInput
          label={t('factor.codeOrRecovery')}
          autoComplete="one-time-code"
          dir="ltr"
          required
          withAsterisk={false}
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end">
          <Button type="submit" color="#b42318" loading={isBusy}>
            {t('factor.switchOff')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
