import {
  Button,
  Checkbox,
  Code,
  Group,
  NativeSelect,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Options } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { useMe } from '../../auth/me.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { linesOf } from '../../components/lines-of.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';

const LIVES = ['30', '90', '365', 'never'] as const;
const DAY_MS = 86_400_000;

const expiryOf = (days: string, fromMs: number): string | null =>
  days === 'never' ? null : new Date(fromMs + Number(days) * DAY_MS).toISOString();

export function Screen() {
  const { t } = useTranslation('developers');
  const navigate = useNavigate();
  // Nobody gives a key what they lack themselves, so the person's own scopes are all there is to choose from.
  const scopes = useMe()!.scopes;
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const create = useChange(
    (options: Options<'/api/v1/api-keys', 'post'>) => api.post('/api/v1/api-keys', options),
    ['/api/v1/api-keys'],
  );
  // Of an attempt: what is sent again after a lost answer is the same to the millisecond, or it is refused as another request.
  const attempt = useRef({ idempotencyKey: '', atMs: 0 });
  const firstField = useFirstFocus();
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: { name: '', scopes: [] as string[], expiresAt: '365', allowedCidrs: '' },
    submit: (values, idempotencyKey) => {
      if (attempt.current.idempotencyKey !== idempotencyKey)
        attempt.current = { idempotencyKey, atMs: Date.now() };
      return create.mutateAsync({
        body: {
          name: values.name,
          scopes: values.scopes,
          expiresAt: expiryOf(values.expiresAt, attempt.current.atMs),
          allowedCidrs: linesOf(values.allowedCidrs),
        },
        idempotencyKey,
      });
    },
    onDone: ({ id, secret }) => setMade({ id, secret }),
  });
  return (
    <>
      <PageHeader title={t('keys.new')} parents={[{ label: t('keys.title'), to: '/developers/keys' }]} />
      <form onSubmit={onSubmit} noValidate>
        <Unsaved when={isUnsaved} />
        <Paper p="lg" maw={760}>
          <Stack gap="lg">
            {error !== null && <ErrorAlert error={error} />}
            <TextInput
              label={t('keys.name')}
              description={t('keys.nameHint')}
              required
              ref={firstField}
              {...form.getInputProps('name')}
            />
            <Checkbox.Group
              label={t('keys.scopes')}
              description={t('keys.scopesHint')}
              {...form.getInputProps('scopes')}
            >
              <Stack gap={8} mt="xs">
                {scopes.map((scope) => (
                  <Checkbox
                    key={scope}
                    value={scope}
                    label={<Code>{scope}</Code>}
                    description={t(`scopes.${scope.replaceAll('.', '_')}`)}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <NativeSelect
              label={t('keys.expiry')}
              description={t('keys.expiryHint')}
              data={LIVES.map((value) => ({ value, label: t(`keys.lives.${value}`) }))}
              maw={320}
              {...form.getInputProps('expiresAt')}
            />
            <Textarea
              label={t('keys.allowedFrom')}
              description={t('keys.allowedFromHint')}
              placeholder={'203.0.113.7\n198.51.100.0/24'}
              dir="ltr"
              autosize
              minRows={2}
              {...form.getInputProps('allowedCidrs')}
            />
            <Group justify="space-between">
              <Text size="sm" c="dimmed" maw={380}>
                {t('keys.onceNote')}
              </Text>
              <Group gap="sm">
                <Button component={Link} to="/developers/keys" variant="default">
                  {t('cancel', { ns: 'common' })}
                </Button>
                <Button type="submit" loading={isBusy}>
                  {t('keys.create')}
                </Button>
              </Group>
            </Group>
          </Stack>
        </Paper>
      </form>
      <SecretOnce
        title={t('keys.secretTitle')}
        secret={made?.secret ?? null}
        onClose={() => void navigate({ to: `/developers/keys/${made!.id}` })}
      />
    </>
  );
}
