import { Button, Group, Paper, Table, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { Checksum } from '../../components/checksum.tsx';
import { ErrorAlert } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';

type Job = Schemas['BarcodeJob'];

/** The files of a completed job. */
export function Downloads({ job }: { job: Job }) {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  const [error, setError] = useState<Error | null>(null);
  if (job.status !== 'completed') return null;
  // The browser writes the file to the disk as it comes; a link works for minutes only, so a new one is asked for.
  const download = async (event: React.MouseEvent, name: string) => {
    event.preventDefault();
    setError(null);
    try {
      const { artifacts } = await api.get('/api/v1/barcode-jobs/{id}', { path: { id: job.id } });
      location.assign(artifacts.find((artifact) => artifact.name === name)!.url);
    } catch (failure) {
      setError(failure as Error);
    }
  };
  return (
    <Paper component="section" aria-label={t('downloads')} style={{ overflow: 'hidden' }}>
      <Group justify="space-between" px="md" pt="sm" pb={4}>
        <Title order={2}>{t('downloads')}</Title>
        {job.artifactsExpireAt !== null && (
          <Text size="xs" c="dimmed">
            {t('keptUntil')} <Time at={job.artifactsExpireAt} show="day" isFocusable />
          </Text>
        )}
      </Group>
      {error !== null && <ErrorAlert error={error} />}
      {job.artifacts.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {t('expired')}
        </Text>
      ) : (
        <>
          <Table className="data-table" aria-label={t('downloads')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('file')}</Table.Th>
                <Table.Th scope="col">{t('contents')}</Table.Th>
                <Table.Th scope="col" ta="end">
                  {t('size')}
                </Table.Th>
                <Table.Th scope="col">SHA-256</Table.Th>
                <Table.Td />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {job.artifacts.map(({ kind, name, bytes, sha256, url }) => (
                <Table.Tr key={name}>
                  <Table.Td data-label={t('file')} className="mono">
                    {name}
                  </Table.Td>
                  <Table.Td data-label={t('contents')}>{t(`kind.${kind}`)}</Table.Td>
                  <Table.Td data-label={t('size')} ta="end" className="num">
                    {formats.bytes(bytes)}
                  </Table.Td>
                  <Table.Td data-label="SHA-256">
                    <Checksum sha256={sha256} />
                  </Table.Td>
                  <Table.Td data-label="" ta="end">
                    <Button
                      component="a"
                      href={url}
                      onClick={(event: React.MouseEvent) => void download(event, name)}
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconDownload size={14} aria-hidden />}
                      aria-label={`${t('download')}: ${name}`}
                    >
                      {t('download')}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Text size="xs" c="dimmed" px="md" py="sm">
            {t('checksumHint')}
          </Text>
        </>
      )}
    </Paper>
  );
}
