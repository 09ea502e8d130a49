import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { changesOf, isUnchanged, onCondition } from '../../components/changes-of.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { linesOf } from '../../components/lines-of.ts';
import { notify } from '../../components/notify.ts';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';

const PATH = '/api/v1/organization/internal-networks';

/** Where scans are the organization's own, and so not counted. */
export function InternalNetworks({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation('settings');
  const networks = useApi(PATH, {});
  return (
    <Paper p="lg" mt="md" maw={720} component="section" aria-labelledby="networks-title">
      <Stack>
        <Title order={2} size="h4" id="networks-title">
          {t('networks.title')}
        </Title>
        <Text size="sm">{t('networks.lead')}</Text>
        <Loaded query={networks}>
          {(current) => (mayManage ? <Form current={current} /> : <Read current={current} />)}
        </Loaded>
      </Stack>
    </Paper>
  );
}

function Read({ current: { networks } }: { current: Schemas['InternalNetworks'] }) {
  const { t } = useTranslation('settings');
  return (
    <Text size="sm" {...(networks.length === 0 ? {} : { dir: 'ltr', className: 'mono' })}>
      {networks.length === 0 ? t('networks.none') : networks.join(', ')}
    </Text>
  );
}

const valuesOf = ({ networks }: Schemas['InternalNetworks']) => ({ networks: networks.join('\n') });

const bodyOf = ({ networks }: ReturnType<typeof valuesOf>) => ({ networks: linesOf(networks) });

function Form({ current }: { current: Schemas['InternalNetworks'] }) {
  const { t } = useTranslation('settings');
  const { callerAddress, isCallerInside } = current;
  const put = useChange((body: BodyOf<typeof PATH, 'put'>) => api.put(PATH, { body }), [PATH]);
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(current),
    follows: true,
    submit: async (values, _idempotencyKey, begun) => {
      const [read, body] = [bodyOf(begun), bodyOf(values)];
      return isUnchanged(changesOf(read, body)) ? null : put.mutateAsync(onCondition(body, read));
    },
    onDone: () => notify(t('saved', { ns: 'common' })),
    renew: async () => valuesOf(await api.get(PATH, {})),
    describe: (_field, now) => linesOf(now.networks).join(', '),
  });
  const given = linesOf(form.values.networks);
  const add = (address: string) => form.setFieldValue('networks', [...given, address].join('\n'));
  return (
    <form onSubmit={onSubmit} noValidate>
      <Unsaved when={isUnsaved} />
      <Stack>
        {error !== null && <ErrorAlert error={error} />}
        <Textarea
          label={t('networks.field')}
          description={t('networks.hint')}
          placeholder={'203.0.113.0/24\n2001:db8:4::/48'}
          dir="ltr"
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          {...form.getInputProps('networks')}
        />
        <Group justify="space-between">
          {callerAddress === null ? (
            <span />
          ) : (
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                <Trans
                  t={t}
                  i18nKey={isCallerInside ? 'networks.inside' : 'networks.here'}
                  values={{ address: callerAddress }}
                  components={{ address: <bdi dir="ltr" /> }}
                />
              </Text>
              {!isCallerInside && !given.includes(callerAddress) && (
                <Button variant="subtle" size="compact-sm" onClick={() => add(callerAddress)}>
                  {t('networks.add')}
                </Button>
              )}
            </Group>
          )}
          <Button type="submit" loading={isBusy}>
            {t('networks.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
