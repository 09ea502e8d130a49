import { Button, Group, Paper, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { FilesField } from '../../components/file-field.tsx';
import { foundOf } from '../../components/found-source.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { notify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PersonSelect } from '../../components/people.tsx';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFilters } from '../../components/use-filters.ts';
import { useIdempotencyKey } from '../../components/use-idempotency-key.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';
import { COUNTRY_CODES } from '../../i18n/countries.ts';
import { useFormats } from '../../i18n/format.ts';
import { OWN_CHANNELS, RESOLUTIONS, type Resolution } from './status.tsx';
import { PHOTO_TYPES, useAddPhotos } from './use-add-photos.ts';

type Body = BodyOf<'/api/v1/counterfeit-reports'>;

const PATH = '/api/v1/counterfeit-reports';
const UNIT = foundOf('unit');
/** Where somebody else told it, who may be asked. */
const TOLD = new Set(['customer_service', 'authority', 'partner']);

const orNull = (text: string): string | null => text.trim() || null;

const EMPTY = {
  channel: 'inspection' as Body['channel'],
  productUnitId: '',
  code: '',
  productId: '',
  description: '',
  purchasedFrom: '',
  country: null as string | null,
  foundOn: '',
  price: '',
  contactName: '',
  contactEmail: '',
  assigneeId: null as string | null,
  resolution: '' as Resolution | '',
  photos: [] as File[],
};

function bodyOf(values: typeof EMPTY): Body {
  const { channel, productUnitId, description, country, assigneeId } = values;
  const isOfUnit = productUnitId !== '';
  const isTold = TOLD.has(channel);
  return {
    channel,
    description,
    productUnitId: orNull(productUnitId),
    code: isOfUnit ? null : orNull(values.code),
    productId: isOfUnit ? null : orNull(values.productId),
    purchasedFrom: orNull(values.purchasedFrom),
    country,
    foundOn: orNull(values.foundOn),
    price: orNull(values.price),
    contactName: isTold ? orNull(values.contactName) : null,
    contactEmail: isTold ? orNull(values.contactEmail) : null,
    assigneeId,
    resolution: values.resolution || null,
  };
}

/** What somebody of the organization came across. */
export function Screen() {
  const { t, i18n } = useTranslation('reports');
  const formats = useFormats();
  const navigate = useNavigate();
  const firstField = useFirstFocus();
  const [{ unitId = '' }] = useFilters();
  const addPhotos = useAddPhotos();
  const keyOf = useIdempotencyKey();
  const create = useChange(
    (options: { body: Body; idempotencyKey: string }) => api.post(PATH, options),
    [PATH, '/api/v1/risk-cases', '/api/v1/product-units'],
  );
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: { ...EMPTY, productUnitId: unitId },
    submit: async (values) => {
      const body = bodyOf(values);
      // Of the report alone: after a lost answer it is filed once, also with other photos.
      const report = await create.mutateAsync({ body, idempotencyKey: keyOf(body) });
      // It is filed whatever becomes of them: its screen takes more.
      await addPhotos(report.id, values.photos);
      return report;
    },
    onDone: ({ id }) => {
      notify(t('fileDone'));
      void navigate({ to: `/reports/${id}` });
    },
  });
  const { channel, productUnitId, photos } = form.getValues();
  const cancelTo = unitId === '' ? '/reports' : `/units/${unitId}`;
  return (
    <>
      <PageHeader
        title={t('new')}
        description={t('newLead')}
        parents={[{ label: t('title'), to: '/reports' }]}
      />
      <form onSubmit={onSubmit} noValidate>
        <Unsaved when={isUnsaved} />
        <Paper p="lg" maw={720}>
          <Stack>
            {error !== null && <ErrorAlert error={error} />}
            <Select
              label={t('channel')}
              ref={firstField}
              allowDeselect={false}
              data={OWN_CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
              {...form.getInputProps('channel')}
            />
            <RemoteSelect
              source={UNIT}
              clearable
              label={t('unit')}
              description={t('unitHint')}
              {...form.getInputProps('productUnitId')}
            />
            {productUnitId === '' && (
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput
                  label={t('code')}
                  description={t('codeHint')}
                  autoCapitalize="off"
                  autoCorrect="off"
                  spellCheck={false}
                  {...form.getInputProps('code')}
                />
                <RemoteSelect
                  source={ALL_PRODUCTS}
                  clearable
                  label={t('product')}
                  description={t('productHint')}
                  {...form.getInputProps('productId')}
                />
              </SimpleGrid>
            )}
            <Textarea
              label={t('found')}
              description={t('foundHint')}
              required
              autosize
              minRows={3}
              maxLength={2000}
              {...form.getInputProps('description')}
            />
            <FilesField
              label={t('photos')}
              description={t('photosHint')}
              placeholder={t('choosePhotos')}
              leftSection={<IconPhoto size={16} aria-hidden />}
              accept={PHOTO_TYPES}
              clearable
              clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
              value={photos}
              onChange={(chosen) => form.setFieldValue('photos', chosen)}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput
                label={t('place')}
                description={t('placeHint')}
                {...form.getInputProps('purchasedFrom')}
              />
              <Select
                label={t('country', { ns: 'scans' })}
                description={t('countryHint')}
                searchable
                clearable
                data={COUNTRY_CODES.map((value) => ({ value, label: formats.country(value) })).sort((a, b) =>
                  a.label.localeCompare(b.label, i18n.language),
                )}
                {...form.getInputProps('country')}
              />
              <TextInput type="date" label={t('foundOn')} {...form.getInputProps('foundOn')} />
              <TextInput label={t('price')} {...form.getInputProps('price')} />
            </SimpleGrid>
            {TOLD.has(channel) && (
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput
                  label={t('tellerName')}
                  description={t('tellerHint')}
                  {...form.getInputProps('contactName')}
                />
                <TextInput
                  label={t('tellerEmail')}
                  description={t('tellerMailHint')}
                  inputMode="email"
                  {...form.getInputProps('contactEmail')}
                />
              </SimpleGrid>
            )}
            <Select
              label={t('finding')}
              description={t('findingHint')}
              allowDeselect={false}
              data={[
                { value: '', label: t('undecided') },
                ...(['confirmed', 'dismissed'] as const).map((outcome) => ({
                  group: t(`statuses.${outcome}`),
                  items: RESOLUTIONS[outcome].map((value) => ({ value, label: t(`resolutions.${value}`) })),
                })),
              ]}
              {...form.getInputProps('resolution')}
            />
            <PersonSelect
              label={t('assignee')}
              description={t('assigneeHint')}
              nobody={t('nobody', { ns: 'cases' })}
              value={form.getValues().assigneeId}
              onChange={(id) => form.setFieldValue('assigneeId', id)}
            />
            <Group justify="flex-end">
              <Button component={Link} to={cancelTo} variant="default">
                {t('cancel', { ns: 'common' })}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('file')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </form>
    </>
  );
}
