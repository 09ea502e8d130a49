import { Button, Group, NumberInput, Paper, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { CountriesField } from '../../components/countries-field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFilters } from '../../components/use-filters.ts';
import { ProductField } from '../products/product-field.tsx';

export function Screen() {
  const { t } = useTranslation('batches');
  const navigate = useNavigate();
  const [{ productId }] = useFilters();
  const create = useChange(
    (options: Parameters<typeof api.post<'/api/v1/batches'>>[1]) => api.post('/api/v1/batches', options),
    ['/api/v1/batches'],
  );
  const { form, onSubmit, isBusy, error } = useApiForm({
    initialValues: {
      productId: productId ?? '',
      quantity: '' as number | '',
      lot: '',
      manufacturedOn: '',
      expiresOn: '',
      markets: [] as string[],
    },
    submit: ({ quantity, lot, manufacturedOn, expiresOn, markets, ...values }, idempotencyKey) =>
      create.mutateAsync({
        body: {
          ...values,
          quantity: quantity as number,
          lot: lot.trim() || null,
          manufacturedOn: manufacturedOn || null,
          expiresOn: expiresOn || null,
          markets: markets.length === 0 ? null : markets,
        },
        idempotencyKey,
      }),
    onDone: ({ id }) => void navigate({ to: `/batches/${id}` }),
  });
  return (
    <>
      <PageHeader title={t('new')} parents={[{ label: t('title'), to: '/batches' }]} />
      <form onSubmit={onSubmit} noValidate>
        <Paper p="lg" maw={720}>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <ProductField
              label={t('product')}
              placeholder={t('findProduct')}
              required
              {...form.getInputProps('productId')}
            />
            <Group grow align="flex-start" preventGrowOverflow={false} gap="md">
              <NumberInput
                label={t('quantity')}
                description={t('quantityHint')}
                required
                min={1}
                allowDecimal={false}
                allowNegative={false}
                thousandSeparator=" "
                hideControls
                miw={200}
                {...form.getInputProps('quantity')}
              />
              <TextInput
                label={t('lot')}
                description={t('lotHint')}
                miw={200}
                {...form.getInputProps('lot')}
              />
            </Group>
            <Group grow align="flex-start" preventGrowOverflow={false} gap="md">
              <TextInput
                label={t('manufacturedOn')}
                type="date"
                miw={200}
                {...form.getInputProps('manufacturedOn')}
              />
              <TextInput
                label={t('expiresOn')}
                description={t('expiresHint')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                type="date"
                miw={200}
                {...form.getInputProps('expiresOn')}
              />
            </Group>
            <CountriesField
              label={t('markets')}
              description={t('marketsHint')}
              {...form.getInputProps('markets')}
            />
            <Group justify="flex-end">
              <Button component={Link} to="/batches" variant="default">
                {t('cancel', { ns: 'common' })}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('create', { ns: 'common' })}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </form>
    </>
  );
}
