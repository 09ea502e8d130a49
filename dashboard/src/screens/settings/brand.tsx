import { Button, Grid, Group, Paper, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Facts } from '../../components/facts.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { BrandPreview } from './brand-preview.tsx';
import { SettingsPage } from './settings-page.tsx';

type Brand = Schemas['Organization']['brand'];

const PAUSE_MS = 350;

const orNull = (text: string): string | null => text.trim() || null;

export function Screen() {
  const { t } = useTranslation('settings');
  const mayManage = useMay('organization.manage');
  const organization = useApi('/api/v1/organization', {});
  return (
    <SettingsPage title={t('brand.title')} lead={t('brand.lead')}>
      <Loaded query={organization}>
        {({ brand }) =>
          mayManage ? (
            <Form brand={brand} />
          ) : (
            <Paper p="lg">
              <Facts
                facts={[
                  { label: t('brand.logoUrl'), value: brand.logoUrl },
                  { label: t('brand.color'), value: brand.color },
                  { label: t('brand.support'), value: brand.support },
                  { label: t('brand.message'), value: brand.message },
                ]}
              />
            </Paper>
          )
        }
      </Loaded>
    </SettingsPage>
  );
}

const draftOf = (values: Record<keyof Brand, string>): Brand => ({
  logoUrl: orNull(values.logoUrl),
  color: orNull(values.color),
  support: orNull(values.support),
  message: orNull(values.message),
});

function Form({ brand }: { brand: Brand }) {
  const { t } = useTranslation('settings');
  const update = useChange(
    (body: BodyOf<'/api/v1/organization', 'patch'>) => api.patch('/api/v1/organization', { body }),
    ['/api/v1/organization'],
  );
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: {
      logoUrl: brand.logoUrl ?? '',
      color: brand.color ?? '',
      support: brand.support ?? '',
      message: brand.message ?? '',
    },
    submit: (values) => update.mutateAsync({ brand: draftOf(values) }),
    onDone: () => notify(t('saved', { ns: 'common' })),
  });
  const { color } = form.getValues();
  const [draft] = useDebouncedValue(JSON.stringify(draftOf(form.getValues())), PAUSE_MS);
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <form onSubmit={onSubmit} noValidate>
          <Unsaved when={isUnsaved} />
          <Paper p="lg">
            <Stack>
              {error !== null && <ErrorAlert error={error} />}
              <TextInput
                label={t('brand.logoUrl')}
                description={t('brand.logoUrlHint')}
                placeholder="https://example.com/logo.svg"
                type="url"
                dir="ltr"
                {...form.getInputProps('logoUrl')}
              />
              <TextInput
                label={t('brand.color')}
                description={t('brand.colorHint')}
                placeholder="#1f6f4a"
                dir="ltr"
                leftSection={
                  <input
                    type="color"
                    className="swatch"
                    aria-label={t('brand.pick')}
                    value={/^#[0-9a-f]{6}$/i.test(color) ? color : '#45505f'}
                    onChange={(event) => form.setFieldValue('color', event.currentTarget.value)}
                  />
                }
                {...form.getInputProps('color')}
              />
              <TextInput
                label={t('brand.support')}
                description={t('brand.supportHint')}
                placeholder="care@example.com"
                dir="ltr"
                {...form.getInputProps('support')}
              />
              <Textarea
                label={t('brand.message')}
                description={t('brand.messageHint')}
                autosize
                minRows={4}
                {...form.getInputProps('message')}
              />
              <Group justify="flex-end">
                <Button type="submit" loading={isBusy}>
                  {t('save', { ns: 'common' })}
                </Button>
              </Group>
            </Stack>
          </Paper>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <BrandPreview draft={JSON.parse(draft) as Brand} />
      </Grid.Col>
    </Grid>
  );
}
