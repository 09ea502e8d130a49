import { Button, Group, Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { changesOf, onCondition } from '../../components/changes-of.ts';
import { CountriesField } from '../../components/countries-field.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';
import { useFormats } from '../../i18n/format.ts';
import { linkRowsOf, linksOf, LinksField } from './links.tsx';
import { attributesOf, AttributesField, hasTwins, rowsOf } from './attributes.tsx';

type Product = Schemas['Product'];
type Body = BodyOf<'/api/v1/products'>;
type Changes = BodyOf<'/api/v1/products/{id}', 'patch'>;

interface ProductFormProps {
  /** What is edited; null for a new one. */
  product: Product | null;
  /** @param changes what of it was changed since the form was begun */
  submit: (body: Body, idempotencyKey: string, changes: Changes) => Promise<Product>;
  onDone: (product: Product) => void;
  cancelTo: string;
}

const orNull = (text: string): string | null => text.trim() || null;

const valuesOf = (product: Product | null) => ({
  name: product?.name ?? '',
  sku: product?.sku ?? '',
  gtin: product?.gtin ?? '',
  brand: product?.brand ?? '',
  description: product?.description ?? '',
  imageUrl: product?.imageUrl ?? '',
  markets: product?.markets ?? [],
  attributes: rowsOf(product?.attributes ?? {}),
  links: linkRowsOf(product?.links ?? []),
});

const bodyOf = (values: ReturnType<typeof valuesOf>): Body => ({
  ...values,
  gtin: orNull(values.gtin),
  brand: orNull(values.brand),
  description: orNull(values.description),
  imageUrl: orNull(values.imageUrl),
  attributes: attributesOf(values.attributes),
  links: linksOf(values.links),
});

export function ProductForm({ product, submit, onDone, cancelTo }: ProductFormProps) {
  const { t } = useTranslation('products');
  const { country, list } = useFormats();
  const firstField = useFirstFocus();
  const [read, setRead] = useState(product);
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(product),
    submit: (values, idempotencyKey, begun) => {
      const body = bodyOf(values);
      return submit(body, idempotencyKey, onCondition(changesOf(bodyOf(begun), body), read));
    },
    onDone,
    ...(product !== null && {
      renew: async () => {
        const now = await api.get('/api/v1/products/{id}', { path: { id: product.id } });
        setRead(now);
        return valuesOf(now);
      },
    }),
    rows: ['links'],
    describe: (field, { markets, attributes, links, ...texts }) => {
      if (field === 'markets') return list(markets.map(country)) || t('everywhere');
      if (field === 'attributes') return list(attributes.map(({ name, text }) => `${name}: ${text}`));
      if (field === 'links') return list(links.map(({ title, url }) => `${title}: ${url}`));
      return texts[field];
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Unsaved when={isUnsaved} />
      <Paper p="lg" maw={720}>
        <Stack>
          {error !== null && <ErrorAlert error={error} />}
          <TextInput label={t('name')} required ref={firstField} {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('sku')} description={t('skuHint')} required {...form.getInputProps('sku')} />
            <TextInput
              label={t('gtin')}
              description={t('gtinHint')}
              inputMode="numeric"
              {...form.getInputProps('gtin')}
            />
          </SimpleGrid>
          <TextInput label={t('brand')} {...form.getInputProps('brand')} />
          <CountriesField
            label={t('markets')}
            description={t('marketsHint')}
            {...form.getInputProps('markets')}
          />
          <Textarea
            label={t('description')}
            description={t('descriptionHint')}
            autosize
            minRows={3}
            {...form.getInputProps('description')}
          />
          <TextInput
            label={t('imageUrl')}
            description={t('imageUrlHint')}
            type="url"
            dir="ltr"
            {...form.getInputProps('imageUrl')}
          />
          <LinksField
            value={form.values.links}
            error={form.errors['links']}
            errorAt={(index, field) => form.errors[`links.${index}.${field}`]}
            onChange={(index, field, value) => form.setFieldValue(`links.${index}.${field}`, value)}
            onAdd={(row) => form.insertListItem('links', row)}
            onRemove={(index) => form.removeListItem('links', index)}
          />
          <AttributesField {...form.getInputProps('attributes')} />
          <Group justify="flex-end">
            <Button component={Link} to={cancelTo} variant="default">
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={isBusy} disabled={hasTwins(form.values.attributes)}>
              {product === null ? t('create', { ns: 'common' }) : t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}
