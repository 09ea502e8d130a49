import { Button, Group, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { CountriesField } from '../../components/countries-field.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';
import { COUNTRY_CODES } from '../../i18n/countries.ts';
import { useFormats } from '../../i18n/format.ts';

type Body = BodyOf<'/api/v1/consignments'>;

const orNull = (text: string): string | null => text.trim() || null;

export function Screen() {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const navigate = useNavigate();
  const create = useChange(
    (options: { body: Body; idempotencyKey: string }) => api.post('/api/v1/consignments', options),
    ['/api/v1/consignments'],
  );
  const firstField = useFirstFocus();
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: {
      reference: '',
      sscc: '',
      origin: '',
      destination: '',
      address: '',
      country: null as string | null,
      expectedMarkets: [] as string[],
      order: '',
    },
    submit: (
      { reference, sscc, origin, destination, address, country, expectedMarkets, order },
      idempotencyKey,
    ) =>
      create.mutateAsync({
        body: {
          reference: orNull(reference),
          sscc: orNull(sscc.replaceAll(/\s/g, '')),
          origin: orNull(origin) === null ? null : { name: origin },
          // An address of nobody is sent, too, and refused at the name.
          destination:
            orNull(destination + address) === null && country === null
              ? null
              : { name: destination, address: orNull(address), country },
          expectedMarkets,
          references: order.trim() === '' ? [] : [{ type: 'purchase order', value: order }],
        },
        idempotencyKey,
      }),
    onDone: ({ id }) => void navigate({ to: `/consignments/${id}` }),
  });
  const countries = COUNTRY_CODES.map((value) => ({ value, label: formats.country(value) }));
  return (
    <>
      <PageHeader
        title={t('new')}
        description={t('newLead')}
        parents={[{ label: t('title'), to: '/consignments' }]}
      />
      <form onSubmit={onSubmit} noValidate>
        <Unsaved when={isUnsaved} />
        <Paper p="lg" maw={720}>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('reference')}
                description={t('referenceHint')}
                ref={firstField}
                {...form.getInputProps('reference')}
              />
              <TextInput
                label={t('sscc')}
                description={t('ssccHint')}
                inputMode="numeric"
                {...form.getInputProps('sscc')}
              />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('distributor')}
                description={t('distributorHint')}
                {...form.getInputProps('destination')}
              />
              <Select
                label={t('country')}
                description={t('countryHint')}
                searchable
                clearable
                data={countries}
                {...form.getInputProps('country')}
              />
            </SimpleGrid>
            <TextInput label={t('address')} {...form.getInputProps('address')} />
            <CountriesField
              label={t('expectedMarkets')}
              description={t('expectedMarketsHint')}
              {...form.getInputProps('expectedMarkets')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('origin')}
                description={t('originHint')}
                {...form.getInputProps('origin')}
              />
              <TextInput label={t('order')} description={t('orderHint')} {...form.getInputProps('order')} />
            </SimpleGrid>
            <Group justify="flex-end">
              <Button component={Link} to="/consignments" variant="default">
                {t('cancel', { ns: 'common' })}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('createDraft')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </form>
    </>
  );
}
