import { Button, Group, Modal, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { EarlierExports } from './earlier-exports.tsx';
import type { ScanQuery } from './list.tsx';

const POLL_MS = 700;

type Format = 'csv' | 'ndjson';

/** Writes the scans that the filters leave to a file: asks for it, shows how far it is, offers it. */
export function ExportScans({
  opened,
  onClose,
  query,
}: {
  opened: boolean;
  onClose: () => void;
  query: ScanQuery;
}) {
  const { t } = useTranslation('scans');
  const [exportId, setExportId] = useState<string | null>(null);
  const close = () => {
    setExportId(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('export.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'common' }) }}
    >
      {exportId === null ? (
        <>
          <Ask query={query} onStarted={setExportId} onClose={close} />
          <EarlierExports onOpen={setExportId} />
        </>
      ) : (
        <Written id={exportId} onClose={close} />
      )}
    </Modal>
  );
}

function Ask({
  query,
  onStarted,
  onClose,
}: {
  query: ScanQuery;
  onStarted: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('scans');
  const [format, setFormat] = useState<Format>('csv');
  const start = useChange(
    () =>
      api.post('/api/v1/scan-exports', {
        body: {
          format,
          ...Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
        },
      }),
    ['/api/v1/scan-exports'],
  );
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Stack>
      <Text size="sm">{isFiltered ? t('export.filtered') : t('export.everything')}</Text>
      <SegmentedControl
        className="wrapping"
        fullWidth
        aria-label={t('export.format')}
        value={format}
        onChange={(value) => setFormat(value as Format)}
        data={[
          { value: 'csv', label: t('export.csv') },
          { value: 'ndjson', label: t('export.ndjson') },
        ]}
      />
      {start.error !== null && <ErrorAlert error={start.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel', { ns: 'common' })}
        </Button>
        <Button
          loading={start.isPending}
          onClick={() => start.mutate(undefined, { onSuccess: ({ id }) => onStarted(id) })}
        >
          {t('export.start')}
        </Button>
      </Group>
    </Stack>
  );
}

function Written({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('scans');
  const formats = useFormats();
  const [isOver, setOver] = useState(false);
  const { data: file, error } = useApi(
    '/api/v1/scan-exports/{id}',
    { path: { id } },
    { refetchInterval: isOver ? false : POLL_MS },
  );
  const isFinished = file !== undefined && !['queued', 'running'].includes(file.status);
  if (isFinished && !isOver) setOver(true);
  const cancel = useChange(
    () => api.post('/api/v1/scan-exports/{id}/cancel', { path: { id } }),
    ['/api/v1/scan-exports'],
  );
  if (error !== null) return <ErrorAlert error={error} />;
  /** Why a finished export has no file. */
  const reasonOf = ({ status, error: failure }: Schemas['ScanExport']): string =>
    failure === null
      ? t(status === 'cancelled' ? 'export.cancelled' : 'export.expired')
      : t(`export.failures.${failure.code}`, { defaultValue: t('export.failed') });
  const { done = 0, total = null } = file?.progress ?? {};
  const artifact = file?.artifacts[0];
  const share = artifact ? 100 : total === null ? 0 : (100 * done) / Math.max(1, total);
  return (
    <Stack>
      <Progress.Root size="lg">
        <Progress.Section value={share} aria-label={t('export.title')} animated={!isFinished} />
      </Progress.Root>
      <Text size="sm" role="status">
        {artifact
          ? t('export.done', { count: done, size: formats.bytes(artifact.bytes) })
          : isFinished
            ? reasonOf(file)
            : t('export.progress', formats.progress(done, total))}
      </Text>
      {artifact && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          SHA-256 <span className="mono">{artifact.sha256}</span>
        </Text>
      )}
      {cancel.error !== null && <ErrorAlert error={cancel.error} />}
      <Group justify="flex-end">
        {file !== undefined && !isFinished && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            loading={cancel.isPending}
            onClick={() => cancel.mutate(undefined)}
          >
            {t('export.stop')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('close', { ns: 'common' })}
        </Button>
        {artifact && (
          <Button
            component="a"
            // On the host that served this page, whatever the service's public name is.
            href={artifact.url.replace(/^https?:\/\/[^/]+/, '')}
            download={artifact.name}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('export.download')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
