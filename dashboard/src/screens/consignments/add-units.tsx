import { Button, Group, Paper, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import { useChange } from '../../api/use-api.ts';
import { FileField } from '../../components/file-field.tsx';
import { foundOf } from '../../components/found-source.ts';
import { Unsaved } from '../../components/leaving.tsx';
import { RemoteSelect } from '../../components/remote-select.tsx';
import { ErrorAlert } from '../../components/states.tsx';

type Way = 'batch' | 'serials' | 'file';
type Column = 'serial' | 'unitId' | 'code';

const PRODUCT = foundOf('product');
const BATCH = foundOf('batch');

/** Adds units to a draft, by a batch, a range of serials or a list; a job does it. */
export function AddUnits({ id }: { id: string }) {
  const { t } = useTranslation('consignments');
  const [way, setWay] = useState<Way>('batch');
  const [batchId, setBatch] = useState('');
  const [productId, setProduct] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [by, setBy] = useState<Column>('serial');
  const [added, setAdded] = useState('');
  const entered = [batchId, productId, from, to, file?.name ?? '', file?.lastModified ?? ''].join('\n');

  const add = useChange(() => {
    const path = { id };
    const url = '/api/v1/consignments/{id}/units';
    if (way === 'batch') return api.post(url, { path, body: { batchId } });
    if (way === 'serials') return api.post(url, { path, body: { serials: { productId, from, to } } });
    const isLines = /\.(nd)?jsonl?$/i.test(file!.name);
    const body = new Blob([file!], { type: isLines ? 'application/x-ndjson' : 'text/csv' });
    const query = by === 'serial' ? { by, productId: productId || undefined } : { by };
    return api.post(url, { path, query, body: body as never });
  }, ['/api/v1/consignments', '/api/v1/bulk-jobs']);

  const isReady = {
    batch: batchId !== '',
    serials: productId !== '' && from !== '' && to !== '',
    file: file !== null && (by !== 'serial' || productId !== ''),
  }[way];
  const product = (
    <RemoteSelect
      source={PRODUCT}
      clearable
      label={t('product')}
      placeholder={t('productPlaceholder')}
      value={productId}
      onChange={setProduct}
    />
  );
  const inWords = useRefusalWords();
  const fieldError = (path: string) => {
    const fields = add.error instanceof ApiError ? add.error.fields : [];
    return fields.filter((field) => field.path.endsWith(path)).map(inWords)[0];
  };
  return (
    <Paper p="lg">
      <Title order={2} size="h3" mb="sm">
        {t('addUnits')}
      </Title>
      <Unsaved when={entered.trim() !== '' && entered !== added && !add.isPending} />
      <Stack maw={620}>
        <SegmentedControl
          className="wrapping"
          aria-label={t('addUnits')}
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={(['batch', 'serials', 'file'] as const).map((value) => ({
            value,
            label: t(`ways.${value}`),
          }))}
        />
        {way === 'batch' && (
          <RemoteSelect
            source={BATCH}
            clearable
            label={t('batch')}
            placeholder={t('batchPlaceholder')}
            description={t('batchHint')}
            value={batchId}
            onChange={setBatch}
          />
        )}
        {way === 'serials' && (
          <>
            {product}
            <Group grow align="flex-start">
              <TextInput
                label={t('from')}
                value={from}
                error={fieldError('from')}
                onChange={(event) => setFrom(event.currentTarget.value.trim())}
              />
              <TextInput
                label={t('to')}
                value={to}
                error={fieldError('to')}
                onChange={(event) => setTo(event.currentTarget.value.trim())}
              />
            </Group>
            <Text size="xs" c="dimmed">
              {t('serialsHint')}
            </Text>
          </>
        )}
        {way === 'file' && (
          <>
            <FileField
              label={t('file')}
              description={t('fileHint')}
              placeholder={t('filePlaceholder')}
              accept=".csv,.ndjson,.jsonl,text/csv"
              value={file}
              onChange={setFile}
              clearable
              clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
            />
            <Select
              label={t('by')}
              allowDeselect={false}
              value={by}
              onChange={(value) => setBy(value as Column)}
              data={(['serial', 'unitId', 'code'] as const).map((value) => ({
                value,
                label: t(`columns.${value}`),
              }))}
            />
            {by === 'serial' && product}
          </>
        )}
        {add.error !== null && <ErrorAlert error={add.error} />}
        <Group>
          <Button
            disabled={!isReady}
            loading={add.isPending}
            onClick={() => add.mutate(undefined, { onSuccess: () => setAdded(entered) })}
          >
            {t('addUnits')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
