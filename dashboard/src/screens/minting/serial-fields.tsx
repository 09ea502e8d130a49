import { Fieldset, NumberInput, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../api/client.ts';
import { FileField } from '../../components/file-field.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { notify, notifyError } from '../../components/notify.ts';
import { useFormats } from '../../i18n/format.ts';
import type { Values } from './form-values.ts';

const SOURCES = ['kept', 'random', 'sequential', 'uploaded'] as const;
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
};

interface SendingProps {
  /** Whether a file is on its way to the chosen batch, whose serials are not the batch's yet. */
  isSending: boolean;
  onSending: (batchId: string) => void;
  /** Taken or refused. */
  onSent: (batchId: string) => void;
}

interface SerialFieldsProps extends SendingProps {
  form: UseFormReturnType<Values>;
}

/** Where serials come from. */
export function SerialFields({ form, ...sending }: SerialFieldsProps) {
  const { t } = useTranslation('minting');
  const { serials } = form.values;
  return (
    <Fieldset legend={t('theSerials')}>
      <Stack>
        <Radio.Group aria-label={t('theSerials')} {...form.getInputProps('serials')}>
          <Stack gap={8}>
            {SOURCES.map((source) => (
              <Radio
                key={source}
                value={source}
                label={t(`serials.${source}`)}
                description={t(`serialsHint.${source}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {serials === 'sequential' && (
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <TextInput label={t('prefix')} dir="ltr" {...form.getInputProps('prefix')} />
            <NumberInput
              label={t('first')}
              allowDecimal={false}
              hideControls
              {...form.getInputProps('first')}
            />
            <NumberInput label={t('digits')} allowDecimal={false} {...form.getInputProps('digits')} />
          </SimpleGrid>
        )}
        {serials === 'uploaded' && (
          <Upload
            // Another batch has no file yet.
            key={form.values.batchId}
            batchId={form.values.batchId}
            {...sending}
            onChosen={() => form.clearFieldError('serials')}
            onTaken={(batchId) =>
              form.setFieldValue('upload', (earlier) => ({ batchId, files: (earlier?.files ?? 0) + 1 }))
            }
          />
        )}
      </Stack>
    </Fieldset>
  );
}

interface UploadProps extends SendingProps {
  batchId: string;
  onChosen: () => void;
  /** All of the file's serials are the batch's. */
  onTaken: (batchId: string) => void;
}

/** Sends a file of serials for the batch; the browser streams it from the disk. */
function Upload({ batchId, isSending, onSending, onSent, onChosen, onTaken }: UploadProps) {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  // The one that is on its way, else that whose serials the batch has.
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  if (batchId === '')
    return (
      <Text size="sm" c="dimmed">
        {t('uploadNeedsBatch')}
      </Text>
    );
  const upload = async (chosen: File | null) => {
    setFile(chosen);
    setError(null);
    if (chosen === null) return;
    onChosen();
    onSending(batchId);
    const type = TYPES[chosen.name.split('.').at(-1)!.toLowerCase()] ?? 'text/csv';
    try {
      const response = await send('post', '/api/v1/batches/{id}/serials', {
        path: { id: batchId },
        body: new Blob([chosen], { type }),
      });
      const { serials } = (await response.json()) as { serials: number };
      onTaken(batchId);
      notify(t('uploaded', { count: serials }));
    } catch (failure) {
      // Whoever chose another batch, or went elsewhere, would not hear of it.
      if (!isMounted.current) return notifyError(failure);
      setFile(file);
      setError(failure as Error);
    } finally {
      onSent(batchId);
    }
  };
  const nameOf = (path: string) => {
    if (path === '') return null;
    const line = /^line\.(\d+)$/.exec(path)?.[1];
    return line === undefined ? t('upload') : t('uploadLine', { line: formats.number(Number(line)) });
  };
  return (
    <>
      <FileField
        label={t('upload')}
        description={t('uploadHint')}
        placeholder={t('uploadChoose')}
        accept=".csv,.txt,.ndjson,.json"
        leftSection={<IconUpload size={16} aria-hidden />}
        readOnly={isSending}
        value={file}
        onChange={(chosen) => void upload(chosen)}
      />
      <Text size="sm" c="dimmed" role="status" hidden={!isSending}>
        {isSending && t('uploading')}
      </Text>
      {error !== null && <ErrorAlert error={error} nameOf={nameOf} />}
    </>
  );
}
