import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type BodyOf } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import { changesOf, onCondition } from '../../components/changes-of.ts';
import { Fold } from '../../components/fold.tsx';
import { Unsaved } from '../../components/leaving.tsx';
import { ALL_PRODUCTS } from '../../components/product-sources.ts';
import { RemoteMultiSelect } from '../../components/remote-multi-select.tsx';
import { ErrorAlert, Loaded, LoadingRows } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFirstFocus } from '../../components/use-first-focus.ts';
import { useFormats } from '../../i18n/format.ts';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import type { Endpoint } from './circuit.tsx';

type Body = BodyOf<'/api/v1/webhook-endpoints'>;
type Changes = BodyOf<'/api/v1/webhook-endpoints/{id}', 'patch'>;

interface WebhookFormProps<Output> {
  /** What is edited; null for a new one. */
  endpoint: Endpoint | null;
  /** @param changes what of it was changed since the form was begun */
  submit: (body: Body, idempotencyKey: string, changes: Changes) => Promise<Output>;
  onDone: (output: Output) => void;
  cancelTo: string;
}

/** What most need not look at. */
const MORE = ['headers', 'clearsHeaders', 'fifo', 'ratePerSecond', 'concurrency'] as const;

/** `Name: value`, one a line. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const colon = line.indexOf(':');
        return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      }),
  );

/** What people in a channel want to hear of; each scan would be too much. */
const FOR_PEOPLE = [
  'suspicious_scan.detected',
  'product.diverted',
  'counterfeit_report.created',
  'barcode_job.failed',
  'consignment.received',
  'consignment.recalled',
];
/** Slack's and Google Chat's limit. */
const MOST_MESSAGES_PER_SECOND = 1;

const FORMATS = ['event', 'slack', 'teams'] as const satisfies readonly Endpoint['format'][];

const LANGUAGE_CHOICES = Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }));

const numberOrNull = (value: string | number): number | null => (value === '' ? null : Number(value));

const isForAll = (endpoint: Endpoint | null): boolean => endpoint === null || endpoint.events.includes('*');

const valuesOf = (endpoint: Endpoint | null, ownLanguage: Language) => ({
  url: endpoint?.url ?? '',
  format: endpoint?.format ?? 'event',
  language: endpoint?.language ?? ownLanguage,
  description: endpoint?.description ?? '',
  which: isForAll(endpoint) ? 'all' : 'some',
  events: isForAll(endpoint) ? [] : (endpoint?.events ?? []),
  productIds: endpoint?.productIds ?? [],
  headers: '',
  clearsHeaders: false,
  fifo: endpoint?.fifo ?? false,
  ratePerSecond: (endpoint?.ratePerSecond ?? '') as string | number,
  concurrency: (endpoint?.concurrency ?? '') as string | number,
});

type Values = ReturnType<typeof valuesOf>;

const bodyOf = (values: Values): Body => ({
  url: values.url,
  format: values.format,
  language: values.language,
  description: values.description.trim() || null,
  events: values.which === 'all' ? ['*'] : values.events,
  productIds: values.productIds.length === 0 ? null : values.productIds,
  // Values are never shown again, so an empty field on an existing endpoint means "as they are".
  ...(values.headers.trim() !== '' || values.clearsHeaders ? { headers: headersOf(values.headers) } : {}),
  fifo: values.fifo,
  ratePerSecond: numberOrNull(values.ratePerSecond),
  concurrency: numberOrNull(values.concurrency),
});

