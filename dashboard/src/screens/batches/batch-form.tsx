import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { changesOf, onCondition } from '../../components/changes-of.ts';
import { CountriesField } from '../../components/countries-field.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFormats } from '../../i18n/format.ts';

type Batch = Schemas['Batch'];
type Body = BodyOf<'/api/v1/batches'>;
type Changes = BodyOf<'/api/v1/batches/{id}', 'patch'>;

interface BatchFormProps {
  /** What is corrected; null for a new one, of which product and quantity are asked too. */
  batch: Batch | null;
  /** Chosen beforehand, for a new one. */
  productId?: string | undefined;
  /** @param changes what of it was changed since the form was begun */
  submit: (body: Body, idempotencyKey: string, changes: Changes) => Promise<Batch>;
  onDone: (batch: Batch) => void;
  cancelTo: string;
}

const valuesOf = (batch: Batch | null, productId: string | undefined) => ({
  productId: batch?.productId ?? productId ?? '',
  quantity: (batch?.quantity ?? '') as number | '',
  lot: batch?.lot ?? '',
  manufacturedOn: batch?.manufacturedOn ?? '',
  expiresOn: batch?.expiresOn ?? '',
  markets: batch?.markets ?? [],
  hiddenCodes: batch?.hiddenCodes ?? false,
  nfcTags: batch?.nfcTags ?? false,
});

const bodyOf = ({
  quantity,
  lot,
  manufacturedOn,
  expiresOn,
  markets,
  ...values
}: ReturnType<typeof valuesOf>): Body => ({
  ...values,
  quantity: quantity as number,
  lot: lot.trim() || null,
  manufacturedOn: manufacturedOn || null,
  expiresOn: expiresOn || null,
  markets: markets.length === 0 ? null : markets,
});

export function BatchForm({ batch, productId, submit, onDone, cancelTo }: BatchFormProps) {
  const { t } = useTranslation('batches');
  const { country, list } = useFormats();
  const [read, setRead] = useState(batch);
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(batch, productId),
    submit: (values, idempotencyKey, begun) => {
      const body = bodyOf(values);
      return submit(body, idempotencyKey, onCondition(changesOf(bodyOf(begun), body), read));
    },
    onDone,
    ...(batch !== null && {
      renew: async () => {
        const now = await api.get('/api/v1/batches/{id}', { path: { id: batch.id } });
        setRead(now);
        return valuesOf(now, undefined);
      },
    }),
    describe: (field, { markets, hiddenCodes, nfcTags, ...texts }) => {
      if (field === 'markets') return list(markets.map(country));
      if (field === 'hiddenCodes') return t(hiddenCodes ? 'hiddenCodesYes' : 'hiddenCodesNo');
      if (field === 'nfcTags') return t(nfcTags ? 'nfcTagsYes' : 'nfcTagsNo');
      return String(texts[field]);
    },
  });
  const lot = <TextInput label={t('lot')} description={t('lotHint')} {...form.getInputProps('lot')} />;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Unsaved when={isUnsaved} />
      <Paper p="lg" maw={720}>
        <Stack>
          {error !== null && <ErrorAlert error={error} />}
          {batch !== null && batch.mintedCount > 0 && (
            <Alert variant="light" icon={<IconInfoCircle aria-hidden />} title={t('correctTitle')}>
              <Text size="sm">{t('correctText')}</Text>
            </Alert>
          )}
          {batch === null ? (
            <>
              <RemoteSelect
                source={PRODUCTS}
                label={t('product')}
                placeholder={t('findProduct')}
                required
                {...form.getInputProps('productId')}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <NumberInput
                  label={t('quantity')}
                  description={t('quantityHint')}
                  required
                  min={1}
                  allowDecimal={false}
                  allowNegative={false}
                  thousandSeparator=" "
                  hideControls
                  {...form.getInputProps('quantity')}
                />
                {lot}
              </SimpleGrid>
            </>
          ) : (
            lot
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('manufacturedOn')} type="date" {...form.getInputProps('manufacturedOn')} />
            <TextInput
              label={t('expiresOn')}
              description={t('expiresHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="date"
              {...form.getInputProps('expiresOn')}
            />
          </SimpleGrid>
          <CountriesField
            label={t('markets')}
            description={t('marketsHint')}
            {...form.getInputProps('markets')}
          />
          <Checkbox
            label={t('hiddenCodesLabel')}
            description={t('hiddenCodesHint')}
            {...form.getInputProps('hiddenCodes', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('nfcTagsLabel')}
            description={t('nfcTagsHint')}
            {...form.getInputProps('nfcTags', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button component={Link} to={cancelTo} variant="default">
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t(batch === null ? 'create' : 'save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}
