import { Alert, Group, Paper, Progress, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFailureWords } from '../../api/failures.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { isOpen } from './job-status.tsx';

interface JobProgressProps {
  job: Schemas['BarcodeJob'];
  /** When the job was as it is shown, in ms. */
  readAt: number;
  failure: Error | null;
}

/** How far a job is, and how long it will take at its pace so far. */
export function JobProgress({ job, readAt, failure }: JobProgressProps) {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  const inWords = useFailureWords();
  const { done, total } = job.progress;
  const share = total === 0 ? 0 : done / total;
  const seconds = job.startedAt === null ? 0 : (readAt - new Date(job.startedAt).getTime()) / 1000;
  const left = done === 0 ? null : Math.ceil((seconds / done) * (total - done));
  const now = (): string => {
    if (!isOpen(job)) return t(`ended.${job.status}`);
    if (job.status === 'queued') return t('waiting');
    if (left === null) return t('beginning');
    return left === 0 ? t('packing') : t('timeLeft', { time: formats.duration(left) });
  };
  return (
    <Paper p="md" component="section" aria-label={t('progress')}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="sm" fw={550} className="num" aria-live="polite">
          {t('doneOf', formats.progress(done, total))}
        </Text>
        <Text size="sm" c="dimmed" className="num">
          {now()}
        </Text>
      </Group>
      <Progress
        value={share * 100}
        size={10}
        aria-label={t('progress')}
        color={job.status === 'failed' ? 'red' : job.status === 'completed' ? 'green' : 'gold'}
      />
      {job.error !== null && (
        <Alert
          color="red"
          variant="light"
          mt="sm"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('failedTitle')}
        >
          {inWords(job.error)} {t('failedText')} <span className="mono">{job.error.code}</span>
        </Alert>
      )}
      {failure !== null && <ErrorAlert error={failure} />}
    </Paper>
  );
}
