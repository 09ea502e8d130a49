import { Button, Group, Modal, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { EarlierExports } from './earlier-exports.tsx';
import { EXPORTS, type AnyExport, type ExportKind } from './exports.ts';

const POLL_MS = 700;
/** The link to a file works for a quarter of an hour: whoever has the dialog open for longer has a new one by then. */
const RENEW_MS = 5 * 60_000;

type Format = AnyExport['format'];

/** CSV is for spreadsheets here. */
export interface FileForm {
  format: Format;
  byteOrderMark: boolean;
}

/** Has what the filters leave written into a file: asks for it, shows how far it is, offers it. */
export function ExportFile({
  kind,
  opened,
  onClose,
  isFiltered,
  start,
}: {
  /** Also the namespace of what is said of this kind alone. */
  kind: ExportKind;
  opened: boolean;
  onClose: () => void;
  isFiltered: boolean;
  start: (form: FileForm) => Promise<{ id: string }>;
}) {
  const { t } = useTranslation(kind);
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
          <Ask kind={kind} isFiltered={isFiltered} start={start} onStarted={setExportId} onClose={close} />
          <EarlierExports kind={kind} onOpen={setExportId} />
        </>
      ) : (
        <Written kind={kind} id={exportId} onClose={close} />
      )}
    </Modal>
  );
}

function Ask({
  kind,
  isFiltered,
  start: send,
  onStarted,
  onClose,
}: {
  kind: ExportKind;
  isFiltered: boolean;
  start: (form: FileForm) => Promise<{ id: string }>;
  onStarted: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('scans');
  const [format, setFormat] = useState<Format>('csv');
  const start = useChange(() => send({ format, byteOrderMark: format === 'csv' }), [EXPORTS[kind].list]);
  return (
    <Stack>
      <Text size="sm">{t(isFiltered ? 'export.filtered' : 'export.everything', { ns: kind })}</Text>
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

function Written({ kind, id, onClose }: { kind: ExportKind; id: string; onClose: () => void }) {
  const { t } = useTranslation('scans');
  const formats = useFormats();
  const [isOver, setOver] = useState(false);
  const { data: file, error } = useApi(
    EXPORTS[kind].one,
    { path: { id } },
    { refetchInterval: isOver ? RENEW_MS : POLL_MS },
  );
  const isFinished = file !== undefined && !['queued', 'running'].includes(file.status);
  if (isFinished && !isOver) setOver(true);
  const cancel = useChange(() => api.post(EXPORTS[kind].cancel, { path: { id } }), [EXPORTS[kind].list]);
  if (file === undefined && error !== null) return <ErrorAlert error={error} />;
  /** Why a finished export has no file. */
  const reasonOf = ({ status, error: failure }: AnyExport): string =>
    failure === null
      ? t(status === 'cancelled' ? 'export.cancelled' : 'export.expired')
      : t(`export.failures.${failure.code}`, { defaultValue: t('export.failed') });
  const { done = 0, total = null } = file?.progress ?? {};
  const artifact = file?.artifacts[0];
  const share = artifact ? 100 : total === null ? 0 : (100 * done) / Math.max(1, total);
  return (
    <Stack>
      <Progress.Root size="lg">
        <Progress.Section value={share} aria-label={t('export.title', { ns: kind })} animated={!isFinished} />
      </Progress.Root>
      <Text size="sm" role="status">
        {artifact
          ? t('export.done', { ns: kind, count: done, size: formats.bytes(artifact.bytes) })
          : isFinished
            ? reasonOf(file)
            : t('export.progress', { ns: kind, ...formats.progress(done, total) })}
      </Text>
      {artifact && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          SHA-256 <span className="mono">{artifact.sha256}</span>
        </Text>
      )}
      {(cancel.error ?? error) !== null && <ErrorAlert error={(cancel.error ?? error)!} />}
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
