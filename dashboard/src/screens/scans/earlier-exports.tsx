import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { EXPORTS, type AnyExport, type ExportKind } from './exports.ts';

const SHOWN = 5;
const POLL_MS = 1_500;

const isLive = ({ status }: AnyExport): boolean => status === 'queued' || status === 'running';

const canBeHad = (file: AnyExport): boolean => file.artifacts.length > 0 || isLive(file);

/** The newest files that can still be had, and those being written: whoever closed the dialog finds them again. */
export function EarlierExports({ kind, onOpen }: { kind: ExportKind; onOpen: (id: string) => void }) {
  const exports = useApi(
    EXPORTS[kind].list,
    { query: { limit: 20 } },
    {
      // What was read when the dialog was open before says nothing of how far they are.
      refetchOnMount: 'always',
      refetchInterval: ({ state }) => (state.data?.data.some(isLive) ? POLL_MS : false),
    },
  );
  return (
    <Loaded query={exports} isBrief>
      {({ data }) => <Files kind={kind} files={data.filter(canBeHad).slice(0, SHOWN)} onOpen={onOpen} />}
    </Loaded>
  );
}

function Files({
  kind,
  files,
  onOpen,
}: {
  kind: ExportKind;
  files: readonly AnyExport[];
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('scans');
  if (files.length === 0) return null;
  return (
    <Stack gap="xs" mt="lg" component="section" aria-label={t('export.earlier')}>
      <Title order={3} size="h4">
        {t('export.earlier')}
      </Title>
      {files.map((file) => (
        <Group key={file.id} justify="space-between" wrap="nowrap">
          <Text size="sm">
            <Time at={file.createdAt} isFocusable />{' '}
            <Text span inherit c="dimmed">
              <Contents kind={kind} file={file} />
            </Text>
          </Text>
          <Button variant="subtle" size="compact-sm" flex="none" onClick={() => onOpen(file.id)}>
            {t('export.show')}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

function Contents({ kind, file: { artifacts, progress } }: { kind: ExportKind; file: AnyExport }) {
  const { t } = useTranslation(kind);
  const formats = useFormats();
  const [artifact] = artifacts;
  const { done, total } = progress;
  return artifact === undefined
    ? t('export.progress', formats.progress(done, total))
    : t('export.done', { count: done, size: formats.bytes(artifact.bytes) });
}
