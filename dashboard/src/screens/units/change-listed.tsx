import { Button, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-api.ts';
import { Confirm } from '../../components/confirm.tsx';
import { FileField } from '../../components/file-field.tsx';
import { notifyError } from '../../components/notify.ts';
import { useFormats } from '../../i18n/format.ts';
import { listedIn } from './listed-units.ts';

const ACTIONS = ['activate', 'suspend'] as const;
type Action = (typeof ACTIONS)[number];

/** What the service takes in one request. */
const MOST = 1_000;
const SHOWN_STRAYS = 3;
const SHOWN_LETTERS = 40;

/** Activates or suspends the units of a list; what names none is told before it begins, and what is refused by the job. */
export function ChangeListed({ onStarted }: { onStarted: (jobId: string) => void }) {
  const { t } = useTranslation('units');
  const formats = useFormats();
  const [isAsking, setAsking] = useState(false);
  const [action, setAction] = useState<Action>('activate');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  // Of the file that was chosen last: one that takes longer to be read may be that before it.
  const [read, setRead] = useState<{ file: File; text: string } | null>(null);
  const isRead = file === null || read?.file === file;
  const { ids, strays } = listedIn(text, file !== null && read?.file === file ? read.text : '');
  const start = useChange(
    (unitIds: string[]) => api.post('/api/v1/product-units/bulk', { body: { action, unitIds } }),
    ['/api/v1/bulk-jobs'],
  );
  const isTooMany = ids.length > MOST;
  const choose = (chosen: File | null) => {
    setFile(chosen);
    chosen?.text().then(
      (content) => setRead({ file: chosen, text: content }),
      (error: Error) => {
        setFile((current) => (current === chosen ? null : current));
        notifyError(error);
      },
    );
  };
  const verb = (key: string, count: number) => t(key, { ns: 'batches', count });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconListCheck size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('listed.open')}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('listed.title')}
        action={verb(`${action}Verb`, ids.length)}
        isDangerous={action === 'suspend'}
        isReady={isRead && ids.length > 0 && !isTooMany}
        onConfirm={async () => {
          const { id } = await start.mutateAsync(ids);
          setText('');
          choose(null);
          onStarted(id);
        }}
      >
        <Stack gap="sm">
          <SegmentedControl
            className="wrapping"
            aria-label={t('listed.what')}
            value={action}
            onChange={(value) => setAction(value as Action)}
            data={ACTIONS.map((value) => ({ value, label: t(`action.${value}.verb`) }))}
          />
          <span>{t(`${action}Text`, { ns: 'batches' })}</span>
          <Textarea
            label={t('listed.list')}
            description={t('listed.hint', { most: formats.number(MOST) })}
            autosize
            minRows={3}
            maxRows={8}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            error={isTooMany && t('listed.tooMany', { most: formats.number(MOST) })}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <FileField
            label={t('listed.file')}
            placeholder={t('listed.choose')}
            accept=".csv,.txt,.ndjson,.jsonl,text/csv,text/plain"
            value={file}
            onChange={choose}
            clearable
            clearButtonProps={{ 'aria-label': t('clear', { ns: 'common' }) }}
          />
          {strays.length > 0 && (
            <Text size="sm" role="status">
              {t('listed.strays', { number: formats.number(strays.length) })}{' '}
              <bdi className="mono">
                {strays
                  .slice(0, SHOWN_STRAYS)
                  .map((line) => line.slice(0, SHOWN_LETTERS))
                  .join(' · ')}
                {strays.length > SHOWN_STRAYS && ' …'}
              </bdi>
            </Text>
          )}
        </Stack>
      </Confirm>
    </>
  );
}
