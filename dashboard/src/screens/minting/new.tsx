import { Alert, Button, Fieldset, Group, Stack, Switch, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError, type FieldError } from '../../api/errors.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useFilters } from '../../components/use-filters.ts';
import { BATCHES } from '../batches/batch-source.ts';
import { RemoteSelect } from '../../components/remote-select.tsx';
import {
  hasSheet,
  INITIAL,
  inForm,
  jobBody,
  refusalInForm,
  type LineName,
  type Values,
} from './form-values.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { SerialFields } from './serial-fields.tsx';
import { SheetFields } from './sheet-fields.tsx';
import { SymbolFields } from './symbol-fields.tsx';
import { usePreview } from './use-preview.ts';
import './minting.css';

/** The batch is in the address of the request: without one there is nobody to ask what is missing. */
const noBatch = (): ApiError => {
  const message = 'There is no value';
  const fields: FieldError[] = [{ path: 'batchId', code: 'REQUIRED', message, params: {} }];
  return new ApiError({ status: 422, code: 'VALIDATION_FAILED', message, fields });
};

export function Screen() {
  const { t } = useTranslation('minting');
  const lineName: LineName = (field) => t(`line.${field}`);
  const navigate = useNavigate();
  const mayCreate = useMay('batches.write');
  const [{ batchId }] = useFilters();
  // The batches that a file is on its way to: another may be chosen meanwhile, with another file.
  const [receiving, setReceiving] = useState<readonly string[]>([]);
  const start = useChange(
    ({ id, ...rest }: { id: string; body: ReturnType<typeof jobBody>; idempotencyKey: string }) =>
      api.post('/api/v1/batches/{id}/barcode-jobs', { path: { id }, ...rest }),
    ['/api/v1/barcode-jobs', '/api/v1/batches'],
  );
  const { form, onSubmit, isBusy, isUnsaved, error } = useApiForm({
    initialValues: { ...INITIAL, batchId: batchId ?? '' } as Values,
    submit: async (values, idempotencyKey) => {
      if (values.batchId === '') throw noBatch();
      return start
        .mutateAsync({ id: values.batchId, body: jobBody(values), idempotencyKey })
        .catch((failure: unknown) => {
          throw refusalInForm(failure, values, lineName);
        });
    },
    onDone: ({ id }) => void navigate({ to: `/minting/${id}` }),
  });
  const { values } = form;
  const batch = useApi(
    '/api/v1/batches/{id}',
    { path: { id: values.batchId } },
    { enabled: values.batchId !== '' },
  );
  const chosen = batch.data;
  const isSending = receiving.includes(values.batchId);
  const inWords = useRefusalWords();
  const symbol = usePreview(values, 'svg');
  const sheet = usePreview(values, 'sheet-svg', hasSheet(values));

  const refusals = JSON.stringify(
    inForm(
      [...(symbol.error?.fields ?? []), ...(hasSheet(values) ? (sheet.error?.fields ?? []) : [])],
      values,
      lineName,
    ),
  );
  useEffect(() => {
    const named = JSON.parse(refusals) as FieldError[];
    form.setErrors(Object.fromEntries(named.map((refusal) => [refusal.path, inWords(refusal)])));
    // The form's functions are the same from render to render.
  }, [refusals]); // eslint-disable-line

  return (
    <>
      <PageHeader
        title={t('new')}
        description={t('newLead')}
        parents={[{ label: t('title'), to: '/minting' }]}
      />
      <form onSubmit={onSubmit} noValidate className="mint-columns">
        <Unsaved when={isUnsaved} />
        <Stack miw={0}>
          {error !== null && <ErrorAlert error={error} />}
          <Fieldset legend={t('theBatch')}>
            <RemoteSelect
              source={BATCHES}
              label={t('batch')}
              placeholder={t('findBatch')}
              required
              {...form.getInputProps('batchId')}
            />
            {values.batchId === '' && mayCreate && (
              <Text size="sm" mt={6}>
                <Link to="/batches/new" style={{ color: 'var(--mantine-color-anchor)' }}>
                  {t('newBatch')}
                </Link>
              </Text>
            )}
            <Loaded query={batch} isBrief>
              {({ mintedCount }) =>
                mintedCount > 0 && (
                  <Alert variant="light" color="blue" mt="sm" icon={<IconInfoCircle aria-hidden />}>
                    {t('mintedAlready', { count: mintedCount })}
                  </Alert>
                )
              }
            </Loaded>
          </Fieldset>
          <SymbolFields form={form} />
          {hasSheet(values) && <SheetFields form={form} />}
          <SerialFields
            form={form}
            isSending={isSending}
            onSent={(id) => setReceiving((others) => others.filter((other) => other !== id))}
            onSending={(id) => setReceiving((others) => [...others, id])}
          />
          <Fieldset legend={t('theUnits')}>
            <Switch
              label={t('activate')}
              description={values.activate ? t('activateHintOn') : t('activateHintOff')}
              {...form.getInputProps('activate', { type: 'checkbox' })}
            />
          </Fieldset>
        </Stack>
        <PreviewPanel symbol={symbol} sheet={sheet} values={values} />
        <Group justify="flex-end" className="mint-buttons">
          <Button component={Link} to="/minting" variant="default">
            {t('cancel', { ns: 'common' })}
          </Button>
          <Button type="submit" loading={isBusy || isSending}>
            {chosen === undefined ? t('mint') : t('mintUnits', { count: chosen.quantity })}
          </Button>
        </Group>
      </form>
    </>
  );
}
