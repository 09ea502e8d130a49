import { Button, Grid, Group, Paper, Space, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { changesOf, isUnchanged, onCondition } from '../../components/changes-of.ts';
import { Facts } from '../../components/facts.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import {
  TextsByLanguage,
  textsOf,
  useOtherTexts,
  writtenTexts,
  type WrittenText,
} from '../../components/texts-by-language.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { BrandPreview } from './brand-preview.tsx';
import { CodesUrlCard } from './codes-url.tsx';
import { DomainCard, type Domain } from './domain.tsx';
import { SettingsPage } from './settings-page.tsx';

type Brand = Schemas['Organization']['brand'];

const PAUSE_MS = 350;
/** While a record is looked for. */
const POLL_MS = 1_000;

const orNull = (text: string): string | null => text.trim() || null;

export function Screen() {
  const { t, i18n } = useTranslation('settings');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const mayManage = useMay('organization.manage');
  const organization = useApi(
    '/api/v1/organization',
    {},
    { refetchInterval: ({ state }) => (state.data?.domain?.isChecking ? POLL_MS : false) },
  );
  return (
    <SettingsPage title={t('brand.title')} lead={t('brand.lead')}>
      <Loaded query={organization}>
        {({ brand, domain, codesUrl }) =>
          mayManage ? (
            <Form brand={brand} domain={domain} codesUrl={codesUrl} />
          ) : (
            <Stack>
              <Paper p="lg">
                <Facts
                  facts={[
                    { label: t('brand.logoUrl'), value: brand.logoUrl },
                    { label: t('brand.color'), value: brand.color },
                    { label: t('brand.support'), value: brand.support },
                    { label: t('brand.message'), value: brand.message },
                    ...Object.entries(brand.messages).map(([language, text]) => ({
                      label: t('messageIn', { ns: 'common', language: names.of(language) }),
                      value: text,
                    })),
                  ]}
                />
              </Paper>
              <DomainCard domain={domain} mayManage={false} />
              <CodesUrlCard url={codesUrl} />
            </Stack>
          )
        }
      </Loaded>
    </SettingsPage>
  );
}

type Values = Record<Exclude<keyof Brand, 'messages'>, string> & { messages: WrittenText[] };

/** As the service calls them where it refuses one. */
const NAMES = {
  'brand.logoUrl': 'logoUrl',
  'brand.color': 'color',
  'brand.support': 'support',
  'brand.message': 'message',
  'brand.messages': 'messages',
} as const;

const valuesOf = (brand: Brand): Values => ({
  logoUrl: brand.logoUrl ?? '',
  color: brand.color ?? '',
  support: brand.support ?? '',
  message: brand.message ?? '',
  messages: writtenTexts(brand.messages),
});

const draftOf = (values: Values): Brand => ({
  logoUrl: orNull(values.logoUrl),
  color: orNull(values.color),
  support: orNull(values.support),
  message: orNull(values.message),
  messages: textsOf(values.messages),
});

function Form({ brand, domain, codesUrl }: { brand: Brand; domain: Domain | null; codesUrl: string }) {
  const { t, i18n } = useTranslation('settings');
  const others = useOtherTexts();
  const update = useChange(
    (body: BodyOf<'/api/v1/organization', 'patch'>) => api.patch('/api/v1/organization', { body }),
    ['/api/v1/organization'],
  );
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(brand),
    follows: true,
    names: NAMES,
    submit: async (values, _idempotencyKey, begun) => {
      const read = draftOf(begun);
      const { expected, ...changes } = onCondition(changesOf(read, draftOf(values)), read);
      if (isUnchanged(changes)) return null;
      return update.mutateAsync({ brand: changes, expected: { brand: expected } });
    },
    renew: async () => valuesOf((await api.get('/api/v1/organization', {})).brand),
    describe: (field, now): string =>
      field === 'messages' ? others(textsOf(messages), textsOf(now.messages)) : now[field],
    onDone: () => notify(t('saved', { ns: 'common' })),
  });
  const { color, messages } = form.getValues();
  const [language, setLanguage] = useState(i18n.language);
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
              <TextsByLanguage
                value={form.values.messages}
                hint={t('brand.messagesHint')}
                error={form.errors['messages']}
                maxLength={2000}
                least={0}
                onChange={(messages) => form.setFieldValue('messages', messages)}
                onBegin={setLanguage}
              />
              <Group justify="flex-end">
                <Button type="submit" loading={isBusy}>
                  {t('save', { ns: 'common' })}
                </Button>
              </Group>
            </Stack>
          </Paper>
        </form>
        <Space h="md" />
        <DomainCard domain={domain} mayManage />
        <Space h="md" />
        <CodesUrlCard url={codesUrl} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <BrandPreview
          draft={JSON.parse(draft) as Brand}
          domain={domain?.status === 'confirmed' ? domain.name : null}
          language={language}
          onLanguage={setLanguage}
        />
      </Grid.Col>
    </Grid>
  );
}
