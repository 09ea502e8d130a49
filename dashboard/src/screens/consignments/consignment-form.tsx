import { Button, Group, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { changesOf, onCondition } from '../../components/changes-of.ts';
import { CountriesField } from '../../components/countries-field.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';
import { COUNTRY_CODES } from '../../i18n/countries.ts';
import { useFormats } from '../../i18n/format.ts';
import { bodyOf, NAMES, valuesOf, type Values } from './form-values.ts';
import type { Consignment } from './status.tsx';

interface ConsignmentFormProps {
  /** The draft that is corrected; null for a new one. */
  consignment: Consignment | null;
  /** @param changes what of it was changed since the form was begun */
  submit: (
    body: ReturnType<typeof bodyOf>,
    idempotencyKey: string,
    changes: BodyOf<'/api/v1/consignments/{id}', 'patch'>,
  ) => Promise<Consignment>;
  onDone: (consignment: Consignment) => void;
  cancelTo: string;
}

export function ConsignmentForm({ consignment, submit, onDone, cancelTo }: ConsignmentFormProps) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const firstField = useFirstFocus();
  const [begunWith] = useState(consignment);
  const [read, setRead] = useState(consignment);
  const inWords = (field: keyof Values, now: Values): string => {
    const series = (...parts: (string | null)[]) =>
      formats.series(parts.filter((part) => part !== null && part !== '') as string[]);
    const country = (code: string | null) => code && formats.country(code);
    if (field === 'origin') return series(now.origin, now.originAddress, country(now.originCountry));
    if (field === 'destination') return series(now.destination, now.address, country(now.country));
    if (field === 'expectedMarkets') return formats.list(now.expectedMarkets.map(formats.country));
    return now[field] ?? '';
  };
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(consignment),
    submit: (values, idempotencyKey, begun) => {
      const body = bodyOf(values, read);
      return submit(body, idempotencyKey, onCondition(changesOf(bodyOf(begun, read), body), read));
    },
    onDone,
    ...(consignment !== null && {
      renew: async () => {
        const now = await api.get('/api/v1/consignments/{id}', { path: { id: consignment.id } });
        setRead(now);
        return valuesOf(now);
      },
    }),
    names: NAMES,
    describe: inWords,
  });
  const countries = COUNTRY_CODES.map((value) => ({ value, label: formats.country(value) }));
  // Only programs give these, so only where one did they are asked of people, also where somebody took them away meanwhile.
  const hasPlaceOfOrigin = [begunWith, read].some((one) =>
    Boolean(one?.origin?.address ?? one?.origin?.country),
  );
  const origin = (
    <TextInput label={t('origin')} description={t('originHint')} {...form.getInputProps('origin')} />
  );
  const order = (
    <TextInput label={t('order')} description={t('orderHint')} {...form.getInputProps('references')} />
  );
  return (
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
          {hasPlaceOfOrigin ? (
            <>
              {origin}
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput label={t('originAddress')} {...form.getInputProps('originAddress')} />
                <Select
                  label={t('originCountry')}
                  searchable
                  clearable
                  data={countries}
                  {...form.getInputProps('originCountry')}
                />
              </SimpleGrid>
              {order}
            </>
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {origin}
              {order}
            </SimpleGrid>
          )}
          <Group justify="flex-end">
            <Button component={Link} to={cancelTo} variant="default">
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={isBusy}>
              {consignment === null ? t('createDraft') : t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}