export function WebhookForm<Output>({ endpoint, submit, onDone, cancelTo }: WebhookFormProps<Output>) {
  const { t, i18n } = useTranslation('developers');
  const ownLanguage = i18n.language as Language;
  const types = useApi('/api/v1/event-types', {});
  const { list, number } = useFormats();
  const firstField = useFirstFocus();
  const inWords = (field: keyof Values, now: Values): string => {
    if (field === 'events') return now.which === 'all' ? t('webhooks.allEvents') : list(now.events);
    if (field === 'productIds')
      return now.productIds.length === 0
        ? t('webhooks.allProducts')
        : t('webhooks.productCount', { count: now.productIds.length });
    if (field === 'format') return t(`webhooks.formats.${now.format}`);
    if (field === 'language') return LANGUAGES[now.language].name;
    if (field === 'fifo') return t(now.fifo ? 'webhooks.inOrder' : 'webhooks.anyOrder');
    const value = now[field];
    return typeof value === 'number' ? number(value) : String(value);
  };
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: valuesOf(endpoint, ownLanguage),
    submit: (values, idempotencyKey, begun) => {
      const body = bodyOf(values);
      const read = bodyOf(begun);
      return submit(body, idempotencyKey, onCondition(changesOf(read, body), endpoint && read));
    },
    onDone,
    ...(endpoint !== null && {
      renew: async () =>
        valuesOf(await api.get('/api/v1/webhook-endpoints/{id}', { path: { id: endpoint.id } }), ownLanguage),
    }),
    describe: inWords,
  });
  const own = endpoint?.headerNames ?? [];
  const { format, which, events, ratePerSecond } = form.getValues();
  const isMessage = format !== 'event';
  const choose = (next: Endpoint['format']) => {
    form.setFieldValue('format', next);
    if (endpoint !== null) return;
    // Only where nobody has chosen what an endpoint would hear of, and how fast: a system is not to miss what people do not want.
    if (
      next === 'event' &&
      String(events) === String(FOR_PEOPLE) &&
      ratePerSecond === MOST_MESSAGES_PER_SECOND
    )
      form.setValues({ which: 'all', events: [], ratePerSecond: '' });
    if (next !== 'event' && which === 'all' && ratePerSecond === '')
      form.setValues({ which: 'some', events: FOR_PEOPLE, ratePerSecond: MOST_MESSAGES_PER_SECOND });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Unsaved when={isUnsaved} />
      <Paper p="lg" maw={760}>
        <Stack gap="lg">
          {error !== null && <ErrorAlert error={error} />}
          <TextInput
            label={t('webhooks.url')}
            description={t(isMessage ? 'webhooks.urlHintOfChannel' : 'webhooks.urlHint')}
            placeholder="https://example.com/hooks/touchstone"
            type="url"
            dir="ltr"
            required
            ref={firstField}
            {...form.getInputProps('url')}
          />
          <NativeSelect
            label={t('webhooks.format')}
            data={FORMATS.map((value) => ({ value, label: t(`webhooks.formats.${value}`) }))}
            {...form.getInputProps('format')}
            onChange={(event) => choose(event.currentTarget.value as Endpoint['format'])}
          />
          {isMessage && (
            <NativeSelect
              label={t('webhooks.messageLanguage')}
              data={LANGUAGE_CHOICES}
              {...form.getInputProps('language')}
            />
          )}
          <TextInput
            label={t('webhooks.description')}
            description={t('webhooks.descriptionHint')}
            {...form.getInputProps('description')}
          />
          <Radio.Group
            label={t('webhooks.events')}
            {...form.getInputProps('which')}
            error={form.values.which === 'all' && form.errors['events']}
          >
            <Group mt={6}>
              <Radio value="all" label={t('webhooks.allEvents')} />
              <Radio value="some" label={t('webhooks.someEvents')} />
            </Group>
          </Radio.Group>
          {form.getValues().which === 'some' && (
            <Checkbox.Group label={t('webhooks.which')} {...form.getInputProps('events')}>
              <Loaded query={types} skeleton={<LoadingRows rows={4} />}>
                {({ data }) => (
                  <Stack gap={8} mt="xs">
                    {data
                      .filter(({ isSubscribable }) => isSubscribable)
                      .map(({ type, description }) => (
                        <Checkbox
                          key={type}
                          value={type}
                          label={<span className="mono">{type}</span>}
                          description={t(`eventTypes.${type.replaceAll('.', '_')}`, {
                            defaultValue: description,
                          })}
                        />
                      ))}
                  </Stack>
                )}
              </Loaded>
            </Checkbox.Group>
          )}
          <RemoteMultiSelect
            source={ALL_PRODUCTS}
            label={t('webhooks.products')}
            description={t('webhooks.productsHint')}
            placeholder={form.getValues().productIds.length === 0 ? t('webhooks.allProducts') : ''}
            nothingFoundMessage={t('webhooks.noProduct')}
            {...form.getInputProps('productIds')}
          />
          <Fold label={t('webhooks.more')} isWrong={MORE.some((name) => form.errors[name] !== undefined)}>
            <Stack>
              <Textarea
                label={t('webhooks.headers')}
                description={t('webhooks.headersHint')}
                placeholder="Authorization: Bearer …"
                dir="ltr"
                autosize
                minRows={2}
                {...form.getInputProps('headers')}
              />
              {own.length > 0 && (
                <>
                  <Text size="sm" c="dimmed">
                    {t('webhooks.headersNow', { names: own.join(', ') })}
                  </Text>
                  <Checkbox
                    label={t('webhooks.clearHeaders')}
                    {...form.getInputProps('clearsHeaders', { type: 'checkbox' })}
                  />
                </>
              )}
              <Checkbox
                label={t('webhooks.fifo')}
                description={t('webhooks.fifoHint')}
                {...form.getInputProps('fifo', { type: 'checkbox' })}
              />
              <Group grow align="flex-start" preventGrowOverflow={false}>
                <NumberInput
                  label={t('webhooks.ratePerSecond')}
                  description={t('webhooks.ratePerSecondHint')}
                  min={1}
                  allowDecimal={false}
                  hideControls
                  miw={200}
                  {...form.getInputProps('ratePerSecond')}
                />
                <NumberInput
                  label={t('webhooks.concurrency')}
                  description={t('webhooks.concurrencyHint')}
                  min={1}
                  max={100}
                  allowDecimal={false}
                  hideControls
                  miw={200}
                  {...form.getInputProps('concurrency')}
                />
              </Group>
            </Stack>
          </Fold>
          <Group justify="flex-end">
            <Button component={Link} to={cancelTo} variant="default">
              {t('cancel', { ns: 'common' })}
            </Button>
            <Button type="submit" loading={isBusy}>
              {endpoint === null ? t('webhooks.create') : t('save', { ns: 'common' })}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}
